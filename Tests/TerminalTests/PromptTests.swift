import System
import TestSupport
import Testing

@testable import Terminal

@Suite struct PromptTests {
  let errors = MemorySink()

  func prompt(_ answers: String...) -> (Prompt, PreparedAnswers) {
    let answers = PreparedAnswers(answers)
    return (Prompt(answers, errors: errors), answers)
  }

  @Test func aLineAndItsPreset() throws {
    let (prompt, _) = prompt("Bee", "")
    #expect(try prompt.line("Name") == "Bee")
    #expect(try prompt.line("Place", preset: "52,13") == "52,13")
    #expect(errors.text == "Name: Place [52,13]: ")
  }

  @Test func aRefusedAnswerIsExplainedAndAskedAgain() throws {
    let (prompt, answers) = prompt("12a4", "1234")
    let pin = try prompt.ask("PIN", echo: .hidden) { text throws(Failure) -> Int in
      guard let pin = Int(text) else { throw Failure(.usage, "a PIN is four digits") }
      return pin
    }
    #expect(pin == 1234)
    #expect(answers.echoes == [.hidden, .hidden])
    #expect(errors.text == "PIN:   a PIN is four digits\nPIN: ")
  }

  @Test func theEndOfInputIsNoAnswer() {
    let (prompt, _) = prompt()
    #expect(throws: Failure(.usage, "'Name' was not answered")) { try prompt.line("Name") }
  }

  @Test(arguments: [
    (["y"], true), (["YES"], true), (["n"], false), ([""], false), ([], false), (["maybe", "y"], true),
  ])
  func yesOrNo(_ lines: [String], _ answer: Bool) throws {
    let prompt = Prompt(PreparedAnswers(lines), errors: errors)
    #expect(try prompt.confirm("Really?") == answer)
    #expect(errors.text.hasPrefix("Really? [y/N] "))
  }

  @Test(arguments: [
    ("1", 0), ("3", 2), ("red", 0), ("RED", 0), ("r", 0), ("green", 1), ("greenish", 2),
  ])
  func choices(_ answer: String, _ index: Int) throws {
    #expect(try Prompt.choice(answer, of: ["red", "green", "greenish"]) == index)
  }

  @Test(arguments: [
    ("0", "answer with a number from 1 to 3, or a name"),
    ("4", "answer with a number from 1 to 3, or a name"),
    ("", "answer with a number from 1 to 3, or a name"), ("gre", "'gre' may be 'green' or 'greenish'"),
    ("99999999999999999999", "answer with a number from 1 to 3, or a name"),
  ])
  func noChoices(_ answer: String, _ message: String) {
    #expect(throws: Failure(.usage, message)) {
      try Prompt.choice(answer, of: ["red", "green", "greenish"])
    }
  }

  @Test func aQuestionIsNeutralised() throws {
    let (prompt, _) = prompt("x")
    _ = try prompt.line("Delete \u{1B}[2J")
    #expect(!errors.text.contains("\u{1B}"))
  }
}
