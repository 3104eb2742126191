import HTTP
import System
import TestSupport
import Testing

@testable import Bikes

@Suite(installed, .eachEngine) struct HistoryPages {
  @Test func everyEntryIsOnOnePage() throws {
    let server = try TestServer()
    for _ in 0..<7 {
      try server.ask(.put, "/bikes/1/rented")
      try server.ask(.delete, "/bikes/1/rented")
    }
    try server.ask(
      .patch, "/bikes/2", #"{"name":"Tom","pin":"9999","location":{"latitude":50,"longitude":8}}"#)
    let whole = try server.client.rentals(of: nil, limit: 100)
    #expect(whole.count == 8 && whole[0].changed == ["name", "pin", "location"])
    for size in [1, 3, 8, 9] {
      var pages: [Rental] = []
      while true {
        let page = try server.client.rentals(of: nil, limit: size, before: pages.last?.id)
        if page.isEmpty { break }
        #expect(page.count <= size)
        pages += page
      }
      #expect(pages == whole)
    }
    #expect(try server.client.rentals(of: "2", limit: 9, before: whole[0].id).isEmpty)
    for text in ["0", "-1", "x", ""] {
      #expect(try server.ask(.get, "/rentals?before=\(text)").status == 400)
    }
  }

  @Test func anEditThatChangesNothingIsNone() throws {
    let server = try TestServer()
    #expect(try server.ask(.patch, "/bikes/1", #"{"name":"Hans"}"#).status == 200)
    #expect(try server.client.rentals(of: "1", limit: 9).isEmpty)
    for (body, words) in [
      ("{}", "expected one or more of name, color, pin and location"), (#"{"pin":"12"}"#, "four digits"),
      (#"{"name":""}"#, "empty"), (#"{"location":{"latitude":91,"longitude":8}}"#, "latitude"),
      ("[]", "expected"),
    ] {
      let answer = try server.ask(.patch, "/bikes/1", body)
      #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
    }
    #expect(try server.ask(.patch, "/bikes/77", #"{"name":"Hans"}"#).status == 404)
    #expect(try server.client.bike("1").name == "Hans")
  }
}
