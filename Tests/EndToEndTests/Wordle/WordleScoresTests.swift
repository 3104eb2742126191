import TestSupport
import Testing

/// The Wordle suite as scripts meet it: the built program, against its own backend in the process and on a port.
@Suite(.ownThread) struct WordleReplacement {
  /// A durable account in the test's home.
  private static let durable: [String: String?] = ["HW_URL": nil]

  private static let old = #"{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","lapse"]}"#
  private static let new = #"{"id":264,"date":"2022-03-10","word":"at","tries":["at"]}"#
  private static let deleted = "> DELETE /scores/264\n\n< 200\n"
  private static let lost = "< failed connection\n< Message: the answer was lost\n< Outcome: unknown\n"

  /// A home directory with a recording of these exchanges.
  private static func home(with exchanges: [String]) throws -> Home {
    let home = try Home()
    for (number, exchange) in exchanges.enumerated() {
      try home.write("# hw recording 2\n\(exchange)", to: "r/\(number).exchange")
    }
    return home
  }

  /// The old score is in the failure, whatever becomes of the list of those that were replaced.
  @Test(arguments: [("/dev/full", 10), ("/dev/null", 5)] as [(String, Int32)])
  func lostScoreIsReportedWhenOutputFails(output: String, status: Int32) throws {
    let (other, newer) = (WordleReplacement.old.replacing("264", with: "263"), WordleReplacement.new)
    let home = try WordleReplacement.home(with: [
      "> GET /scores\n\n< 200\n\n[\(WordleReplacement.old),\(other)]\n", WordleReplacement.deleted,
      "> POST /scores\n>\n> \(newer)\n\n< 201\n", "> DELETE /scores/263\n\n< 200\n",
    ])
    let scores = "\(newer)\n\(newer.replacing("264", with: "263"))\n"
    try home.write(scores, to: "new.jsonl")
    let ending = try shell("hw wordle add new.jsonl --force --replace --replay r >\(output)", in: home)
    #expect(ending.status == status, "\(ending)")
    #expect(ending.errors.contains("cannot write 'standard output'") == (status == 10))
    #expect(ending.errors.contains("the old score 263 is deleted and cannot be restored"), "\(ending)")
    #expect(ending.errors.contains("add it again with: printf '%s\\n' '\(other)'"))
    #expect(ending.errors.contains("(1 of 2 added)"))
  }
}
