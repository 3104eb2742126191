import Foundation
import TestSupport
import Testing

/// The Wordle suite as scripts meet it: the built program, against its own backend in the process and on a port.
@Suite(.ownThread) struct WordleScores {
  /// A durable account in the test's home.
  private static let durable: [String: String?] = ["HW_URL": nil]

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test func anAccountLastsAndGoesBack() throws {
    let home = try Home()
    func hw(_ words: String) throws -> String {
      let ending = try shell("hw wordle \(words)", in: home, environment: WordleScores.durable)
      #expect(ending.status == 0, "\(ending.errors)")
      return ending.output
    }
    let ids = "scores --tsv --no-header --fields id"
    #expect(lines(try hw(ids)) == ["264", "263", "262"])
    let nymph = "add --id 281 --date 2022-03-27 --word NYMPH --tries train,ponds,blume,nymph"
    #expect(try hw("\(nymph) --dry-run --tsv --no-header --fields word") == "nymph\n")
    #expect(lines(try hw(ids)).count == 3)
    _ = try hw(nymph)
    #expect(lines(try hw(ids)) == ["281", "264", "263", "262"])
    #expect(try hw("share 281").hasPrefix("Wordle 281 4/6\n\n⬛⬛⬛⬛🟨\n"))
    _ = try hw("add --id 281 --date 2022-03-27 --word nymph --tries nymph --replace")
    #expect(try hw("score 281 --json --fields result") == "{\"result\":\"1/6\"}\n")
    #expect(try hw("delete 281 263 --tsv --no-header --fields id,word") == "281\tnymph\n263\tmonth\n")
    #expect(lines(try hw(ids)) == ["264", "262"])
    #expect(lines(try hw("reset --yes --tsv --no-header --fields id")) == ["264", "263", "262"])
  }

  /// The service knows of no limit, and sends its list whole, in any order.
  @Test func theNewestOfAListThatIsNotCut() throws {
    let home = try Home()
    let scores = [1, 3, 2].map { #"{"id":\#($0),"date":"2021-06-2\#($0)","word":"at","tries":["at"]}"# }
    try FileManager.default.createDirectory(atPath: "\(home.path)/r", withIntermediateDirectories: true)
    try "# hw recording 2\n> GET /scores?limit=2\n\n< 200\n\n[\(scores.joined(separator: ","))]\n".write(
      toFile: "\(home.path)/r/1.exchange", atomically: true, encoding: .utf8)
    let ending = try shell("hw wordle scores --limit 2 --tsv --no-header --fields id --replay r", in: home)
    #expect(ending.output == "3\n2\n")
  }

  @Test(
    "A list is one request",
    arguments: [
      "scores", "scores --limit 2", "stats", "stats --since 2022-03-09",
      "compare",
    ])
  func requests(words: String) throws {
    let ending = try shell("hw serve -- hw wordle \(words) -v")
    #expect(ending.status == 0)
    #expect(lines(ending.errors).count { $0.contains("GET http") } == 1, "\(ending.errors)")
  }

  /// The one account adds up by itself, the other's answer is a list.
  @Test func statisticsAreTheSameOfAListAndOfOurOwnService() throws {
    let home = try Home()
    try FileManager.default.createDirectory(atPath: "\(home.path)/r", withIntermediateDirectories: true)
    let list = try shell("hw wordle scores --jsonl --fields id,date,word,tries", in: home).output
    try "# hw recording 2\n> GET /scores?as=statistics\n\n< 200\n\n[\(lines(list).joined(separator: ","))]\n"
      .write(
        toFile: "\(home.path)/r/1.exchange", atomically: true, encoding: .utf8)
    let own = try shell("hw wordle stats --json", in: home).output
    #expect(try shell("hw wordle stats --json --replay r", in: home).output == own)
    #expect(try shell("hw wordle stats --json --since 2000-01-01", in: home).output == own)
    #expect(own.contains("\"played\":34"))
  }

  @Test func whatIsDeletedCanBeAddedAgain() throws {
    let ending = try shell(
      "hw wordle delete 262 264 --json >gone.json && hw wordle add gone.json && hw wordle scores --jsonl --fields id,tries",
      environment: WordleScores.durable)
    #expect(
      lines(ending.output).suffix(3) == [
        #"{"id":264,"tries":["stair","peony","lapse"]}"#,
        #"{"id":263,"tries":["stair","tuned","monty","month"]}"#,
        #"{"id":262,"tries":["corgi","pause","sleds","sweet"]}"#,
      ])
  }

  private static let old = #"{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","lapse"]}"#
  private static let new = #"{"id":264,"date":"2022-03-10","word":"at","tries":["at"]}"#
  private static let known = "> GET /scores\n\n< 200\n\n[\(old)]\n"
  private static let deleted = "> DELETE /scores/264\n\n< 200\n"
  private static let lost = "< failed connection\n< Message: the answer was lost\n< Outcome: unknown\n"

  /// A home directory with a recording of these exchanges.
  private static func home(with exchanges: [String]) throws -> Home {
    let home = try Home()
    try FileManager.default.createDirectory(atPath: "\(home.path)/r", withIntermediateDirectories: true)
    for (number, exchange) in exchanges.enumerated() {
      try "# hw recording 2\n\(exchange)".write(
        toFile: "\(home.path)/r/\(number).exchange", atomically: true, encoding: .utf8)
    }
    return home
  }

