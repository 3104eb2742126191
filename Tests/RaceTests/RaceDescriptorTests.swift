import Foundation
import System
import TestSupport
import Testing

@testable import Race

/// What a race opens is closed again, also where it fails.
@Suite struct DescriptorsOfARace {
  /// In a process of its own, since the tests of others open descriptors as well.
  @Test func areClosed() async {
    await #expect(processExitsWith: .success) {
      func count() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      let scratch = try ScratchDirectory()
      let address = try CaptchaAddress("https://host/captcha")
      let before = try count()
      try EventLog(scratch.file("race.jsonl")).write([])
      #expect(try count() == before)
      let browser = CaptchaBrowser(
        [scratch.file("nothing")], environment: Environment(["TMPDIR": scratch.path]), time: SystemTime())
      #expect(throws: Failure.self) { try browser.solve(address) {} }
      #expect(try count() == before)
    }
  }
}
