import Foundation
import TestSupport
import Testing

/// A group of friends: bad scores, chats, rankings, share texts that can be read back.
@Suite struct WordleGroup {
  private static let durable: [String: String?] = ["HW_URL": nil]

  private static func hw(_ line: String, in home: Home) throws -> Ending {
    try shell(line, in: home, environment: durable)
  }

  /// A service that checks nothing, with one good score and three bad ones.
  private func uncheckedService() throws -> LoopbackServer {
    try LoopbackServer { request in
      if request.method == "DELETE" { return .response() }
      let scores = [
        #"{"id":7,"date":"2022-13-08","word":"at","tries":["at"]}"#,
        #"{"id":8,"date":"2022-03-09","word":"at","tries":["at"]}"#,
        #"{"id":-3,"date":"2022-03-10","word":null,"tries":["at"]}"#, #"{"date":"2022-03-10"}"#,
      ]
      return .response(
        headers: ["Content-Type: application/json"], body: "{\"scores\":[\(scores.joined(separator: ","))]}")
    }
  }

  @Test func oneBadScoreDoesNotBlockAnAccount() throws {
    let server = try uncheckedService()
    let home = try Home()
    func hw(_ words: String) throws -> Ending {
      try shell("hw wordle \(words)", in: home, environment: ["HW_URL": server.url])
    }
    let list = try hw("scores --tsv --no-header --fields id")
    #expect(list.output == "8\n")
    #expect(list.status == 6)
    #expect(list.errors.contains("3 invalid scores: 7 (line 1, column 27, at scores[0].date: expected a day"))
    #expect(list.errors.contains("'hw wordle delete -- 7 -3' deletes those with an id"))
    let json = try hw("scores --json --fields id")
    #expect(json.output == "[{\"id\":8}]\n" || json.output == "[\n  {\"id\":8}\n]\n", "\(json.output)")
    #expect(json.errors.contains(#""invalid":["7","-3"]"#))
    for words in ["stats", "compare --all", "ranking", "scores --list"] {
      let ending = try hw(words)
      #expect(ending.status == 6, "\(words)")
      #expect(!ending.output.isEmpty, "\(words)")
    }
    let deleted = try hw("delete --yes -- 7 -3 8")
    #expect(deleted.status == 0, "\(deleted.errors)")
    #expect(deleted.errors.contains("deleted the invalid score 7"))
    #expect(
      server.requests.filter { $0.method == "DELETE" }.map(\.target) == [
        "/scores/-3", "/scores/7", "/scores/8",
      ])
  }

  @Test func theServerRefusesWhatNoScoreCanBe() throws {
    let bodies = [
      #"{\"id\":1,\"date\":\"2022-13-08\",\"word\":\"sweet\",\"tries\":[\"corgi\"]}"#,
      #"{\"id\":1,\"date\":\"2022-03-08\",\"word\":\"sweet\",\"tries\":[\"cor\"]}"#,
      #"{\"id\":-1,\"date\":\"2022-03-08\",\"word\":\"sweet\",\"tries\":[\"corgi\"]}"#,
      #"{\"id\":1,\"date\":\"2022-03-08\",\"word\":\"sweet\",\"tries\":[]}"#,
    ]
    let calls = bodies.map {
      "curl -s -o /dev/null -w \"%{http_code} \" -H Content-Type:application/json -X POST $HW_URL/scores -d \"\($0)\""
    }
    let ending = try shell("hw serve -- sh -c '\(calls.joined(separator: "; "))'")
    #expect(ending.output == "400 400 400 400 ")
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
    #expect(try hw("stats --player CY --json --fields played,meanTries").output.contains("\"meanTries\":1"))
    #expect(try hw("stats --player you --json --fields played").output.contains("\"played\":4"))
    let ranking = try hw("ranking --tsv --no-header --fields rank,name,mean,hard")
    #expect(ranking.output == "1\tCy\t1\t0\n2\tAnn\t2\t0\n3\tyou\t3.5\t1\n")
    let csv = try hw("compare --csv --fields id,best").output
    #expect(csv == "id,best\r\n265,\"[\"\"Cy\"\"]\"\r\n264,\"[\"\"Ann\"\"]\"\r\n", "\(csv)")
    #expect(try hw("compare --week --json --fields games").output.contains("[]"))
    let unknown = try hw("import --me Zed chat.txt")
    #expect(unknown.status == 2)
    #expect(unknown.errors.contains("senders: 'Ann', 'Ben', 'Cy'"))
    let warning = "'Ben' is another player since an earlier import; 'hw wordle import --forget Ben' deletes"
    _ = try hw("import chat.txt")
    #expect(try hw("import --me ben chat.txt").errors.contains(warning))
    _ = try hw("import --forget Ben --yes")
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
    _ = try hw("add --id 900 --date 2023-12-06 --word sweet --tries corgi,pause")
    let refused = try hw("share 900")
    #expect(refused.status == 2)
    #expect(refused.output == "")
    #expect(refused.errors.contains("Wordle 900 is not finished"))
    #expect(try hw("share latest --force").output.hasPrefix("Wordle 900 X/6\n"))
    _ = try hw("add --id 901 --date 2023-12-07 --word sweet --tries corgi,sweet --hard")
    #expect(try hw("share latest").output.hasPrefix("Wordle 901 2/6*\n"))
    #expect(try hw("score latest --json --fields id,hard").output == "{\"id\":901,\"hard\":true}\n")
    #expect(try hw("share 264 --hard").output.hasPrefix("Wordle 264 3/6*\n"))
    let read = try hw("share 901 | hw wordle import --tsv --no-header --fields id,result,hard")
    #expect(read.output == "901\t2/6\ttrue\n")
  }

  @Test func aTokenGoesToTheServiceItIsFor() throws {
    let service = try LoopbackServer { request in
      .response(
        body: request.field("X-Authorization") == "beas"
          ? #"[{"id":264,"date":"2022-03-10","word":"at","tries":["at"]}]"# : "[]")
    }
    let home = try Home()
    let ending = try shell(
      """
      echo beas >t; chmod 600 t
      hw wordle compare --with Bea=\(service.url) --with-token-file bea=t --with Cy=\(service.url) --json \
        --fields players | jq -c '[.players[] | [.name, .played]]'
      """, in: home, environment: WordleGroup.durable)
    #expect(ending.output == "[[\"you\",1],[\"Bea\",1],[\"Cy\",0]]\n", "\(ending)")
  }

  /// A message of a chat can begin with a bracket, as JSON can.
  @Test func aChatIsNoJSON() throws {
    let ending = try shell(
      """
      printf '[12/03/22, 12:03] Eve: Wordle 264 3/6\n' >chat; echo ' [ ]' >none
      hw wordle compare --with Eve=chat --with Cy=none --all --json --fields players | jq -c '[.players[].played]'
      """, in: Home(), environment: WordleGroup.durable)
    #expect(ending.output == "[3,1,0]\n", "\(ending)")
  }

  @Test func pairsWithBadLines() throws {
    let line = "printf 'mommy nymph\\n\\noops\\na a\\n' | hw wordle tiles --keep-going --style letters"
    let ending = try shell(line)
    #expect(ending.output == "bbgby\ng\n")
    #expect(ending.status == 2)
    #expect(ending.errors.contains("line 3: expected a guess and a word, found 1 word"))
    #expect(ending.errors.contains("1 line is not a pair of words"))
    // As JSON, each failure is an object, and the last one says what to do.
    let json = try shell(line.replacingOccurrences(of: "--style letters", with: "--json"))
    let failures = json.errors.split(separator: "\n")
    #expect(failures.count == 2 && failures.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(json)")
    #expect(failures[0].contains(#""hint":null"#) && !failures[1].contains(#""hint":null"#), "\(json)")
    let nul = try shell("printf 'mommy nymph\\0a a\\0' | hw wordle tiles -0 --style letters | tr '\\0' '|'")
    #expect(nul.output == "bbgby|g|")
  }

  @Test func aHundredThousandScoresAreOneTransaction() throws {
    let home = try Home()
    let scores = (0..<100_000).map {
      #"{"id":\#($0 + 1000),"date":"2022-03-11","word":"at","tries":["so","at"]}"#
    }
    try scores.joined(separator: "\n").write(
      toFile: "\(home.path)/scores", atomically: true, encoding: .utf8)
    // A conflict with the last of them adds none.
    _ = try WordleGroup.hw("hw wordle add --id 100999 --date 2022-03-11 --word at --tries at -q", in: home)
    #expect(try WordleGroup.hw("hw wordle add scores -q", in: home).status == 4)
    let added = try WordleGroup.hw("hw wordle add scores --replace --jsonl --fields id | wc -l", in: home)
    #expect(added.output.trimmingCharacters(in: .whitespacesAndNewlines) == "100000")
    let stats = try WordleGroup.hw("hw wordle stats --json --fields played", in: home)
    #expect(stats.output.contains("100003"))
  }
}
