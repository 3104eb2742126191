import Testing

@testable import Terminal

@Suite struct ColorChoiceTests {
  /// `--color`, a terminal?, `NO_COLOR`, `CLICOLOR_FORCE`, `TERM`, and what follows. An unset variable is nil.
  @Test(
    arguments: [
      // A terminal has color, a pipe has not.
      (.auto, true, nil, nil, "xterm", true), (.auto, false, nil, nil, "xterm", false),
      // A terminal that can do nothing, or says nothing, has none.
      (.auto, true, nil, nil, "dumb", false), (.auto, true, nil, nil, nil, false),
      // NO_COLOR says no, whatever its value, and is stronger than CLICOLOR_FORCE.
      (.auto, true, "1", nil, "xterm", false), (.auto, true, "0", nil, "xterm", false),
      (.auto, true, "1", "1", "xterm", false), (.auto, false, "1", "1", "xterm", false),
      // CLICOLOR_FORCE says yes, unless it is 0.
      (.auto, false, nil, "1", "xterm", true), (.auto, false, nil, "1", nil, true),
      (.auto, true, nil, "1", "dumb", true),
      (.auto, false, nil, "0", "xterm", false), (.auto, true, nil, "0", "xterm", true),
      (.auto, false, nil, "yes", "xterm", true),
      // What was typed is stronger than every variable.
      (.always, false, "1", "0", "dumb", true), (.always, false, nil, nil, nil, true),
      (.always, true, "1", nil, "xterm", true),
      (.never, true, nil, "1", "xterm", false), (.never, false, nil, "1", nil, false),
    ] as [(ColorChoice, Bool, String?, String?, String?, Bool)])
  func colorIsChosenByOptionsAndVariables(
    choice: ColorChoice, terminal: Bool, noColor: String?, force: String?, term: String?, colored: Bool
  ) {
    #expect(choice.isOn(terminal: terminal, noColor: noColor, force: force, term: term) == colored)
  }

  @Test func styleIsResetAfterText() {
    #expect(Style.bold.applied(to: "x") == "\u{1B}[1mx\u{1B}[0m")
    #expect(Style.color(red: 1, green: 22, blue: 255).applied(to: "x") == "\u{1B}[38;2;1;22;255mx\u{1B}[0m")
  }
}
