import Command
import System

/// What is done about a CAPTCHA.
enum CaptchaMode: String, CaseIterable, Sendable {
  case browser
  case open
  case wait
  case fail

  /// How often the service is asked whether it is solved.
  static let pace = Duration.seconds(10)
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
