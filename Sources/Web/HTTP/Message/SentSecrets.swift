import System

/// The secrets that were sent to a service. It may repeat them in a response, in a header or in the text of an error,
/// so they are masked in files and messages.
struct SentSecrets {
  private var texts: [[UInt8]] = []

  /// Shorter texts are not masked: they may be a part of anything, and the data would be destroyed.
  private static let shortest = 4

  init(_ headers: Headers = [:]) { add(headers) }
  init(_ request: Request) { add(request) }

  private mutating func add(_ headers: Headers) {
    for field in headers.fields where Secrets.isSecret(field.name) { add(field.value) }
  }

  mutating func add(_ request: Request) {
    add(request.headers)
    for item in request.url.query.split(separator: "&") {
      guard let (name, value) = item.queryItem, Secrets.isSecret(name) else { continue }
      add(PercentEncoding.decode(value) ?? String(value))
    }
  }

  /// Adds the value of a header without its scheme (`Bearer`, `Basic`, `ApiKey`), which is not secret.
  private mutating func add(_ value: String) {
    let scheme = value.utf8.prefix { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    let rest = value.utf8.dropFirst(scheme.count)
    let secret = rest.first == UInt8(ascii: " ") ? String(Substring(rest.dropFirst())) : value
    guard secret.utf8.count >= SentSecrets.shortest else { return }
    var json: [UInt8] = []
    for byte in secret.utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { json.append(UInt8(ascii: "\\")) }
      json.append(byte)
    }
    // PHP escapes slashes in JSON.
    let php = Array(String(decoding: json, as: UTF8.self).replacing("/", with: "\\/").utf8)
    for form in [Array(secret.utf8), Array(PercentEncoding.encode(secret).utf8), json, php]
    where !texts.contains(form) {
      texts.append(form)
    }
    // A secret that contains another one is replaced first.
    texts.sort { $0.count > $1.count }
  }

  func masked(_ bytes: [UInt8]) -> [UInt8] {
    texts.reduce(bytes) { bytes, secret in
      var masked: [UInt8] = []
      var start = 0
      var index = 0
      while index + secret.count <= bytes.count {
        guard bytes[index] == secret[0], bytes[index...].starts(with: secret) else {
          index += 1
          continue
        }
        masked += bytes[start..<index]
        masked += Array(Secrets.mask.utf8)
        index += secret.count
        start = index
      }
      return masked + bytes[start...]
    }
  }

  func masked(_ text: String) -> String { String(decoding: masked(Array(text.utf8)), as: UTF8.self) }

  func masked(_ failure: Failure) -> Failure {
    var failure = failure
    failure.message = masked(failure.message)
    failure.hint = failure.hint.map { masked($0) }
    failure.details = failure.details.map { detail in
      switch detail.value {
      case .integer: detail
      case .text(let text): .init(detail.name, .text(masked(text)))
      case .list(let items): .init(detail.name, .list(items.map { masked($0) }))
      }
    }
    return failure
  }
}
