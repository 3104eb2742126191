import Foundation
import System
import TestSupport
import Testing

@testable import Wordle

/// Exports as the programs write them, in `recorded/chats`: 44 messages and more in each, counted by hand. They contain
/// clones, quotes, mentions, edits, code fences, spoiler bars, repetitions and contradictions, and senders whose names
/// resemble results, headers and titles. `{U+200E}` and `{CR}` are those characters.
struct ChatExpectation: Sendable, CustomStringConvertible {
  let file: String
  /// What differs from the games that all files contain: `bob 285:3`.
  var extra: [String] = []
  var bob = "bob"
  var quoted = 1
  var mentioned = 1
  var undated = 0
  var unnamed = 0

  var description: String { file }

  static let all = [
    ChatExpectation(file: "discord-copied.txt", extra: summary, mentioned: 2, undated: 1),
    ChatExpectation(
      file: "discord.json",
      extra: summary.map { $0.replacing("bob ", with: "bob (103) ") } + ["bob (bob_the_second) 281:6"],
      bob: "bob (103)", unnamed: 1),
    ChatExpectation(file: "discord.csv", extra: summary),
    ChatExpectation(file: "discord-exported.txt", extra: summary),
    ChatExpectation(file: "slack.json"), ChatExpectation(file: "slack-copied.txt"),
    ChatExpectation(file: "telegram.json", extra: ["user300 285:3"], quoted: 2),
    ChatExpectation(file: "telegram-copied.txt", quoted: 2),
    ChatExpectation(file: "whatsapp-ios.txt", bob: "Bob"),
    ChatExpectation(file: "whatsapp-danish.txt", bob: "Bob"),
    ChatExpectation(file: "whatsapp-finnish-ios.txt", bob: "Bob"),
    ChatExpectation(file: "whatsapp-chinese.txt", bob: "Bob"), ChatExpectation(file: "signal.txt"),
  ]

  /// Of the daily summary of Discord's Wordle app.
  private static let summary = ["bob 285:3", "🐝 285:3", "Ann [X] 285:4", "Tom/Eva 285:X"]

  private static let games = [
    "Ann [X]": "281:4 282:3 283:4 1281:X", "Tom/Eva": "281:3 282:4 283:2 284:1 1281:3",
    "bob": "281:5 282:4 283:3* 284:4", "🐝": "281:X 282:4 283:5 284:3 1000:4",
    "Ann 4/6": "281:6 282:5 283:4 1281:4*", "Ann | she/her": "281:2 282:X 283:6",
  ]

  /// Each game as `bob 283:3*`.
  func games(until last: Int) -> Set<String> {
    var games = Set(extra)
    for (name, results) in ChatExpectation.games {
      for result in results.split(separator: " ") where Int(result.prefix { $0 != ":" }) ?? 0 <= last {
        games.insert("\(name == "bob" ? bob : name) \(result)")
      }
    }
    return games
  }

  var text: String {
    RecordedText.text("chats/\(file)").replacing("{U+200E}", with: "\u{200E}")
      .replacing("{U+202F}", with: "\u{202F}").replacing("{CR}", with: "\r")
  }
}

@Suite struct ChatFormats {
  @Test(arguments: ChatExpectation.all)
  func gamesOfAnExportAreThoseCountedByHand(_ expected: ChatExpectation) throws {
    let reading = try ChatFile.read(MemorySource(expected.text.utf8), today: 1320)
    let read = Import(reading.shares, broken: reading.broken)
    let games = read.games.map { game in
      "\(game.player ?? "?") \(game.game.id):\(game.game.result.mark)\(game.game.isHard ? "*" : "")"
    }
    #expect(games.count == Set(games).count)
    let wanted = expected.games(until: 1320)
    #expect(Set(games).subtracting(wanted) == [], "found, but not expected")
    #expect(wanted.subtracting(games) == [], "expected, but not found")
    #expect(read.repeated == 1)
    #expect(read.problems.count == 3, "\(read.problems.map(\.text))")
    let skipped = reading.skipped.entries.mapValues(\.count)
    let counts: [SkipReason: Int] = [
      .quoted: expected.quoted, .otherGame: 5, .mentioned: expected.mentioned, .future: 1,
      .undated: expected.undated, .unnamed: expected.unnamed,
    ]
    #expect(skipped == counts.filter { $0.value > 0 }, "\(reading.skipped.lines)")
  }

