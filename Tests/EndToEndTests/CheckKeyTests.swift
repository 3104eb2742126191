import Foundation
import TestSupport
import Testing

/// `hw check` where a service requires a key, and where a server is still starting.
@Suite(.ownThread) struct CheckWithoutAKey {
  /// A server that refuses every request, as the live service does without a key.
  private static let closed = "hw serve --fault 401:1 -- "

  @Test func theServiceIsSkipped() throws {
    let ending = try shell(CheckWithoutAKey.closed + "hw check nba --no-cache")
    #expect(ending.status == 7)
    #expect(
      ending.output == "skip  nba: the teams\n      no key: set HW_NBA_KEY, or give --key-file FILE\n")
    #expect(ending.errors.contains("every check was skipped\n    no key: set HW_NBA_KEY"))
  }

  @Test func aWrongKeyIsAFault() throws {
    #expect(try shell(CheckWithoutAKey.closed + "env HW_NBA_KEY=x hw check nba --no-cache").status == 1)
  }

  @Test func otherServicesDecideTheStatus() throws {
    let line = CheckWithoutAKey.closed + "env HW_NODES_URL=demo: hw check nba nodes --no-cache"
    #expect(try shell(line).status == 0)
    let tap = try shell(line + " --report tap").output
    #expect(tap.contains("ok 1 - nba: the teams # SKIP no key: set HW_NBA_KEY"))
    let junit = try shell(line + " --report junit").output
    #expect(junit.contains(#"skipped="1""#) && junit.contains(#"<skipped message="no key: set HW_NBA_KEY"#))
  }
}
