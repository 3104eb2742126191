import Command
import Output
import System

extension Race {
  static let captchaMode = Option(
    "captcha", ValueKind<CaptchaMode>.choice, setting: true, "What to do about a CAPTCHA",
    details: """
      Usually 'browser' on a terminal with a display and a browser of the Chromium family, 'open' or 'wait' on any \
      other terminal, and 'fail' without one.
      """)
  static let browser = Option(
    "browser", ValueKind<String>.text("COMMAND"), setting: true,
    "The browser for CAPTCHAs, with arguments of its own if it needs any")
  static let onlyHost = Option(
    "only-host", ValueKind<String>.text("HOST"), setting: true, "Refuse a CAPTCHA of any other host")

  static let captchaDiscussion = """
    A CAPTCHA stops the questions, not the countdown. With 'browser' a window opens on it, with a profile of its own \
    that is removed afterwards; hw sees through a pipe to the browser when it is passed, closes the window and goes on. \
    A window that is closed before ends the command (status 9). Its address must be https, or on this machine.
    """

  static let captchaAddress = Operand(
    optional: "URL", ValueKind<String>.text("URL"),
    "The page to show; without it, the service is asked for one")

  static let captcha = Command(
    "captcha", "Have a CAPTCHA solved, or try how that goes",
    discussion: """
      Shows the page in a window and waits until it is passed. Without a URL the service is asked for one, at \
      /captchaTest. Only a browser can tell whether it was passed: 'open' shows it and 'wait' names it, and both are \
      done then; with 'fail' it is status 9.
      """ + "\n\n" + captchaDiscussion,
    operands: [captchaAddress], options: [captchaMode, browser, onlyHost],
    output: .one(CaptchaOutcome.self, text: "Whether it was solved, a line."),
    needs: [.network],
    examples: [
      Example("hw race captcha --captcha wait", "where a CAPTCHA to try it with is"),
      Example("hw race captcha --captcha fail", "what a script sees of one", exits: 9),
      Example("hw race captcha javascript:alert", "what is no address for a CAPTCHA", exits: 6),
    ],
    failures: [.captcha, .invalidData]
  ) { call, context throws(Failure) in
    let address =
      if let text = try call[captchaAddress] {
        try CaptchaAddress(text)
      } else {
        try RaceClient(endpoint: context.endpoint(RaceClient.service), time: context.time).captchaTest()
      }
    try address.confine(to: call[onlyHost])
    let solver = CaptchaSolver(call, context)
    defer { solver.close() }
    switch solver.mode {
    case .fail: throw address.required
    case .wait: try context.output.write(CaptchaOutcome(url: address.text, state: .shown))
    case .open:
      solver.open(address)
      try context.output.write(CaptchaOutcome(url: address.text, state: .shown))
    case .browser:
      try solve(address, solver)
      try context.output.write(CaptchaOutcome(url: address.text, state: .passed))
    }
  }

  /// On a background thread, so that a signal ends the wait at once.
  private static func solve(_ address: CaptchaAddress, _ solver: CaptchaSolver) throws(Failure) {
    let work = try waiting(for: "the browser") { () throws(SystemError) in
      try BackgroundWork<CaptchaAddress, Result<Void, Failure>> { address in
        Result { () throws(Failure) in try solver.solve(address) }
      }
    }
    work.submit(address)
    while true {
      if let result = work.next() { return try result.get() }
      _ = try waiting(for: "the browser") { () throws(SystemError) in
        try Waiting.forInput([work.descriptor], atMost: nil)
      }
    }
  }
}
