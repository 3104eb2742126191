import Foundation
import Testing

/// The Wordle suite as scripts meet it: the built program, against its own backend in the process and on a port.
@Suite struct WordleScores {
  /// A durable account in the test's home.
  private static let durable: [String: String?] = ["HW_URL": nil]

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  @Test(
    "Bad input: what is wrong, and a status that says which kind",
    arguments: [
      ("hw wordle scores --since 2022-13-99", 2, "'--since' wants a day like 2022-03-08, not '2022-13-99'"),
      ("hw wordle scores --since 2022-04-02 --until 2022-04-01", 2, "'--since 2022-04-02' is after"),
      ("hw wordle scores --solved --failed", 2, "'--solved' and '--failed' leave nothing over"),
      ("hw wordle scores --sort size", 2, "'--sort' wants one of id, date, word, result"),
      ("hw wordle scores -i", 2, "'--interactive' wants a terminal"),
      ("hw wordle score 1", 3, "no score 1"),
      ("hw wordle score x", 2, "'ID' wants a whole number, 0 or more, not 'x'"),
      ("hw wordle share 1", 3, "no score 1"),
      ("hw wordle share 264 --clipboard", 2, "'--clipboard' wants a terminal"),
      ("hw wordle delete", 2, "missing operand ID"),
      ("hw wordle delete 262 1 2", 3, "no score 1, 2"),
      ("hw wordle reset", 2, "'reset' wants '--yes' where nobody can be asked"),
      ("hw wordle add --id 1", 2, "missing --date, --word, --tries"),
      ("hw wordle add", 2, "'-' holds no score"),
      ("hw wordle add --id 1 scores.json", 2, "a score is given by options or by FILE"),
      ("hw wordle add --id 1 --date 2022-02-29 --word at --tries at", 2, "'--date' wants a day"),
      (
        "hw wordle add --id 1 --date 2022-02-28 --word at --tries eat", 2,
        "score 1: 'eat' has 3 letters, the word"
      ),
      ("hw wordle add --id 1 --date 2022-02-28 --word at --tries to,,at", 2, "'--tries' wants words"),
      ("hw wordle add --id 262 --date 2022-03-08 --word at --tries at", 4, "there is a score 262 already"),
      (
        #"echo '{"id":1,"date":"2022-13-99","word":"at","tries":["at"]}' | hw wordle add -"#, 2,
        "line 1, column 16, at date: expected a day"
      ),
      (
        #"echo '{"id":1,"date":"2022-03-09","word":"at"}' | hw wordle add -"#, 2,
        "at tries: expected an array, found nothing"
      ),
      ("echo '[' | hw wordle add -", 2, "line 2, column 1"),
      (
        #"printf '%s' '{"id":1,"date":"2022-03-09","word":"at","tries":["at"]}' '{"id":1,"date":"2022-03-09","word":"at","tries":["at"]}' | hw wordle add -"#,
        2, "score 1 is given twice"
      ),
      (
        #"printf 'Wordle 281 X/6\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n' | hw wordle import"#, 2,
        "line 8: Wordle 281 has more than 6 rows"
      ),
      (
        #"printf 'Wordle 1 1/6\nWordle 1 2/6\n' | hw wordle import --player Ann"#, 2,
        "Wordle 1 stands there as 1/6 and as 2/6"
      ),
      ("hw wordle import --player you", 2, "'--player' wants a name other than 'you'"),
      ("hw wordle import --forget Zoe", 3, "no games of 'Zoe' are kept"),
      ("hw wordle import nowhere.txt", 10, "cannot read 'nowhere.txt'"),
      (
        "hw wordle compare --with Ann", 2,
        "'--with' wants a name other than 'you', '=' and a file or an address"
      ),
      ("hw wordle compare --with Ann=nowhere.txt", 10, "cannot read 'nowhere.txt': no such file"),
    ])
  func badInput(line: String, status: Int32, message: String) throws {
    let ending = try shell(line)
    #expect(ending.status == status, "\(ending.errors)")
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(ending.output == "")
  }

