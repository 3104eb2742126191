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

  @Test func lineOrDefaultIsAnswer() throws {
    let (prompt, _) = prompt("Bee", "")
    #expect(try prompt.line("Name") == "Bee")
    #expect(try prompt.line("Place", preset: "52,13") == "52,13")
    #expect(errors.text == "Name: Place [52,13]: ")
  }

  @Test func refusedAnswerIsAskedAgain() throws {
    let (prompt, answers) = prompt("12a4", "1234")
    let pin = try prompt.ask("PIN", echo: .hidden) { text throws(Failure) -> Int in
      guard let pin = Int(text) else { throw Failure(.usage, "a PIN is four digits") }
      return pin
    }
    #expect(pin == 1234)
    #expect(answers.echoes == [.hidden, .hidden])
    #expect(errors.text == "PIN:   a PIN is four digits\nPIN: ")
  }

  @Test(arguments: [
    (["y"], true, ""), (["YES"], true, ""), (["n"], false, ""), ([""], false, ""), ([], false, "\n"),
    (["maybe", "y"], true, "  answer 'y' or 'n'\nReally? [y/N] "),
  ])
  func yesOrNoIsAnswered(_ lines: [String], _ answer: Bool, _ rest: String) throws {
    let prompt = Prompt(PreparedAnswers(lines), errors: errors)
    #expect(try prompt.confirm("Really?") == answer)
    #expect(errors.text == "Really? [y/N] " + rest)
  }

  @Test(arguments: [("1", 0), ("3", 2), ("red", 0), ("RED", 0), ("r", 0), ("green", 1), ("greenish", 2)])
  func choiceIsAnsweredByNumberOrName(_ answer: String, _ index: Int) throws {
    #expect(try Prompt.choice(answer, of: ["red", "green", "greenish"]) == index)
  }

  @Test(arguments: ["0", "4", "", "gre", "99999999999999999999", "-1", "-9223372036854775808"])
  func invalidChoiceIsRefused(_ answer: String) {
    let message =
      answer == "gre"
      ? "'gre' may be 'green' or 'greenish'" : "answer with a number from 1 to 3, or a name"
    #expect(throws: Failure(.usage, message)) {
      try Prompt.choice(answer, of: ["red", "green", "greenish"])
    }
  }

  /// One who leaves behind a line that is shown is still on it.
  @Test func endOfInputIsFailureOnNewLine() {
    for (echo, text) in [(Echo.visible, "PIN: \n"), (.hidden, "PIN: ")] {
      let errors = MemorySink()
      #expect(throws: Failure(.usage, "'PIN' was not answered")) {
        try Prompt(PreparedAnswers([]), errors: errors).ask("PIN", echo: echo) { $0 }
      }
      #expect(errors.text == text)
    }
  }

  @Test func interruptionIsFailure() {
    let (prompt, _) = prompt("a", "b")
    let failure = Interruption.failure
    #expect(throws: failure) {
      try prompt.ask("Name") { (_: String) throws(Failure) -> Int in throw failure }
    }
    #expect(errors.text == "Name: ")
  }

  @Test func choicesAreNumbered() throws {
    let (prompt, _) = prompt("0", "2")
    #expect(try prompt.choose("Color", from: [("red", 0), ("gr\u{1B}een", 1)]) == 1)
    #expect(
      errors.text
        == "  1  red\n  2  gr\u{FFFD}een\nColor:   answer with a number from 1 to 2, or a name\nColor: ")
  }

  @Test func unlistedValueIsAccepted() throws {
    let (prompt, _) = prompt("x", "12", "2")
    let other = (expected: "two digits", read: { (text: String) in text.count == 2 ? Int(text) : nil })
    for value in [12, 1] {
      #expect(try prompt.choose("Number", from: [("none", 0), ("one", 1)], or: other) == value)
    }
    #expect(
      errors.text.contains("Number:   answer with a number from 1 to 2, a name, or two digits\nNumber: "))
  }

  @Test func labelsAreShownUnchanged() throws {
    let (prompt, _) = prompt("b")
    let choices = [(name: "a", value: 0), (name: "b", value: 1)]
    #expect(try prompt.choose("Which", from: choices, labels: ["\u{1B}[1ma\u{1B}[0m", "B"]) == 1)
    #expect(errors.text == "  1  \u{1B}[1ma\u{1B}[0m\n  2  B\nWhich: ")
  }

  /// Somebody who suspends the program comes back to the question.
  @Test func questionIsRepeatedAfterSuspension() throws {
    struct Returning: AnswerReader {
      func line(_ echo: Echo, ask: () throws(Failure) -> Void) throws(Failure) -> String? {
        try ask()
        try ask()
        return "yes"
      }
    }
    let prompt = Prompt(Returning(), errors: errors)
    #expect(try prompt.line("Name", preset: "Bee") == "yes")
    #expect(try prompt.confirm("Really?"))
    #expect(errors.text == "Name [Bee]: Name [Bee]: Really? [y/N] Really? [y/N] ")
  }

  @Test func answersAreEchoedUnlessHidden() throws {
    let (prompt, answers) = prompt("a", "b", "y", "1")
    _ = try prompt.line("Name")
    _ = try prompt.ask("Name") { $0 }
    _ = try prompt.confirm("Really?")
    _ = try prompt.choose("Color", from: [("red", 0)])
    #expect(answers.echoes == [.visible, .visible, .visible, .visible])
  }

  @Test func controlCharactersInQuestionAreReplaced() throws {
    let (prompt, _) = prompt("x")
    _ = try prompt.line("Delete \u{1B}[2J")
    #expect(!errors.text.contains("\u{1B}"))
  }
}

extension Prompt {
  func line(_ question: String, preset: String? = nil) throws(Failure) -> String {
    try ask(question, preset: preset) { $0 }
  }
}
