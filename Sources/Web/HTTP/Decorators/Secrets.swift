import System

/// Decides by name which values must not be shown, for the log, recordings and `--explain`.
public enum Secrets {
  public static let mask = "•••"

  /// A header field or a query item is secret if its name contains one of these.
  private static let words = [
    "authorization", "cookie", "token", "key", "secret", "password", "pin", "digest",
  ].map { Array($0.utf8) }
  private static let exceptions = [
    "idempotency-key", "idempotency-key-kept", "publickey", "public_key", "pins",
  ]

  public static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    guard !exceptions.contains(name) else { return false }
    let bytes = Array(name.utf8)
    return words.contains { occurs($0, in: bytes) }
  }

  /// With `String.contains` the names of the query would take an eighth of the time of a long list.
  private static func occurs(_ word: [UInt8], in name: [UInt8]) -> Bool {
    guard name.count >= word.count else { return false }
    return (0...name.count - word.count).contains { start in
      word.indices.allSatisfy { name[start + $0] == word[$0] }
    }
  }

  /// The field's value, or the mask.
  static func shown(_ field: Headers.Field) -> String {
    isSecret(field.name) ? mask : field.value
  }

  /// The target of a request, path and query, with secret query items masked.
  public static func shown(target: String) -> String {
    guard let question = target.firstIndex(of: "?") else { return target }
    return "\(target[...question])\(shown(query: String(target[question...].dropFirst())))"
  }

  /// An address, also a malformed one, with its user, its password and its secret query items masked.
  public static func shown(address text: String) -> String { withoutUser(shown(target: text)) }

  /// The text with everything between `//`, or its start, and the last `@` masked.
  public static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    let slashes = text.indices.first { text[$0...].hasPrefix("//") }
    let start = slashes.map { text.index($0, offsetBy: 2) } ?? text.startIndex
    return start < at ? "\(text[..<start])\(mask)\(text[at...])" : text
  }

  /// The query with its secret values masked.
  static func shown(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { item in
      guard let equals = item.firstIndex(of: "=") else { return String(item) }
      let name = PercentEncoding.decode(item[..<equals]) ?? String(item[..<equals])
      return isSecret(name) ? "\(item[...equals])\(mask)" : String(item)
    }.joined(separator: "&")
  }

  /// Method and address for messages, with secret query items masked.
  static func shown(_ request: Request) -> String {
    var url = request.url
    url.query = shown(query: url.query)
    return "\(request.method.rawValue) \(url.shown)"
  }

  /// The address with its secret query items masked.
  static func shown(_ url: URL) -> String {
    var url = url
    url.query = shown(query: url.query)
    return url.description
  }
}

extension Headers {
  /// The fields with secrets: never sent to another origin, never shown.
  static let credentials = ["Authorization", "X-Authorization", "Proxy-Authorization", "Cookie"]
}
