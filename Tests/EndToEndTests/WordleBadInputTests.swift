import Foundation
import TestSupport
import Testing

/// What the Wordle suite says to what it cannot take, from whoever runs it and from the service.
@Suite(.ownThread) struct WordleBadInput {
  @Test(
    "Bad input: what is wrong, and a status that says which kind",
    arguments: [
      ("hw wordle delete 262 1 2", 3, "scores 1, 2 do not exist"),
      (
        #"echo '{"id":1,"date":"2022-03-09","word":"at"}' | hw wordle add -"#, 2,
        "at tries: expected an array, found nothing"
      ),
      (
        "HW_WORDLE_BACKGROUND=ligth hw wordle share 264", 2,
        "'HW_WORDLE_BACKGROUND' requires one of dark, light, not 'ligth'"
      ),
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
