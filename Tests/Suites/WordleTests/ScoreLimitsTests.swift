import System
import Testing

@testable import Command
@testable import Wordle

/// What one account may store.
@Suite struct ScoreLimitsTests {
  @Test func aPublicServerHasLimitsWithoutOptions() {
    let limits = ScoreLimits(ServerOptions(), isPublic: true)
    #expect(limits.scoreSize == 2000 && limits.scoresPerAccount == 10_000)
    let none = ScoreLimits(ServerOptions(), isPublic: false)
    #expect(none.scoreSize == nil && none.scoresPerAccount == nil)
  }

  @Test(arguments: [("0", nil), ("1", 1), ("2001", 2001)] as [(String, Int?)])
  func zeroIsNoLimit(text: String, limit: Int?) throws {
    let command = Command(
      "serve", "Serve", settings: ScoreLimits.settings, output: .plain("Nothing."), examples: []
    ) { _, _ in }
    var call = Invocation(command, suite: nil)
    let variables = ["HW_SERVE_SCORE_SIZE": text, "HW_SERVE_SCORES_PER_ACCOUNT": text]
    try Settings(environment: Environment(variables), configuration: Configuration(path: "")).apply(to: &call)
    for isPublic in [true, false] {
      let limits = ScoreLimits(ServerOptions(call), isPublic: isPublic)
      #expect(limits.scoreSize == limit && limits.scoresPerAccount == limit)
    }
  }
}
