import Foundation
import Testing

/// What the Wordle suite says to what it cannot take, from whoever runs it and from the service.
@Suite struct WordleBadInput {
  @Test(
    "Bad input: what is wrong, and a status that says which kind",
    arguments: [
      (
        "hw wordle scores --since 2022-13-99", 2, "'--since' requires a day like 2022-03-08, not '2022-13-99'"
      ),
      ("hw wordle scores --since 2022-04-02 --until 2022-04-01", 2, "'--since 2022-04-02' is after"),
      ("hw wordle scores --solved --failed", 2, "'--solved' and '--failed' exclude each other"),
      ("hw wordle scores --sort size", 2, "unknown field 'size'"),
      ("hw wordle scores -i", 2, "'-i' requires a terminal"),
      ("hw wordle score 1", 3, "no score 1"),
      ("hw wordle score x", 2, "'ID' requires a whole number, 0 or more, or 'latest', not 'x'"),
      ("hw wordle share 1", 3, "no score 1"),
      ("hw wordle share 264 --clipboard", 2, "'--clipboard' requires a terminal"),
      ("hw wordle delete", 2, "missing operand ID"),
      ("hw wordle delete 262 1 2", 3, "scores 1, 2 do not exist"),
      ("hw wordle reset", 2, "'reset' requires '--yes' without a terminal"),
      ("hw wordle add --id 1", 2, "missing --date, --word, --tries"),
      ("hw wordle add", 2, "missing --id, --date, --word, --tries"),
      ("hw wordle add -", 2, "'-' contains no score"),
      ("hw wordle add --id 1 scores.json", 2, "FILE and '--id' exclude each other"),
      ("hw wordle add --id 1 --date 2022-02-29 --word at --tries at", 2, "'--date' requires a day"),
      (
        "hw wordle add --id 1 --date 2022-02-28 --word at --tries eat", 2,
        "score 1: 'eat' has 3 letters, the word"
      ),
      ("hw wordle add --id 1 --date 2022-02-28 --word at --tries to,,at", 2, "'--tries' requires words"),
      (
        #"printf '[{"id":262,"date":"2022-03-08","word":"at","tries":["at"]},{"id":263,"date":"2022-03-09","word":"at","tries":["at"]}]' | hw wordle add -"#,
        4, "scores 262, 263 already exist\n    use '--replace' to replace them"
      ),
      ("hw wordle add --id 262 --date 2022-03-08 --word at --tries at", 4, "score 262 already exists"),
      (
        #"echo '{"id":1,"date":"2022-13-99","word":"at","tries":["at"]}' | hw wordle add -"#, 2,
        "line 1, column 16, at date: expected a day"
      ),
      (
        #"echo '{"id":1,"date":"2022-03-09","word":"at"}' | hw wordle add -"#, 2,
        "at tries: expected an array, found nothing"
      ),
      ("echo '[' | hw wordle add -", 2, "line 2, column 1"),
      ("echo '[]' | hw wordle add -", 2, "'-' contains no score"),
      ("hw wordle add --id 1 --date 2022-02-28 --word at --tries ''", 2, "'--tries' requires words"),
      (
        #"echo '{"id":1,"date":"2022-03-09","word":"at","tries":[]}' | hw wordle add -"#, 2,
        "score 1: expected 1 to 6 tries, not 0"
      ),
      (
        "hw wordle share 264 --background ligth", 2, "'--background' requires one of dark, light, not 'ligth'"
      ),
      (
        #"printf '%s' '{"id":1,"date":"2022-03-09","word":"at","tries":["at"]}' '{"id":1,"date":"2022-03-09","word":"at","tries":["at"]}' | hw wordle add -"#,
        2, "score 1 appears twice"
      ),
      (
        #"printf 'Wordle 281 X/6\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n⬛⬛\n' | hw wordle import"#, 2,
        "line 8: Wordle 281 has more than 6 rows"
      ),
      ("hw wordle import --player ' '", 2, "'--player' requires a name other than 'you'"),
      ("hw wordle import --player Ann --me Ann", 2, "'--player' and '--me' exclude each other"),
      ("hw wordle stats --player Zoe", 3, "there are no imported games of 'Zoe'"),
      ("hw wordle compare --week --since 2022-03-01", 2, "'--week' and '--since' exclude each other"),
      (
        "echo Wordle 1 2/6 >x; hw wordle compare --with Eve=x --with EVE=x", 2,
        "'--with EVE=…' is given twice"
      ),
      ("hw wordle compare --with YOU=x", 2, "'--with' requires a name other than 'you'"),
      (
        "hw wordle compare --with Ann=ftp://host/x", 2,
        "'ftp://host/x' is neither an address nor"
      ),
      (
        "echo hello >x; hw wordle compare --with Ann=x", 2,
        "'x' contains neither share texts nor scores as JSON"
      ),
      (
        "echo t >t; hw wordle compare --with Ann=x --with-token-file Ann=t", 2,
        "'--with-token-file Ann=…' has no '--with Ann=URL'"
      ),
      ("hw wordle import --player you", 2, "'--player' requires a name other than 'you'"),
      ("hw wordle import --forget Zoe", 3, "there are no imported games of 'Zoe'"),
      ("hw wordle import nowhere.txt", 10, "cannot read 'nowhere.txt'"),
      (
        "hw wordle compare --with Ann", 2,
        "'--with' requires a name other than 'you', '=' and a file or an address"
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
      (200, "", 6, "expected JSON, got nothing"), (500, "", 5, "returned 500"),
      (500, #"{"error":"missing id"}"#, 5, #"returned 500: {"error":"missing id"}"#),
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
}
