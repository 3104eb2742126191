import Foundation
import System
import TestSupport
import Testing

@testable import Race

/// What a race opens is closed again, also where it fails.
@Suite struct DescriptorsOfARace {
  /// In a process of its own, since the tests of others open descriptors as well. The first attempt opens what stays
  /// until the process ends, and a thread may end later than the attempt that started it.
  @Test func areClosed() async {
    await #expect(processExitsWith: .success) {
      func open() throws -> [String] {
        let folder = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
          try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
      }
      let scratch = try ScratchDirectory()
      let address = try CaptchaAddress("https://host/captcha")
      func attempt(_ number: Int) throws {
        let browser = CaptchaBrowser(
          [scratch.file("nothing")], environment: Environment(["TMPDIR": scratch.path]), time: SystemTime())
        #expect(throws: Failure.self) { try browser.solve(address) {} }
      }
      try attempt(0)
      let before = try open().count
      // What is left open ten times is not what something else opened meanwhile.
      for number in 1...10 { try attempt(number) }
      try? waitUntil("the descriptors", within: .seconds(2)) { try open().count < before + 10 }
      let after = try open()
      #expect(after.count < before + 10, "\(after)")
    }
  }
}
