import JSON
import Store
import System
import TestSupport
import Testing

@testable import Wordle

/// What is sent to a service that checks nothing, and what becomes of it.
@Suite struct ChangesOfScores {
  /// It has a valid score, and one of which only the number can be read.
  private static let list = [game(8, "at", "at").json, #"{"id":7,"date":"never"}"#]
  private let service = ScriptedScores(ChangesOfScores.list)

  private static let new = "--id 7 --date 2021-06-26 --word at --tries at"

  @Test func anInvalidScoreIsInTheWay() {
    let ran = Ran("add \(Self.new)", service: service)
    #expect(ran.status == 4 && ran.output == "")
    #expect(ran.errors == "hw: score 7 already exists\n    use '--replace' to replace it\n")
    #expect(service.requests == ["GET /scores"])
  }

  @Test func allThatAreInTheWayAreNamed() {
    let input = [7, 9, 8].map { game($0, "at", "at").json }.joined(separator: "\n")
    let ran = Ran("add -", service: service, input: input)
    #expect(ran.status == 4 && ran.output == "")
    #expect(ran.errors == "hw: scores 7, 8 already exist\n    use '--replace' to replace them\n")
    #expect(service.requests == ["GET /scores"])
  }

  @Test func anInvalidScoreIsDeletedBeforeItIsReplaced() {
    let ran = Ran("add \(Self.new) --replace --tsv --no-header --fields id,result", service: service)
    #expect(ran.status == 0 && ran.output == "7\t1/6\n" && ran.errors == "")
    #expect(service.requests == ["GET /scores", "DELETE /scores/7", "POST /scores"])
  }

  // MARK: A score is replaced

  private static let old = game(8, "at", "at")
  private static let replacement =
    "add --id 8 --date 2021-06-27 --word at --tries to,at --replace --tsv --no-header --fields id,result"

  @Test func theOldScoreIsDeletedBeforeTheNewOneIsAdded() {
    let ran = Ran(Self.replacement, service: service)
    #expect(ran.status == 0 && ran.output == "8\t2/6\n" && ran.errors == "")
    #expect(service.requests == ["GET /scores", "DELETE /scores/8", "POST /scores"])
  }

  /// The old score is added again. If that is refused, it may be there all the same.
  @Test(
    arguments: [
      (200, nil, "the old score 8 was restored"), (409, old, "the old score 8 is still there"),
    ] as [(Int, Score?, String)])
  func aNewScoreThatIsRefused(restored: Int, found: Score?, finding: String) {
    let service = ScriptedScores(
      Self.list, statuses: ["POST /scores": 409], repeated: ["POST /scores": restored],
      bodies: ["GET /scores/8": found?.json ?? ""])
    let ran = Ran(Self.replacement, service: service)
    #expect(ran.status == 4 && ran.output == "")
    #expect(
      ran.errors
        == "hw: 'POST demo:/scores' returned 409; \(finding)\n    look at what is there, then decide\n")
    let requests = ["GET /scores", "DELETE /scores/8", "POST /scores", "POST /scores"]
    #expect(service.requests == requests + (found == nil ? [] : ["GET /scores/8"]))
  }

  /// Only the response was lost.
  @Test func aNewScoreThatIsThereAllTheSame() {
    let service = ScriptedScores(
      Self.list, statuses: ["POST /scores": 409],
      bodies: ["GET /scores/8": game(8, "at", "to", "at").json])
    let ran = Ran(Self.replacement, service: service)
    #expect(ran.status == 0 && ran.output == "8\t2/6\n" && ran.errors == "")
  }

