import Command
import System
import Terminal

/// What `--captcha` does about a CAPTCHA.
enum CaptchaMode: String, CaseIterable, Sendable {
  case browser
  case open
  case wait
  case fail

  /// How often the service is polled until the CAPTCHA is solved.
  static let interval = Duration.seconds(10)
}

extension CaptchaMode: ChoiceValue {
  var meaning: String {
    switch self {
    case .browser: "open a window on it, see it solved, go on"
    case .open: "hand it to the usual browser; Enter says that it is solved, and hw keeps asking too"
    case .wait: "say where it is, and keep asking, slowly"
    case .fail: "end with status 9"
    }
  }
}

/// Chooses the mode for CAPTCHAs from the options and the surroundings, and shows CAPTCHAs in that mode. `solve` blocks
/// and is called on a background thread.
struct CaptchaSolver: Sendable {
  let mode: CaptchaMode
  /// The terminal on which Enter reports that a CAPTCHA is solved.
  let keyboard: TerminalDevice?
  private let browser: CaptchaBrowser?
  private let environment: Environment
  private let messages: Messages

  init(_ call: Invocation, _ context: Context) {
    environment = context.environment
    messages = context.messages
    let isInteractive = context.host.isInteractive
    keyboard = isInteractive ? TerminalDevice(.standardInput) : nil
    let command = CaptchaSolver.browserCommand(call, environment)
    let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    let opener = Browser.command(environment)
    let best: CaptchaMode = command != nil ? .browser : opener != nil ? .open : .wait
    switch call[Race.captchaMode] {
    case nil where !isInteractive: mode = .fail
    case nil: mode = hasDisplay ? best : .wait
    case .browser where command == nil:
      mode = best
      messages.report(
        "there is no browser of the Chromium family; --captcha \(best.rawValue) is done instead")
    case .open where opener == nil:
      mode = .wait
      messages.report("there is neither xdg-open nor $BROWSER; --captcha wait is done instead")
    case .some(let chosen): mode = chosen
    }
    browser = command.map { CaptchaBrowser($0, environment: context.environment, time: context.time) }
  }

  /// Shows the CAPTCHA in a browser window and waits until it is passed.
  func solve(_ address: CaptchaAddress) throws(Failure) {
    guard let browser else { throw Failure(.connection, "there is no browser to show a CAPTCHA in") }
    try browser.solve(address) { messages.report("that attempt failed; the window stays open", verbosity: 1) }
  }

  /// In the mode `open`, shows a new CAPTCHA in the user's browser.
  func announce(_ events: [RaceEvent]) throws(Failure) {
    guard mode == .open, let url = events.last(where: { $0.kind == .captcha })?.captchaUrl else { return }
    open(try CaptchaAddress(url))
  }

  func open(_ address: CaptchaAddress) {
    do throws(SystemError) {
      try Browser.start(address.text, environment)
    } catch {
      messages.report("cannot run '\(Browser.command(environment)?.first ?? "xdg-open")': \(error.text)")
    }
  }

  /// Ends the browser, if one is running.
  func close() { browser?.close() }

  private static func browserCommand(_ call: Invocation, _ environment: Environment) -> [String]? {
    if let words = call[Race.browser]?.split(separator: " ").map(String.init), !words.isEmpty {
      return Executable.find(words[0], in: environment) == nil ? nil : words
    }
    return CaptchaBrowser.names.first { Executable.find($0, in: environment) != nil }.map { [$0] }
  }
}
