import Foundation
import TestSupport
import Testing

/// A group of friends: bad scores, chats, rankings, share texts that can be read back.
@Suite(.ownThread) struct WordleGroup {
  private static let durable: [String: String?] = ["HW_URL": nil]

  private static func hw(_ line: String, in home: Home) throws -> Ending {
    try shell(line, in: home, environment: durable)
  }

  private static let chat = """
    [12/03/22, 12:03] Ann: *Wordle 264 2/6*

    ⬜🟨⬜⬜⬜
    🟩🟩🟩🟩🟩
    [12/03/22, 12:05] Ben: Wordle 264 4/6
    ⬜🟨⬜⬜⬜
    [12/03/22, 12:06] Ben: Wordle 265 3/6*
    Cy — 12:07
    Wordle 265 1/6

    🟩🟩🟩🟩🟩
    """

  @Test func aChatIsImportedForItsSenders() throws {
    let home = try Home()
    try WordleGroup.chat.write(toFile: "\(home.path)/chat.txt", atomically: true, encoding: .utf8)
    func hw(_ words: String) throws -> Ending { try WordleGroup.hw("hw wordle \(words)", in: home) }
    for words in ["import chat.txt --dry-run", "import --me ben chat.txt"] {
      let ending = try hw("\(words) --tsv --no-header --fields id,player,hard")
      let ben = words.contains("--me") ? "you" : "Ben"
      #expect(ending.output == "264\tAnn\tfalse\n265\t\(ben)\ttrue\n265\tCy\tfalse\n")
      #expect(ending.status == 2)
      #expect(ending.errors.contains("line 5: Wordle 264 4/6 has 1 row"))
    }
    // A program gets one object, which has the problems.
    let forProgram = try hw("import chat.txt --dry-run --json").errors
    #expect(forProgram.hasPrefix("{\"error\":") && forProgram.count { $0 == "\n" } == 1, "\(forProgram)")
    #expect(forProgram.contains("line 5: Wordle 264 4/6 has 1 row"))
    #expect(try hw("stats --player CY --json --fields played,mean").output.contains("\"mean\":1"))
    #expect(try hw("stats --player you --json --fields played").output.contains("\"played\":4"))
    let ranking = try hw("ranking --tsv --no-header --fields rank,name,mean,hard")
    #expect(ranking.output == "1\tCy\t1\t0\n2\tAnn\t2\t0\n3\tyou\t3.5\t1\n")
    let csv = try hw("compare --csv --fields id,best").output
    #expect(csv == "id,best\r\n265,\"[\"\"Cy\"\"]\"\r\n264,\"[\"\"Ann\"\"]\"\r\n", "\(csv)")
    #expect(try hw("compare --since 6d --json --fields games").output.contains("[]"))
    let unknown = try hw("import --me Zed chat.txt")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("senders: 'Ann', 'Ben', 'Cy'"))
    let warning = "'Ben' is another player since an earlier import; 'hw wordle delete --player Ben' deletes"
    _ = try hw("import chat.txt")
    #expect(try hw("import --me ben chat.txt").errors.contains(warning))
    _ = try hw("delete --player Ben --yes")
    #expect(try !hw("import --me ben chat.txt").errors.contains(warning))
    let twice = try shell(
      "printf 'Wordle 1 1/6\\nWordle 1 2/6\\n' | hw wordle import --player Ann --tsv --no-header --fields id,result",
      in: home, environment: WordleGroup.durable)
    #expect(twice.status == 2)
    #expect(twice.output == "1\t1/6\n")
    #expect(twice.errors.contains("line 2: Wordle 1 stands there as 1/6 and as 2/6"))
  }

  @Test func shareTextsCanBeReadBack() throws {
    let home = try Home()
    func hw(_ words: String) throws -> Ending { try WordleGroup.hw("hw wordle \(words)", in: home) }
    _ = try hw("add --id 901 --date 2023-12-07 --word sweet --tries corgi,sweet --hard")
    #expect(try hw("share latest").output.hasPrefix("Wordle 901 2/6*\n"))
    #expect(try hw("score latest --json --fields id,hard").output == "{\"id\":901,\"hard\":true}\n")
    #expect(try hw("share 264 --hard").output.hasPrefix("Wordle 264 3/6*\n"))
    let read = try hw("share 901 | hw wordle import --tsv --no-header --fields id,result,hard")
    #expect(read.output == "901\t2/6\ttrue\n")
  }
}
