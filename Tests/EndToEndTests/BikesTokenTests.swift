import Foundation
import TestSupport
import Testing

/// Where the access token of the bikes suite goes, and where it does not.
@Suite(.ownThread) struct BikesToken {
  @Test func itGoesToTheAddressOfTheUserAndToNoOther() throws {
    let other = try LoopbackServer { _ in .response(headers: ["Content-Type: application/json"], body: "[]") }
    let elsewhere = "\(other.url)/bikes"
    let own = try LoopbackServer { _ in .response(status: 302, headers: ["Location: \(elsewhere)"]) }
    let ending = try shell(
      "hw bikes list --anywhere --json", environment: ["HW_URL": own.url, "HW_BIKES_TOKEN": "0p3n-sesame"])
    #expect(ending.status == 0 && ending.output == "[]\n", "\(ending.errors)")
    #expect(own.requests.map { $0.field("X-Authorization") } == ["0p3n-sesame"])
    #expect(other.requests.count == 1 && other.requests.allSatisfy { !$0.head.contains("0p3n") })
  }
}