  /// Import, ranking, statistics and comparison have the same games, and a second import changes nothing. The clock of
  /// the tests is at game 926: later games are refused.
  @Test(.needs(.libsqlite3), arguments: ChatExpectation.all)
  func importRankingStatisticsAndComparisonAgreeWithCount(_ expected: ChatExpectation) throws {
    let home = try ScratchDirectory()
    func run(_ line: String, input: String = "") -> Ran {
      Ran(line, home: home, input: input)
    }
    let games = expected.games(until: 927)
    let imported = run("import - --tsv --no-header --fields player,id,outcome", input: expected.text)
    #expect(imported.status == 2)
    #expect(imported.output.split(separator: "\n").count == games.count)
    #expect(imported.errors.contains("hw: \(games.count) stored, 1 known, 0 replaced, "))
    let again = run("import - --tsv --no-header --fields outcome", input: expected.text)
    #expect(Set(again.output.split(separator: "\n")) == ["known"])
    #expect(again.errors.contains("hw: 0 stored, \(games.count + 1) known, 0 replaced, "))

    var players: [String: [Int: String]] = [:]
    for game in games {
      let parts = game.split(separator: " ")
      let sides = parts[parts.count - 1].replacing("*", with: "").split(separator: ":")
      players[parts.dropLast().joined(separator: " "), default: [:]][Int(sides[0]) ?? 0] = String(sides[1])
    }
    let ranking = run("ranking --tsv --no-header --fields name,played,solved,hard").output.split(by: "\n")
    for (name, results) in players {
      let solved = results.values.count { $0 != "X" }
      let hard = games.count { $0.hasPrefix("\(name) 2") && $0.hasSuffix("*") }
      #expect(ranking.contains("\(name)\t\(results.count)\t\(solved)\t\(hard)"), "\(ranking)")
      let words = ["stats", "--json", "--fields", "played,solved,distribution.X", "--player", name]
      let stats = Ran(words, home: home)
      let lost = results.count - solved
      #expect(
        stats.output
          == "{\"played\":\(results.count),\"solved\":\(solved),\"distribution\":{\"X\":\(lost)}}\n")
    }
    let shared = Set(players.values.flatMap(\.keys)).filter { id in players.values.count { $0[id] != nil } > 1
    }
    let compared = run("compare --tsv --no-header --fields id").output
    #expect(compared.split(separator: "\n").map { Int($0) } == shared.sorted(by: >))
  }

  @Test(
    arguments: [
      // Cut within a message, a row and a character.
      (
        "[12/03/22, 12:03] Ann: Wordle 281 2/6\n⬛⬛⬛⬛⬛\n🟩🟩🟩",
        "1 share text was not imported, 0 read: line 1: Wordle 281 2/6 has rows of different lengths"
      ),
      ("[12/03/22, 12:03] Ann: Wordle 281 2/6\n⬛⬛⬛⬛⬛\n🟩🟩\u{FF}", "the chat is not valid UTF-8"),
      ("\u{FF}\u{FE}W\u{0}o\u{0}", "the chat is in UTF-16"),
      ("\u{FF}\u{FE}\u{0}\u{0}W\u{0}\u{0}\u{0}", "the chat is in UTF-32"),
      ("PK\u{3}\u{4}\u{FF}", "the chat is in a ZIP archive"),
      ("\u{1F}\u{8B}\u{FF}", "the chat is compressed by gzip"),
      ("J\u{FC}rg: Wordle 281 4/6", "the chat is not valid UTF-8"),
      (#"{"guild":{},"messages":[{"author":{"id":"1"},"#, "expected a name in quotes, found the end"),
      (
        #"{"messages":[{"author":{"id":1},"timestamp":"","content":""}]}"#,
        "at messages[0].author.id: expected a string, found a number"
      ),
      (#"{"messages":[]}"#, nil), ("[]", nil),
      (
        #"{"messages":[{"sender_name":"Ann","content":"Wordle 1 2/6"}]}"#,
        "at messages[0]: expected a message of Discord, Slack or Telegram"
      ),
      ("{}", "line 1, column 1, at id: expected an integer, found nothing"),
      (#"[{"ts":"1","text":7,"user":[]}]"#, nil),
      (#"{"messages":[{"date":"x","from_id":"u","text":"Wordle 1 2/6"}]}"#, nil),
      (
        "AuthorID,Author,Date,Content,Attachments,Reactions\n\"1\",\"Ann\",\"2022",
        "line 2: a quote is never closed"
      ),
      (
        "AuthorID,Author,Date,Content,Attachments,Reactions\n\"1\",\"Ann\"",
        "line 2: expected 6 fields, found 2"
      ),
      ("AuthorID,Author,Date,Content,\n\"1\"", "line 2: expected 5 fields, found 1"),
      ("\u{0}\u{1}\u{2}", nil), ("", nil), ("\n\n\n", nil),
    ] as [(String, String?)])
  func damagedInputIsRefusedOrEmpty(text: String, message: String?) {
    // The characters up to U+00FF are the bytes.
    let isBytes = text.unicodeScalars.contains { (0xF0...0xFF).contains($0.value) }
    let bytes =
      isBytes
      ? text.unicodeScalars.flatMap { $0.value < 0x100 ? [UInt8($0.value)] : Array(String($0).utf8) }
      : Array(text.utf8)
    do throws(Failure) {
      let reading = try ChatFile.read(MemorySource(bytes), today: 1320)
      let read = Import(reading.shares, broken: reading.broken)
      #expect(message == nil || read.problems.count == 1, "\(text)")
    } catch {
      #expect(error.kind == .usage && error.message.hasSuffix(message ?? "?"), "\(error.message)")
    }
  }

  /// Names that could redraw a terminal or be taken for another player are stored as they are, and shown safely.
  @Test(.needs(.libsqlite3))
  func hostileNamesAreShownSafely() throws {
    let home = try ScratchDirectory()
    let names = ["\u{1B}[2Jx", "a\u{202E}b", "'; DROP TABLE game; --", "you\u{0}", "=1+2", "a\tb"]
    let chat =
      names.enumerated().map { "[12/03/22, 12:03] \($1): Wordle \($0) 2/6" } + [
        "[12/03/22, 12:04] YOU: Wordle 1 2/6"
      ]
    let imported = Ran("import -", home: home, input: chat.joined(separator: "\n"))
    #expect(imported.errors.contains("the sender is called 'YOU', which is your own name here"))
    let shown = Ran("ranking", home: home)
    for text in [imported.output, imported.errors, shown.output] {
      #expect(
        !text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" || $0 == "\u{0}" }, "\(text)")
    }
    #expect(shown.output.split(separator: "\n").count == names.count)
  }

  /// Who is written first differs between two exports, so both namesakes have another name.
  @Test func namesakesKeepTheirNamesInEveryExport() throws {
    func senders(_ ids: [String]) throws -> [String?] {
      let messages = ids.map {
        #"{"from":"Alex","from_id":"\#($0)","date":"2022-03-27T08:14:00","text":"Wordle 281 2/6"}"#
      }
      let text = #"{"messages":[\#(messages.joined(separator: ","))]}"#
      return try ChatFile.read(MemorySource(text.utf8), today: 1000).shares.map(\.sender)
    }
    #expect(try senders(["user1", "user2"]) == ["Alex (user1)", "Alex (user2)"])
    #expect(try senders(["user2", "user1", "user2"]) == ["Alex (user2)", "Alex (user1)", "Alex (user2)"])
    #expect(try senders(["user2"]) == ["Alex"])
  }
}
