import Command
import HTTP
import Output
import System
import Terminal

extension Race {
  static let captchaMode = Option(
    "captcha", ValueKind<CaptchaMode>.choice, setting: .suites, "Choose how to handle a CAPTCHA",
    details: """
      The default is 'browser' with a display and a Chromium browser, 'open' or 'wait' on other terminals, and \
      'fail' without a terminal.
      """)
  static let browser = Option(
    "browser", ValueKind<String>.text("COMMAND"), setting: .suites,
    "The browser for CAPTCHAs, with its arguments")

  static let captchaAddress = Operand(
    optional: "URL", ValueKind<String>.text("URL"),
    "The page; by default the service is asked for one")

  static let captcha = Command(
    "captcha", "Solve a CAPTCHA in a browser",
    discussion: """
      Shows the page in a window and waits until the CAPTCHA is solved. Without a URL the service is asked for one \
      (GET /captchaTest). With 'open' and 'wait' the command prints the address and ends.
      """,
    operands: [captchaAddress], options: [captchaMode, browser, Service.tokenFile],
    output: .one(CaptchaOutcome.self, text: "One line: the state and the address."),
    needs: [.network],
    examples: [Example("hw race captcha --captcha wait", "print the address of a test CAPTCHA")],
    failures: [.captcha]
  ) { call, context throws(Failure) in
    let address =
      if let text = try call[captchaAddress] {
        try givenAddress(text)
      } else {
        try client(context).captchaTest()
      }
    let solver = try CaptchaSolver(call, context)
    defer { solver.close() }
    switch solver.mode {
    case .fail:
      var failure = address.unsolved
      // The usual hint is this command.
      failure.hint = "open the address in a browser, or use '--captcha browser'"
      throw failure
    case .wait: try context.output.write(CaptchaOutcome(url: address.text, state: .shown))
    case .open:
      solver.open(address)
      try context.output.write(CaptchaOutcome(url: address.text, state: .shown))
    case .browser:
      let deadline = call[StandardOptions.deadline].map { Deadline(in: $0, context.time) }
      let verdict = try solve(address, solver, deadline, context)
      try context.output.write(
        CaptchaOutcome(url: address.text, state: verdict == .passed ? .passed : .shown))
    }
  }

  /// Reports an invalid address as a usage error, not as a fault of the service.
  private static func givenAddress(_ text: String) throws(Failure) -> CaptchaAddress {
    do throws(Failure) {
      return try CaptchaAddress(text)
    } catch {
      throw error.asInput
    }
  }

  /// Solves on a background thread, so that a signal ends the wait at once.
  private static func solve(
    _ address: CaptchaAddress, _ solver: CaptchaSolver, _ deadline: Deadline?, _ context: Context
  ) throws(Failure) -> CaptchaVerdict {
    let work = try BackgroundWork<CaptchaAddress, Result<CaptchaVerdict, Failure>> { address in
      Result { () throws(Failure) in try solver.solve(address) }
    }
    work.submit(address)
    return try context.outcome(of: work, for: "the browser", until: deadline).get()
  }
}

enum CaptchaMode: String, ChoiceValue {
  case browser
  case open
  case wait
  case fail

  var meaning: String {
    switch self {
    case .browser: "open a new window until the CAPTCHA is solved"
    case .open: "use your own browser, continue after Enter"
    case .wait: "print the address, continue when it is solved"
    case .fail: "end with status 9"
    }
  }
}

/// Chooses the reaction to CAPTCHAs, and shows them. `solve` blocks and is called on a background thread.
struct CaptchaSolver: Sendable {
  let mode: CaptchaMode
  /// The terminal on which Enter confirms that a CAPTCHA is solved.
  let keyboard: TerminalDevice?
  private let browser: CaptchaBrowser?
  private let environment: Environment
  private let messages: Messages

  /// Fails (`usage`) if the chosen mode or browser is not available. An explicit choice is not replaced silently.
  init(_ call: Invocation, _ context: Context) throws(Failure) {
    environment = context.environment
    messages = context.messages
    let isInteractive = context.host.isInteractive
    keyboard = isInteractive ? TerminalDevice(.standardInput) : nil
    let command = CaptchaSolver.browserCommand(call, environment)
    let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    let opener = Browser.command(environment)
    let named = call[Race.browser].flatMap { $0.split(separator: " ").first }
    switch call[Race.captchaMode] {
    case nil where !isInteractive: mode = .fail
    case nil where !hasDisplay: mode = .wait
    case nil where named != nil: mode = .browser
    case nil: mode = command != nil ? .browser : opener != nil ? .open : .wait
    case .some(let chosen): mode = chosen
    }
    let advice = "install one, or use '--captcha wait', which prints the address"
    if mode == .browser, command == nil {
      let missing = named.map { "browser '\($0)'" } ?? "browser of the Chromium family"
      throw Failure(.usage, "there is no \(missing)", hint: advice)
    }
    if mode == .open, opener == nil {
      throw Failure(.usage, "there is neither xdg-open nor $BROWSER", hint: advice)
    }
    browser = command.map { CaptchaBrowser($0, environment: context.environment, time: context.time) }
  }

  func solve(_ address: CaptchaAddress) throws(Failure) -> CaptchaVerdict {
    guard let browser else { throw Failure(.connection, "there is no browser to show a CAPTCHA in") }
    return try browser.solve(address) {
      messages.report("that attempt failed; the window stays open", verbosity: 1)
    }
  }

  /// Opens the CAPTCHA of the events, if there is one, in the user's browser, in the mode `open` only.
  func openCaptcha(in events: [RaceEvent]) throws(Failure) {
    guard mode == .open, let url = events.last(where: { $0.kind == .captcha })?.captchaUrl else { return }
    open(try CaptchaAddress(url))
  }

  func open(_ address: CaptchaAddress) {
    if let problem = Browser.open(address.text, environment) { messages.report(problem) }
  }

  func close() { browser?.close() }

  private static func browserCommand(_ call: Invocation, _ environment: Environment) -> [String]? {
    if let words = call[Race.browser]?.split(separator: " ").map(String.init), !words.isEmpty {
      return Executable.find(words[0], in: environment) == nil ? nil : words
    }
    return CaptchaBrowser.names.first { Executable.find($0, in: environment) != nil }.map { [$0] }
  }
}
