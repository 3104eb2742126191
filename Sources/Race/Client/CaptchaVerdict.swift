import HTTP
import JSON
import System

/// What became of one attempt at a CAPTCHA, as the page's own request for it was answered. Its status is 200 for
/// failures too: only the body tells.
enum CaptchaVerdict: Equatable, Sendable {
  case passed
  case failed
  /// The answer cannot be read; whether it counted, the service will say.
  case unclear

  /// `)]}'`, then an array whose third element is 1 or 0.
  init(body: [UInt8]) {
    let guardLine = Array(")]}'".utf8)
    let text = body.starts(with: guardLine) ? Array(body.dropFirst(guardLine.count)) : body
    guard let json = try? JSON.parse(text), let mark = try? json[2].int else {
      self = .unclear
      return
    }
    self = mark == 1 ? .passed : .failed
  }

  /// Whether a response to that address is an attempt's: the verification of a page that could have been opened.
  static func isVerification(_ address: String) -> Bool {
    guard (try? CaptchaAddress(address)) != nil else { return false }
    let path = address.prefix { $0 != "?" && $0 != "#" }
    return path.hasSuffix("/recaptcha/api2/userverify") || path.hasSuffix("/recaptcha/enterprise/userverify")
  }
}
