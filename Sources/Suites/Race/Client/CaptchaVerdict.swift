import JSON
import System

/// The result of an attempt, from the response to the page's verification request, whose status is always 200.
enum CaptchaVerdict: Equatable, Sendable {
  case passed
  case failed
  /// The response cannot be parsed. The next call to the service shows whether the attempt passed.
  case unclear

  /// Parses `)]}'` and an array whose third element is 1 or 0.
  init(body: [UInt8]) {
    let guardLine = Array(")]}'".utf8)
    let text = body.starts(with: guardLine) ? Array(body.dropFirst(guardLine.count)) : body
    guard let json = try? JSON.parse(text), let mark = try? json[2].int else {
      self = .unclear
      return
    }
    self = mark == 1 ? .passed : .failed
  }

  static func isVerification(_ address: String) -> Bool {
    guard (try? CaptchaAddress(address)) != nil else { return false }
    let path = address.prefix { $0 != "?" && $0 != "#" }
    return path.hasSuffix("/recaptcha/api2/userverify") || path.hasSuffix("/recaptcha/enterprise/userverify")
  }
}
