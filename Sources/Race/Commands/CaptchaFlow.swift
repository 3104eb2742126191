import Command
import System

/// What a command does about CAPTCHAs: which way was chosen, and the browser behind it.
///
/// Unchecked, because a sink for messages is not known to be sendable: `solve` runs on the courier's thread, and all it
/// says is a line at a time.
final class CaptchaFlow: @unchecked Sendable {
  let mode: CaptchaMode
  /// A terminal on which Enter says that a CAPTCHA is solved.
  let keyboard: TerminalDevice?
  private let browser: CaptchaBrowser?
  private let environment: Environment
  private let messages: Messages

  init(_ call: Invocation, _ context: Context) {
    environment = context.host.environment
    messages = context.messages
    let isAttended = context.host.input.isTerminal && context.host.errors.isTerminal
    keyboard = isAttended ? TerminalDevice(.standardInput) : nil
    let command = CaptchaFlow.browserCommand(call, environment)
    let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    let opener = Browser.command(environment)
    let best: CaptchaMode = command != nil ? .browser : opener != nil ? .open : .wait
    switch call[Race.captchaMode] {
    case nil where !isAttended: mode = .fail
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
    browser = command.map { CaptchaBrowser($0, environment: context.host.environment, time: context.time) }
  }

  /// Shows it in the browser and waits until it is passed.
  func solve(_ address: CaptchaAddress) throws(Failure) {
    guard let browser else { throw Failure(.connection, "there is no browser to show a CAPTCHA in") }
    let messages = messages
    try browser.solve(address) { messages.report("that attempt failed; the window stays open", verbosity: 1) }
  }

  /// Hands a new CAPTCHA to the usual browser, where that was chosen.
  func announce(_ events: [RaceEvent]) throws(Failure) {
    guard mode == .open, let url = events.last(where: { $0.kind == .captcha })?.captchaUrl else { return }
    try open(CaptchaAddress(url))
  }

  private func open(_ address: CaptchaAddress) throws(Failure) {
    do throws(SystemError) {
      try Browser.start(address.text, environment)
    } catch {
      messages.report("cannot run '\(Browser.command(environment)?.first ?? "xdg-open")': \(error.text)")
    }
  }

  /// Ends the browser, where one is open.
  func close() { browser?.close() }

  private static func browserCommand(_ call: Invocation, _ environment: Environment) -> [String]? {
    if let words = call[Race.browser]?.split(separator: " ").map(String.init), !words.isEmpty {
      return Executable.find(words[0], in: environment) == nil ? nil : words
    }
    return CaptchaBrowser.names.first { Executable.find($0, in: environment) != nil }.map { [$0] }
  }
}
