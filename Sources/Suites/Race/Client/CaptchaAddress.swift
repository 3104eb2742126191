import HTTP
import System

/// The address of a CAPTCHA from the service. A browser opens it, so only https and loopback addresses are accepted; it
/// is printed and passed to programs, so blanks and invisible characters are refused.
struct CaptchaAddress: Hashable, Sendable {
  let text: String

  init(_ text: String) throws(Failure) {
    func refusal(_ reason: String) -> Failure {
      let shown = text.prefix(80).description.terminalSafe
      return Failure(.invalidData, "'\(shown)' is not an address for a CAPTCHA: \(reason)")
    }
    guard text.utf8.count <= 4096 else { throw refusal("it is longer than 4096 bytes") }
    guard text.terminalSafe == text, !text.contains(where: \.isWhitespace) else {
      throw refusal("it has a blank or a control character")
    }
    guard let url = try? URL(String(text.prefix { $0 != "#" })),
      url.scheme == .https || (url.scheme == .http && url.isLoopback)
    else { throw refusal("neither https nor on this machine") }
    self.text = text
  }

  /// Failure of a command that has not solved the CAPTCHA.
  var unsolved: Failure {
    Failure(
      .captcha, "the service requires a CAPTCHA: \(text)",
      hint: "solve it in a browser or with \(ShellWord.command("hw", "race", "captcha", text)), then retry",
      retryable: true,
      details: [.init("captchaUrl", .text(text))])
  }
}

extension Failure {
  var captchaAddress: CaptchaAddress? {
    guard kind == .captcha, case .text(let text) = detail("captchaUrl") else { return nil }
    return try? CaptchaAddress(text)
  }
}