  @Test(
    "A change whose response is lost may have been made",
    arguments: [
      (
        "add --id 265 --date 2022-03-10 --word at --tries at",
        [known, "> POST /scores\n>\n> \(new.replacing("264", with: "265"))\n\n\(lost)"],
        "score 265 may have been added: the answer was lost", "score 265"
      ),
      (
        "delete 264 --yes", [known, "> DELETE /scores/264\n\n\(lost)"],
        "score 264 may have been deleted: the answer was lost", "score 264"
      ),
      (
        "delete 263 --yes",
        [
          "> GET /scores\n\n< 200\n\n[\(old),{\"id\":263,\"date\":\"never\"}]\n",
          "> DELETE /scores/263\n\n\(lost)",
        ], "score 263 may have been deleted: the answer was lost", "score 263"
      ),
      (
        "reset --yes", ["> DELETE /scores\n\n\(lost)"],
        "the account may have been reset: the answer was lost", "scores"
      ),
    ] as [(String, [String], String, String)])
  func unknown(change: String, exchanges: [String], message: String, command: String) throws {
    let home = try WordleScores.home(with: exchanges)
    let ending = try shell("hw wordle \(change) --replay r", in: home)
    #expect(ending.status == 5 && ending.output == "")
    #expect(ending.errors == "hw: \(message)\n    'hw wordle \(command)' shows whether it was\n")
  }

  /// The old score is in the failure, whatever becomes of the list of those that were replaced.
  @Test(arguments: [("/dev/full", 10), ("/dev/null", 5)] as [(String, Int32)])
  func whatIsLostIsReportedOnAFullDisk(output: String, status: Int32) throws {
    let (other, newer) = (WordleScores.old.replacing("264", with: "263"), WordleScores.new)
    let home = try WordleScores.home(with: [
      "> GET /scores\n\n< 200\n\n[\(WordleScores.old),\(other)]\n", WordleScores.deleted,
      "> POST /scores\n>\n> \(newer)\n\n< 201\n", "> DELETE /scores/263\n\n< 200\n",
    ])
    let scores = "\(newer)\n\(newer.replacing("264", with: "263"))\n"
    try scores.write(toFile: "\(home.path)/new.jsonl", atomically: true, encoding: .utf8)
    let ending = try shell("hw wordle add new.jsonl --replace --replay r >\(output)", in: home)
    #expect(ending.status == status, "\(ending)")
    #expect(ending.errors.contains("cannot write 'standard output'") == (status == 10))
    #expect(ending.errors.contains("the old score 263 is deleted and cannot be restored"), "\(ending)")
    #expect(ending.errors.contains("add it again with: printf '%s\\n' '\(other)'"))
    #expect(ending.errors.contains("(1 of 2 added)"))
  }

  @Test func anAccountIsATokenAndATokenIsNeverShown() throws {
    let ending = try shell(
      """
      hw serve -- sh -c 'echo secret-a >a; chmod 600 a
        hw wordle --token-file a delete 262 -q >/dev/null
        hw wordle scores --token-file a --tsv --no-header --fields id | wc -l
        HW_WORDLE_TOKEN=secret-b hw wordle scores -vv --tsv --no-header --fields id | wc -l
        hw wordle scores --token-file - --tsv --no-header --fields id <a | wc -l'
      """)
    let counts = lines(ending.output).compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
    #expect(counts.count == 3 && counts[0] == counts[2] && counts[1] == counts[0] + 1, "\(ending)")
    #expect(!ending.errors.contains("secret"))
  }

  /// Three accounts, each without another of the initial scores, tell which token came.
  @Test(
    "A token comes from the file that is named, else from a variable, else from the configuration",
    arguments: [
      ("", "264 263 262"), ("HW_CONFIG=config", "264 263"),
      ("HW_CONFIG=config HW_WORDLE_TOKEN=variable", "264 262"),
      ("HW_CONFIG=config HW_WORDLE_TOKEN=variable FILE='--token-file file'", "263 262"),
    ])
  func token(variables: String, left: String) throws {
    let ending = try shell(
      """
      echo file >file; chmod 600 file; echo wordle.token = configured >config; chmod 600 config
      hw serve -- sh -c 'FILE=
        HW_WORDLE_TOKEN=configured hw wordle delete 262 -q >/dev/null
        HW_WORDLE_TOKEN=variable hw wordle delete 263 -q >/dev/null
        HW_WORDLE_TOKEN=file hw wordle delete 264 -q >/dev/null
        export \(variables.isEmpty ? "NONE=" : variables.replacing("'", with: "\""))
        hw wordle scores $FILE --until 2022-03-10 --tsv --no-header --fields id'
      """)
    #expect(lines(ending.output).joined(separator: " ") == left, "\(ending)")
    #expect(ending.errors == "")
  }

  @Test(
    "Where the account is",
    arguments: [
      ("", "GET embedded:/scores"), ("HW_WORDLE_TOKEN=t", "https://wordle.shareup.fun/scores"),
      ("HW_WORDLE_TOKEN=t HW_WORDLE_URL=http://localhost:1", "http://localhost:1/scores"),
      (
        "HW_URL=https://wordle.shareup.fun",
        "hw: 'https://wordle.shareup.fun' requires a token, and none is set"
      ),
    ])
  func address(variables: String, expected: String) throws {
    let ending = try shell("\(variables) hw wordle scores --explain", environment: WordleScores.durable)
    #expect((ending.output + ending.errors).contains(variables.isEmpty ? "/scores" : expected), "\(ending)")
    #expect(ending.status == (expected.hasPrefix("hw:") ? 7 : 0))
  }
}
