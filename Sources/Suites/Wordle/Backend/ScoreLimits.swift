import Command
import HTTP
import Server
import System

/// Limits of one account on a server. Nil disables a limit.
struct ScoreLimits {
  var scoreSize: Int?
  var scoresPerAccount: Int?

  private static let size = Setting(
    "score-size", ValueKind<Int>.count(0...1_000_000, "BYTES"), scope: .serve,
    "Accept scores of at most BYTES",
    details:
      "0 means no limit. The default is \(standardSize) for users except admins and on a public server, otherwise 0."
  )
  private static let count = Setting(
    "scores-per-account", ValueKind<Int>.count(0...1_000_000), scope: .serve,
    "Store at most N scores per account",
    details:
      "0 means no limit. The default is \(standardCount) for users except admins and on a public server, otherwise 0."
  )

  static let settings: [any Declared] = [size, count]

  /// A score has at most six tries.
  private static let standardSize = 2000
  /// A game a day for 27 years.
  private static let standardCount = 10_000

  init() {}

  init(_ options: ServerOptions, isPublic: Bool, for caller: Caller = .local) {
    let isLimited = isPublic || caller.user?.isAdmin == false
    func limit(_ setting: Setting<Int?>, _ standard: Int) -> Int? {
      let chosen = options[setting] ?? (isLimited ? standard : nil)
      return chosen == 0 ? nil : chosen
    }
    scoreSize = limit(Self.size, Self.standardSize)
    scoresPerAccount = limit(Self.count, Self.standardCount)
  }

  func refusal(ofSize size: Int) -> Response? {
    guard let scoreSize, size > scoreSize else { return nil }
    return .jsonError(413, "a score has at most \(scoreSize) bytes")
  }

  func check(_ count: Int) throws(Failure) {
    guard let scoresPerAccount, count > scoresPerAccount else { return }
    throw Failure(
      .conflict, "the account has \(scoresPerAccount) scores, and may not have more",
      hint: "delete some of them")
  }
}
