import Foundation
import Testing

/// The Wordle suite as scripts meet it: the built program, against its own backend in the process and on a port.
@Suite struct WordleScores {
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
    try "> GET /scores?limit=2\n\n< 200\n\n[\(scores.joined(separator: ","))]\n".write(
      toFile: "\(home.path)/r/1.exchange", atomically: true, encoding: .utf8)
    let ending = try shell("hw wordle scores --limit 2 --tsv --no-header --fields id --replay r", in: home)
    #expect(ending.output == "3\n2\n")
  }

  @Test(
    "A list is one request",
    arguments: [
      "scores", "scores --limit 2", "scores --failed --limit 2", "stats", "stats --since 2022-03-09",
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
    try "> GET /scores?as=statistics\n\n< 200\n\n[\(lines(list).joined(separator: ","))]\n".write(
      toFile: "\(home.path)/r/1.exchange", atomically: true, encoding: .utf8)
    let own = try shell("hw wordle stats --json", in: home).output
    #expect(try shell("hw wordle stats --json --replay r", in: home).output == own)
    #expect(try shell("hw wordle stats --json --since 2000-01-01", in: home).output == own)
    #expect(own.contains("\"played\":34"))
  }

  @Test(
    "Our own service adds up the games of a period, and no others",
    arguments: [
      ("", "3\t3.67"), ("--since 2022-03-09", "2\t3.5"), ("--until 2022-03-09", "2\t4"),
      ("--since 2022-03-09 --until 2022-03-09", "1\t4"), ("--since 2022-03-11", "0\t"),
    ])
  func statisticsOfAPeriod(options: String, figures: String) throws {
    let ending = try shell(
      "hw wordle stats \(options) --tsv --no-header --fields played,meanTries",
      environment: WordleScores.durable)
    #expect(ending.output == "\(figures)\n", "\(ending)")
  }

  /// The bad score is the first, one in the middle and the last: none of the three is sent.
  @Test("Every one of several scores is checked before the first is sent", arguments: 0..<3)
  func everyScoreIsChecked(place: Int) throws {
    let tries = (0..<3).map { $0 == place ? "eat" : "at" }
    let scores = tries.enumerated().map {
      #"{"id":\#($0.offset),"date":"2021-06-20","word":"at","tries":["\#($0.element)"]}"#
    }
    let home = try Home()
    try scores.joined(separator: "\n").write(
      toFile: "\(home.path)/scores", atomically: true, encoding: .utf8)
    let added = try shell("hw wordle add scores", in: home, environment: WordleScores.durable)
    #expect(added.status == 2)
    #expect(added.errors.contains("score \(place): 'eat' has 3 letters"), "\(added.errors)")
    let after = try shell(
      "hw wordle scores --tsv --no-header --fields id", in: home, environment: WordleScores.durable)
    #expect(after.output == "264\n263\n262\n")
  }

  @Test func everyScoreOfSeveralIsInLowerCase() throws {
    let ending = try shell(
      #"""
      printf '%s\n' '{"id":1,"date":"2021-06-20","word":"AT","tries":["At"]}' \
        '{"id":2,"date":"2021-06-21","word":"ON","tries":["No","oN"]}' |
        hw wordle add - --tsv --no-header --fields id,word,tries
      """#, environment: WordleScores.durable)
    #expect(ending.output == "1\tat\t[\"at\"]\n2\ton\t[\"no\",\"on\"]\n", "\(ending)")
  }

  /// The service deletes the first score and fails at the second.
  @Test func whatWasDeletedBeforeAFailureIsPrinted() throws {
    let home = try Home()
    try FileManager.default.createDirectory(atPath: "\(home.path)/r", withIntermediateDirectories: true)
    let other = #"{"id":263,"date":"2022-03-09","word":"month","tries":["month"]}"#
    let exchanges = [
      "> GET /scores\n\n< 200\n\n[\(WordleScores.old),\(other)]\n", WordleScores.deleted,
      "> DELETE /scores/263\n\n< 500\n",
    ]
    for (number, exchange) in exchanges.enumerated() {
      try exchange.write(toFile: "\(home.path)/r/\(number).exchange", atomically: true, encoding: .utf8)
    }
    let ending = try shell(
      "hw wordle delete 263 264 --replay r --retries 0 --jsonl --fields id,word,tries", in: home)
    #expect(ending.status == 5)
    #expect(ending.output == #"{"id":264,"word":"lapse","tries":["stair","lapse"]}"# + "\n")
    #expect(ending.errors.contains("(1 of 2 deleted)"), "\(ending.errors)")
    #expect(ending.errors.contains(#""deleted":1"#), "\(ending.errors)")
  }

  @Test(
    "--dry-run changes neither the scores nor the players",
    arguments: [
      "add --id 2 --date 2021-06-21 --word at --tries at",
      "add --id 264 --date 2022-03-10 --word at --tries at --replace", "delete 1 264 --yes", "reset --yes",
      "import --player Ann other.txt", "import --player Ben other.txt", "import --forget Ann --yes",
    ])
  func dryRun(words: String) throws {
    let home = try Home()
    func hw(_ line: String) throws -> String {
      let ending = try shell(line, in: home, environment: WordleScores.durable)
      #expect(ending.status == 0, "\(ending.errors)")
      return ending.output
    }
    _ = try hw(
      """
      hw wordle add --id 1 --date 2021-06-20 --word at --tries at &&
      hw wordle share 264 >share.txt && hw wordle share 262 >other.txt &&
      hw wordle import --player Ann share.txt
      """)
    let state = "hw wordle scores --jsonl; hw wordle compare --all --json"
    let before = try hw(state)
    _ = try hw("hw wordle \(words) --dry-run")
    #expect(try hw(state) == before)
  }

  @Test func aConflictOverwritesNothing() throws {
    let home = try Home()
    let added = try shell(
      #"""
      printf '%s\n' '{"id":1,"date":"2021-06-20","word":"at","tries":["at"]}' \
        '{"id":264,"date":"2021-06-20","word":"at","tries":["at"]}' | hw wordle add -
      """#, in: home, environment: WordleScores.durable)
    #expect(added.status == 4)
    let after = try shell(
      "hw wordle scores --tsv --no-header --fields id,word", in: home, environment: WordleScores.durable)
    #expect(after.output == "264\tlapse\n263\tmonth\n262\tsweet\n")
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

  private static let large =
    #"{"id":264,"date":"2022-03-10","word":"at","tries":["\#(String(repeating: "a", count: 1 << 20))"]}"#

  /// A score too large for the service is refused by it.
  @Test func whatCannotBeReplacedIsPutBack() throws {
    let home = try Home()
    let server = try Serving.Server(in: home, environment: WordleScores.durable)
    let before = try shell("hw wordle scores --json --url \(server.url)").output
    try WordleScores.large.write(toFile: "\(home.path)/large", atomically: true, encoding: .utf8)
    let replaced = try shell(
      "hw wordle add \(home.path)/large --replace --force --url \(server.url)",
      environment: WordleScores.durable)
    #expect(replaced.status == 2)
    #expect(replaced.errors.contains("returned 413"), "\(replaced.errors)")
    #expect(replaced.errors.contains("; the old score 264 was restored\n"), "\(replaced.errors)")
    #expect(replaced.output == "")
    #expect(try shell("hw wordle scores --json --url \(server.url)").output == before)
    _ = server.stop()
  }

  private static let old = #"{"id":264,"date":"2022-03-10","word":"lapse","tries":["stair","lapse"]}"#
  private static let new = #"{"id":264,"date":"2022-03-10","word":"at","tries":["at"]}"#
  private static let known = "> GET /scores\n\n< 200\n\n[\(old)]\n"
  private static let deleted = "> DELETE /scores/264\n\n< 200\n"
  private static let lost = "< failed connection\n< Message: the answer was lost\n< Outcome: unknown\n"
  private static let taken = "> POST /scores\n>\n> \(old)\n\n< 409\n"

  /// A home directory with a recording of these exchanges.
  private static func home(with exchanges: [String]) throws -> Home {
    let home = try Home()
    try FileManager.default.createDirectory(atPath: "\(home.path)/r", withIntermediateDirectories: true)
    for (number, exchange) in exchanges.enumerated() {
      try exchange.write(toFile: "\(home.path)/r/\(number).exchange", atomically: true, encoding: .utf8)
    }
    return home
  }

  /// What the service answers, request by request, and what a replacement makes of that.
  @Test(
    "A replacement that breaks off",
    arguments: [
      // Neither the new score nor the old one can be sent.
      ([known, deleted], 5, "; the old score 264 is deleted and cannot be restored: 'POST /scores'"),
      ([known, deleted], 5, "add it again with: printf '%s\\n' '\(old)' | hw wordle add -"),
      (
        [known, "> DELETE /scores/264\n\n\(lost)", taken, "> GET /scores/264\n\n< 200\n\n\(old)\n"], 5,
        "the answer was lost; the old score 264 is still there"
      ),
      (
        [
          known, deleted, "> POST /scores\n>\n> \(new)\n\n\(lost)", taken,
          "> GET /scores/264\n\n< 200\n\n\(new)\n",
        ], 0, ""
      ),
    ] as [([String], Int32, String)])
  func replacement(exchanges: [String], status: Int32, message: String) throws {
    let home = try WordleScores.home(with: exchanges)
    let add = "hw wordle add --id 264 --date 2022-03-10 --word at --tries at --replace --replay r --json"
    let replaced = try shell(add, in: home)
    #expect(replaced.status == status, "\(replaced.errors)")
    #expect(replaced.output.isEmpty == (status != 0))
    guard status != 0 else {
      #expect(replaced.errors == "")
      return
    }
    let report = try JSONSerialization.jsonObject(with: Data(replaced.errors.utf8)) as? [String: Any]
    let error = try #require(report?["error"] as? [String: Any])
    #expect("\(error["message"] ?? "") \(error["hint"] ?? "")".contains(message), "\(error)")
    #expect(error["lost"] as? String == (exchanges.count == 2 ? WordleScores.old : nil))
  }

  @Test(
    "A change whose response is lost may have been made",
    arguments: [
      (
        "add --id 265 --date 2022-03-10 --word at --tries at --force",
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

  @Test func forceSendsWhatTheServiceTakes() throws {
    let add = "hw wordle add --id 1 --date 2021-06-20 --word At --force -q --tries"
    let ending = try shell(
      "\(add) TO,at,so >/dev/null && hw wordle score 1", environment: WordleScores.durable)
    #expect(ending.output == "Wordle 1 X/6\n2021-06-20\n\n🟨⬛\n🟩🟩\n⬛⬛\n")
    let refused = try shell("\(add) TOAST,at", environment: WordleScores.durable)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("'TOAST' has 5 letters, the word 'At' has 2 letters"))
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
