import Foundation
import Testing

@testable import System

/// What a process knows of itself and of its machine.
@Suite struct ProcessTests {
  @Test func descriptorLimitIsRaisedToHardLimit() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      getrlimit(openFiles, &limit)
      limit.rlim_max = min(limit.rlim_max, 200)
      for current in [100, limit.rlim_max] {
        limit.rlim_cur = current
        try #require(setrlimit(openFiles, &limit) == 0)
        #expect(DescriptorLimit.raise() == Int(limit.rlim_max))
        var found = rlimit()
        getrlimit(openFiles, &found)
        #expect(found.rlim_cur == limit.rlim_max && found.rlim_max == limit.rlim_max)
      }
    }
  }

  @Test func randomIdentifiersAreDifferent() {
    let names = (0..<200).map { _ in RandomID.make() }
    #expect(names.allSatisfy { $0.utf8.count == 32 && $0.utf8.allSatisfy(\.isLowercaseHexDigit) })
    #expect(Set(names).count == 200)
    #expect(Set(names.map { $0.prefix(16) }).count == 200 && Set(names.map { $0.suffix(16) }).count == 200)
  }

  @Test(arguments: [
    ("", false), ("a", true), ("Ann-B_c.9", true), ("a b", false), ("a:b", false), ("a/b", false),
    ("é", false), (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
  ])
  func userNamesAreValidated(_ name: String, _ isValid: Bool) { #expect(UserName.isValid(name) == isValid) }
}
