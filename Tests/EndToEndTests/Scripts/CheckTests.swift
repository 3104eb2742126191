import Command
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Tools
@testable import hw

/// `hw check`: a smoke test for cron and CI.
@Suite(.ownThread, .needs(.libsqlite3)) struct CheckCommand {
  @Test(
    arguments: [
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --no-wait --no-cache", 8),
      ("hw config set nba.rate 1; hw serve -- hw check nba --no-wait --no-cache", 8),
      ("hw serve -- hw check nba --rate 1 --no-wait --no-cache", 8),
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --rate 1000 --no-wait --no-cache", 0),
      ("hw serve -- env HW_NBA_KEY=free hw check nba", 0),
      (
        "hw users add eve --store d >key; HW_BIKES_TOKEN=$(cat key) hw serve --samples --store d -- hw check bikes",
        0
      ),
      ("hw users add eve --store d; HW_BIKES_TOKEN=x hw serve --store d -- hw check bikes", 7),
      (
        "hw users add eve --store d; hw serve --store d -- env HW_TOKEN=x HW_NODES_URL=demo: hw check bikes nodes",
        7
      ),
    ])
  func checkSendsKeyAndToken(line: String, status: Int32) throws { #expect(try shell(line).status == status) }
}