  @Test func anOldScoreThatIsLostIsInTheHint() throws {
    let service = ScriptedScores(Self.list, statuses: ["POST /scores": 409, "GET /scores/8": 404])
    let ran = Ran(Self.replacement, service: service)
    #expect(ran.status == 4 && ran.output == "")
    #expect(
      ran.errors
        == "hw: 'POST demo:/scores' returned 409; the old score 8 is deleted and cannot be restored: "
        + "'POST demo:/scores' returned 409\n"
        + "    add it again with: printf '%s\\n' '\(Self.old.json)' | hw wordle add -\n")
    let error = try JSON.parse(
      Ran(
        Self.replacement.replacing("--tsv --no-header --fields id,result", with: "--json"), service: service
      ).errors)["error"]
    #expect(try error["lost"].string == Self.old.json)
  }

  // MARK: Scores are deleted

  @Test func whatADeletionWouldSend() {
    let ran = Ran("delete 7 8 --yes --explain", url: "http://127.0.0.1:7400")
    #expect(
      ran.lines == [
        "curl http://127.0.0.1:7400/scores", "curl -X DELETE http://127.0.0.1:7400/scores/7",
        "curl -X DELETE http://127.0.0.1:7400/scores/8",
      ])
    #expect(ran.status == 0 && ran.errors == "")
  }

  @Test func aDryRunDeletesNoInvalidScore() {
    let ran = Ran("delete 7 8 --yes --dry-run --tsv --no-header --fields id", service: service)
    #expect(ran.status == 0 && ran.output == "8\n")
    #expect(ran.errors == "hw: would delete the invalid score 7\n")
    #expect(service.requests == ["GET /scores"])
  }

  @Test func invalidScoresAreDeletedFirst() {
    let ran = Ran("delete 8 7 --yes --tsv --no-header --fields id", service: service)
    #expect(ran.status == 0 && ran.output == "8\n")
    #expect(ran.errors == "hw: deleted the invalid score 7\n")
    #expect(service.requests == ["GET /scores", "DELETE /scores/7", "DELETE /scores/8"])
  }

  /// It was deleted by an attempt whose response was lost.
  @Test func aScoreThatIsGone() {
    let service = ScriptedScores([Self.list[0]], statuses: ["DELETE /scores/8": 404], laterLists: [[]])
    let ran = Ran("delete 8 --yes --tsv --no-header --fields id", service: service)
    #expect(ran.status == 0 && ran.output == "8\n" && ran.errors == "")
    #expect(service.requests == ["GET /scores", "DELETE /scores/8", "GET /scores"])
  }

  /// A service without a route to delete one.
  @Test func aScoreThatStays() {
    let ran = Ran("delete 8 --yes", service: ScriptedScores(Self.list, statuses: ["DELETE /scores/8": 404]))
    #expect(ran.status == 3 && ran.output == "")
  }

  /// The service has answered: nothing is left to find out.
  @Test(
    arguments: [
      ("add --id 9 --date 2021-06-28 --word at --tries at", "POST", "/scores"),
      ("delete 8 --yes", "DELETE", "/scores/8"), ("delete 7 --yes", "DELETE", "/scores/7"),
      ("reset --yes", "DELETE", "/scores"),
    ])
  func aChangeThatIsRefused(line: String, method: String, path: String) {
    let service = ScriptedScores(Self.list, statuses: ["\(method) \(path)": 409])
    let ran = Ran(line, service: service)
    #expect(ran.status == 4 && ran.output == "")
    #expect(
      ran.errors
        == "hw: '\(method) demo:\(path)' returned 409\n    look at what is there, then decide\n")
    #expect(service.requests.last == "\(method) \(path)")
  }

  @Test func refusedSecondDeleteLeavesTheFirstPrinted() {
    let service = ScriptedScores(
      Self.list + [game(6, "at", "at").json], statuses: ["DELETE /scores/6": 500])
    let ran = Ran("delete 8 6 --yes --retries 0 --tsv --no-header --fields id", service: service)
    #expect(ran.status == 5 && ran.output == "8\n")
    #expect(ran.errors.contains("(1 of 2 deleted)"), "\(ran.errors)")
  }

  /// The last words of a program that is asked to stop.
  @Test(
    arguments: [
      ("add --id 9 --date 2021-06-28 --word at --tries at", "POST /scores", "score 9", "added", ""),
      ("delete 8 --yes", "DELETE /scores/8", "score 8", "deleted", ""),
      ("delete 7 --yes", "DELETE /scores/7", "score 7", "deleted", ""),
      ("delete 8 6 --yes", "DELETE /scores/6", "score 6", "deleted", " (1 of 2 deleted)"),
    ])
  func aChangeThatIsInterrupted(line: String, request: String, score: String, done: String, count: String) {
    let service = ScriptedScores(Self.list + [game(6, "at", "at").json], stop: request)
    let ran = Ran("\(line) --tsv --no-header --fields id", service: service)
    #expect(ran.status == 130 && ran.output == (count.isEmpty ? "" : "8\n"))
    #expect(
      ran.errors
        == "hw: \(score) may have been \(done): stopped\(count); 'hw wordle \(score)' shows whether it was\n")
    #expect(service.requests.last == request)
  }

  @Test func aResetThatIsInterrupted() {
    let service = ScriptedScores(Self.list, stop: "DELETE /scores")
    let ran = Ran("reset --yes", service: service)
    #expect(ran.status == 130 && ran.output == "")
    #expect(
      ran.errors
        == "hw: the account may have been reset: stopped; 'hw wordle scores' shows whether it was\n")
  }

  /// To a program it is an error like any other.
  @Test(arguments: ["--json", "--jsonl"]) func anInterruptionAsJSON(format: String) {
    let ran = Ran("reset --yes \(format)", service: ScriptedScores(Self.list, stop: "DELETE /scores"))
    #expect(ran.status == 130 && ran.output == "")
    let message = "the account may have been reset: stopped"
    let hint = "'hw wordle scores' shows whether it was"
    #expect(
      ran.errors
        == #"{"error":{"kind":"interrupted","exitCode":130,"message":"\#(message)","hint":"\#(hint)","retryable":false}}"#
        + "\n")
  }

  @Test func whatAResetWouldDelete() {
    let service = ScriptedScores(
      [game(300, "at", "at").json] + Score.initial.map(\.json) + [game(8, "at", "at").json])
    let ran = Ran("reset --dry-run --tsv --no-header --fields id", service: service)
    #expect(ran.status == 0 && ran.output == "300\n8\n" && ran.errors == "")
    #expect(service.requests == ["GET /scores"])
  }

  @Test func aResetReportsWhatIsInvalid() {
    for (option, requests) in [
      ("--dry-run", ["GET /scores"]), ("--yes", ["DELETE /scores", "GET /scores"]),
    ] {
      let service = ScriptedScores(Self.list)
      let ran = Ran("reset \(option) --tsv --no-header --fields id", service: service)
      #expect(ran.status == 6 && ran.output == "8\n" && service.requests == requests)
      #expect(ran.errors.hasPrefix("hw: the service sent an invalid score: 7 (line 1, column 73, at "))
      #expect(ran.errors.hasSuffix("\n    'hw wordle delete 7' deletes it\n"))
    }
  }

  /// Digits, and for what is to be deleted a sign.
  @Test(
    arguments: [
      ("score +8", "a whole number, 0 or more, or 'latest', not '+8'"),
      ("score 8.0", "a whole number, 0 or more, or 'latest', not '8.0'"),
      ("share Latest", "a whole number, 0 or more, or 'latest', not 'Latest'"),
      ("delete 8 +8", "a whole number, not '+8'"), ("delete 8-", "a whole number, not '8-'"),
      ("delete -- --8", "a whole number, not '--8'"),
    ])
  func noNumberOfAScore(line: String, expected: String) {
    let ran = Ran(line, service: service)
    #expect(ran.status == 2 && service.requests.isEmpty)
    #expect(ran.errors.hasPrefix("hw: 'ID' requires \(expected)\n"), "\(ran.errors)")
  }

  // MARK: What is to be added

  @Test(
    arguments: [
      ("add scores.json --hard", "FILE and '--hard' exclude each other | remove one of them"),
      ("add scores.json --word at", "FILE and '--word' exclude each other | remove one of them"),
      (
        "add --hard",
        "missing --id, --date, --word, --tries | or add scores as JSON: 'hw wordle add FILE', or 'hw wordle add -'"
      ),
      (
        "add --id 1 --word at",
        "missing --date, --tries | or add scores as JSON: 'hw wordle add FILE', or 'hw wordle add -'"
      ),
    ])
  func incomplete(line: String, complaint: String) {
    let ran = Ran(line, service: service)
    #expect(ran.status == 2 && ran.complaint == "hw: \(complaint)")
    #expect(service.requests.isEmpty)
  }

  /// The bad score is the first, one in the middle and the last: none of the three is sent.
  @Test(arguments: 0..<3) func everyScoreIsCheckedBeforeTheFirstIsSent(place: Int) {
    let input = (0..<3).map { game($0, "at", $0 == place ? "eat" : "at").json }.joined(separator: "\n")
    let ran = Ran("add -", service: service, input: input)
    #expect(ran.status == 2 && ran.output == "" && service.requests.isEmpty)
    #expect(ran.errors.hasPrefix("hw: score \(place): 'eat' has 3 letters"), "\(ran.errors)")
  }

  @Test func aScoreThatAppearsTwice() {
    let input = [9, 10, 9].map { game($0, "at", "at").json }.joined(separator: "\n")
    let ran = Ran("add -", service: service, input: input)
    #expect(ran.status == 2 && service.requests.isEmpty)
    #expect(ran.errors == "hw: score 9 appears twice\n    remove one of them\n")
  }

  @Test(arguments: [",at", "at,", "to,,at"]) func aGuessThatIsEmpty(tries: String) {
    let ran = Ran("add --id 9 --date 2021-06-28 --word at --tries \(tries)", service: service)
    #expect(ran.status == 2 && service.requests.isEmpty)
    #expect(ran.errors.hasPrefix("hw: '--tries' requires words separated by commas"), "\(ran.errors)")
  }

  /// Nobody types JSON.
  @Test func atATerminalNothingIsRead() {
    let ran = Ran("add", service: service, input: game(9, "at", "at").json, terminal: [.input])
    #expect(ran.status == 2)
    #expect(ran.complaint.hasPrefix("hw: missing --id, --date, --word, --tries | "))
  }

  @Test func scoresAsAServiceSendsThem() throws {
    let scores = (1...3).map { game($0, "at", "at") }
    let text = "{\"scores\":[\(scores[0].json),\(scores[1].json)]}\n\(scores[2].json)"
    #expect(try ScoreFile.scores(in: MemorySource(text.utf8)) == scores)
    #expect(try ScoreFile.scores(in: MemorySource(#"{"scores":[]}"#.utf8)).isEmpty)
    let failure = #expect(throws: Failure.self) {
      try ScoreFile.scores(in: MemorySource(#"{"scores":[5]}"#.utf8))
    }
    #expect(failure?.kind == .usage)
  }
}

