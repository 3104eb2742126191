import Command
import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import Tools
@testable import hw

/// `hw check`: a smoke test for cron and CI.
@Suite(.ownThread) struct CheckCommand {
  @Test(
    arguments: [
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --no-wait --no-cache", 8),
      ("hw config set nba.rate 1; hw serve -- hw check nba --no-wait --no-cache", 8),
      ("hw serve -- hw check nba --rate 1 --no-wait --no-cache", 8),
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --rate 1000 --no-wait --no-cache", 0),
      ("echo free >key; hw serve -- hw check nba --key-file key", 0),
      ("hw check nba --key-file nowhere", 10),
      // It goes nowhere else.
      ("echo x >key; hw check --key-file key", 2), ("echo x >key; hw check nodes --key-file key", 2),
      ("echo x >key; hw check wordle bikes --token-file key", 2),
      ("hw users add eve --store d >key; hw serve --samples --store d -- hw check bikes --token-file key", 0),
      ("hw users add eve --store d; echo x >key; hw serve --store d -- hw check bikes --token-file key", 7),
    ])
  func checkSendsKeyAndToken(line: String, status: Int32) throws { #expect(try shell(line).status == status) }
}