  @Test(
    "A service in trouble",
    arguments: [
      ("401", 7), ("403", 7), ("500", 5), ("503", 5), ("404", 3), ("429", 8), ("garbage", 6),
    ])
  func trouble(fault: String, status: Int32) throws {
    let ending = try shell(
      "hw serve --fault \(fault):1 -- hw wordle scores --retries 0 --no-wait",
      environment: ["HW_WORDLE_TOKEN": "t"])
    #expect(ending.status == status, "\(ending.errors)")
    #expect(ending.output == "")
    #expect(ending.errors.hasPrefix("hw: "))
  }

  @Test(
    "Answers that are not the contract's",
    arguments: [
      (200, "", 6, "expected JSON, got nothing"), (500, "", 5, "was answered 500"),
      (500, #"{"error":"missing id"}"#, 5, #"was answered 500: {"error":"missing id"}"#),
      (200, "<html><title>Oops</title>", 6, "expected JSON, got HTML: Oops"),
      (
        200, #"{"scores":[{"id":1,"date":"2022-13-99","word":"a","tries":[]}]}"#, 6,
        "at scores[0].date: expected a day like"
      ),
      (200, #"{"scores":{}}"#, 6, "at scores: expected an array, found an object"),
      (200, #"{"scores":[]}"#, 0, "no scores"), (200, "[]", 0, "no scores"),
      (200, #"[{"id":7,"date":"2022-03-09","word":"at","tries":["toast"]}]"#, 0, ""),
    ])
  func odd(code: Int, body: String, status: Int32, message: String) throws {
    let home = try Home()
    let folder = "\(home.path)/recorded"
    // A recording of the one request, answered in this way.
    _ = try shell("hw wordle scores --url embedded:\(home.path)/db --record recorded", in: home)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    let file = "\(folder)/\(try #require(files.first { $0.hasSuffix(".exchange") }))"
    let request = try String(contentsOfFile: file, encoding: .utf8).prefix { $0 != "<" }
    try "\(request)< \(code)\n\n\(body)".write(toFile: file, atomically: true, encoding: .utf8)
    let ending = try shell("hw wordle scores --url embedded:\(home.path)/db --replay recorded", in: home)
    #expect(ending.status == status, "\(ending.errors)")
    #expect(message.isEmpty ? ending.errors.isEmpty : ending.errors.contains(message), "\(ending.errors)")
  }

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

  @Test func forceSendsWhatTheServiceTakes() throws {
    let ending = try shell(
      """
      hw wordle add --id 1 --date 2021-06-20 --word At --tries TOAST,at,so --force -q >/dev/null &&
      hw wordle score 1
      """, environment: WordleScores.durable)
    #expect(ending.output == "Wordle 1 X/6\n2021-06-20\n\n🟨⬛🟨⬛⬛\n🟩🟩\n⬛⬛\n")
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

  @Test(
    "Where the account is",
    arguments: [
      ("", "GET embedded:/scores"), ("HW_WORDLE_TOKEN=t", "https://wordle.shareup.fun/scores"),
      ("HW_WORDLE_TOKEN=t HW_WORDLE_URL=http://localhost:1", "http://localhost:1/scores"),
      (
        "HW_URL=https://wordle.shareup.fun", "hw: 'https://wordle.shareup.fun' wants a token, and none is set"
      ),
    ])
  func address(variables: String, expected: String) throws {
    let ending = try shell("\(variables) hw wordle scores --explain", environment: WordleScores.durable)
    #expect((ending.output + ending.errors).contains(variables.isEmpty ? "/scores" : expected), "\(ending)")
    #expect(ending.status == (expected.hasPrefix("hw:") ? 7 : 0))
  }

  @Test func playersAreKeptComparedAndForgotten() throws {
    let home = try Home()
    func hw(_ line: String) throws -> Ending { try shell(line, in: home, environment: WordleScores.durable) }
    let chat = "Ann: Wordle 264 2/6*\\n\\n⬜🟨⬜⬜⬜\\n🟩🟩🟩🟩🟩\\nwow\\nWordle 263 X/6\\n"
    #expect(
      try hw("printf '\(chat)' | hw wordle import --player Ann --tsv --no-header").output
        == "264\t2/6\t2\ttrue\n263\tX/6\t\tfalse\n")
    let compared = "hw wordle compare --json"
    #expect(
      try hw(compared).output == #"""
        {"players":[{"name":"you","played":2,"wins":1,"ties":0,"mean":3.5},\#
        {"name":"Ann","played":2,"wins":1,"ties":0,"mean":2}],\#
        "games":[{"id":264,"results":{"you":"3/6","Ann":"2/6"},"best":["Ann"]},\#
        {"id":263,"results":{"you":"4/6","Ann":"X/6"},"best":["you"]}]}

        """#)
    let file =
      "hw wordle scores --json >ben.json; hw wordle share 262 >cy.txt; hw wordle compare --with Ben=ben.json --with Cy=cy.txt --json"
    #expect(
      try hw("\(file) | jq -c '[.players[] | [.name, .played]]'").output
        == #"[["you",3],["Ann",2],["Ben",3],["Cy",1]]"# + "\n")
    #expect(
      try hw("hw wordle compare --limit 1 --sort id --json | jq -c '[.games[].id]'").output == "[263]\n")
    #expect(try hw("hw wordle import --forget Ann").status == 0)
    #expect(try hw("\(compared) | jq .games").output == "[]\n")
  }

  @Test func theClipboardIsReachedThroughTheTerminal() throws {
    let terminal = try Terminal(columns: 80)
    let ending = try Started(
      ["hw", "wordle", "share", "264", "--clipboard"], in: Home(), errors: terminal.descriptor
    ).end()
    #expect(ending.output.hasPrefix("Wordle 264 3/6\n\n"))
    let text = terminal.text
    #expect(text.hasPrefix("\u{1B}]52;c;") && text.hasSuffix("\u{07}"))
    let encoded = text.dropFirst(7).dropLast()
    #expect(Data(base64Encoded: String(encoded)) == Data(ending.output.dropLast().utf8))
  }

  @Test func anotherServiceIsAskedWithoutTheToken() throws {
    let ending = try shell(
      "hw wordle compare --with Bea=http://127.0.0.1:1 --explain", environment: ["HW_WORDLE_TOKEN": "secret"])
    #expect(!ending.output.contains("secret"))
  }

  @Test(
    "What JSON says is what the schema says",
    arguments: [
      "scores", "score 264", "stats", "share 281", "compare", "reset --yes", "delete 264",
      "add --id 1 --date 2021-06-20 --word at --tries at", "import share.txt",
    ])
  func schema(words: String) throws {
    let home = try Home()
    let name = words.split(separator: " ")[0]
    let ending = try shell(
      "hw wordle share 281 >share.txt; hw wordle \(words) --json >answer; hw schema wordle \(name) >schema",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let answer = try JSONSerialization.jsonObject(with: Data(home.text("answer").utf8))
    let schema = try JSONSerialization.jsonObject(with: Data(home.text("schema").utf8))
    #expect(JSONSchema.problems(answer, schema) == [])
  }
}

/// As much of JSON Schema as the schemas here use.
enum JSONSchema {
  static func problems(_ value: Any, _ schema: Any, at path: String = "$") -> [String] {
    guard let schema = schema as? [String: Any] else { return ["\(path): no schema"] }
    var problems: [String] = []
    let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] }
    if let types, !types.contains(where: { matches(value, $0) }) { problems.append("\(path): not \(types)") }
    if let names = schema["enum"] as? [String], !names.contains(value as? String ?? "") {
      problems.append("\(path): not one of \(names)")
    }
    if let items = schema["items"], let list = value as? [Any] {
      for (index, item) in list.enumerated() {
        problems += JSONSchema.problems(item, items, at: "\(path)[\(index)]")
      }
    }
    if let members = schema["properties"] as? [String: Any], let object = value as? [String: Any] {
      let required = schema["required"] as? [String] ?? []
      problems += required.filter { object[$0] == nil }.map { "\(path).\($0): missing" }
      problems += object.keys.filter { members[$0] == nil }.map { "\(path).\($0): unknown" }
      for (name, member) in members {
        if let value = object[name] { problems += JSONSchema.problems(value, member, at: "\(path).\(name)") }
      }
    }
    return problems
  }

  private static func matches(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": value is Bool
    case "integer": (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
    case "number": value is NSNumber
    default: false
    }
  }
}