/// The account in the home directory.
@Suite(.needs(.libsqlite3)) struct LocalAccounts {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func ran(_ line: String, token: String? = nil, input: String = "") -> Ran {
    Ran(line, url: "embedded:", token: token, home: home, input: input)
  }

  private func ids(token: String? = nil) -> [String] {
    ran("scores --tsv --no-header --fields id", token: token).lines
  }

  private static let add = "add --id 9 --date 2021-06-28 --word at --tries at --tsv --no-header --fields id"

  @Test func eachTokenHasItsOwn() {
    #expect(ran(Self.add, token: "a").output == "9\n")
    #expect(ids(token: "a") == ["264", "263", "262", "9"])
    #expect(ids(token: "b") == ["264", "263", "262"] && ids() == ["264", "263", "262"])
  }

  @Test func requestsThatAreToBeSeenAreSent() throws {
    let loud = ran("\(Self.add) -v")
    #expect(loud.output == "9\n")
    #expect(loud.errors.contains("hw: POST ") && loud.errors.contains(" → 201, "), "\(loud.errors)")
    #expect(ids() == ["264", "263", "262", "9"])
    #expect(ran("delete 9 -q").status == 0)
    let recorded = ran("\(Self.add) --record \(home.file("r"))")
    #expect(recorded.output == "9\n" && recorded.errors == "")
    let exchanges = home.names("r").filter { $0.hasSuffix(".exchange") }.map { home.text("r/\($0)") }
    #expect(exchanges.count == 2 && exchanges.last?.contains("> POST /scores\n") == true)
    let elsewhere = try ScratchDirectory()
    let replayed = Ran("\(Self.add) --replay \(home.file("r"))", url: "embedded:", home: elsewhere)
    #expect(replayed.output == "9\n" && replayed.errors == "")
    #expect(elsewhere.databases == [])
  }

  @Test func whatIsExplainedIsNotDone() {
    #expect(ran("\(Self.add) --explain").status == 0)
    #expect(home.databases == [])
    #expect(ran("import --player Ann", input: "Wordle 281 2/6\n").status == 0)
    let explained = ran("delete --player Ann --yes --explain")
    #expect(explained.status == 0 && explained.output == "")
    #expect(ran("delete --player Ann --yes").status == 0)
  }

  @Test func dayOfANewScoreMayBeRelative() {
    let add = "add --id 925 --date yesterday --word at --tries at --tsv --no-header --fields date"
    #expect(ran(add).output == "2023-12-31\n")
  }

  @Test func youAreNoOtherPlayer() {
    for _ in 0...1 {
      let ran = ran("import --me You --tsv --no-header --fields id,player", input: "Wordle 281 2/6\n")
      #expect(ran.status == 0 && ran.output == "281\tyou\n" && ran.errors == "")
    }
  }

  @Test func deletedGamesOfAPlayerArePrinted() {
    #expect(ran("import --player Bob", input: "Wordle 281 2/6\nWordle 280 X/6*\n").status == 0)
    let fields = "--tsv --no-header --fields id,result,hard,player"
    let games = "280\tX/6\ttrue\tBob\n281\t2/6\tfalse\tBob\n"
    for option in ["--dry-run", "--yes"] {
      let deleted = ran("delete --player bob \(option) \(fields)")
      #expect(deleted.status == 0 && deleted.output == games && deleted.errors == "")
    }
    #expect(ran("delete --player bob --yes").status == 3)
  }

  /// An imported game has no words: it cannot become a score.
  @Test func deletedGameOfAPlayerIsNoScore() {
    #expect(ran("import --player Bob", input: "Wordle 281 2/6\n").status == 0)
    let deleted = ran("delete --player Bob --yes --json").output
    #expect(deleted.contains(#""id":281,"date":null,"word":null,"tries":null,"result":"2/6""#), "\(deleted)")
    #expect(ran("add -", input: deleted).status == 2)
  }

  @Test func anEarlierImportOfMyOwnNameIsReported() {
    let share = "Wordle 281 2/6\n"
    #expect(ran("import --player Bob", input: share).status == 0)
    let mine = "import --me BOB --tsv --no-header --fields id,player"
    let first = ran(mine, input: share)
    #expect(first.status == 0 && first.output == "281\tyou\n")
    #expect(
      first.errors
        == "hw: 'Bob' is another player since an earlier import; "
        + "'hw wordle delete --player Bob' deletes those games\n")
    #expect(ran("delete --player bob --yes").status == 0)
    let second = ran(mine, input: share)
    #expect(second.output == "281\tyou\n" && second.errors == "")
  }

  @Test func withoutAPlayerNothingIsKept() {
    let share = "Wordle 281 2/6\n"
    let printed = ran("import --tsv --no-header --fields id,player", input: share)
    #expect(printed.output == "281\t\n" && printed.errors == "" && home.databases == [])
    #expect(ran("import --player Ann", input: share).status == 0)
    #expect(home.databases == ["wordle-players.db"])
    let games = "delete --player Ann --dry-run --tsv --no-header --fields id"
    #expect(ran(games).lines == ["281"])
    #expect(ran("import --player Ann", input: "Wordle 282 2/6\n").status == 0)
    #expect(ran(games).lines == ["281", "282"])
  }
}
