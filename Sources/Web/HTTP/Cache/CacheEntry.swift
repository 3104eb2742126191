import System

/// The `Cache-Control` directives of a response that matter to a private cache (RFC 9111).
struct CacheControl: Equatable {
  /// The response must not be stored.
  var noStore = false
  /// The response is not used again, except by a user who allows an age.
  var noCache = false
  /// How long the response stays fresh, in seconds.
  var maxAge: Int64?

  init(_ headers: Headers) {
    for directive in headers.values("Cache-Control").flatMap(CacheControl.directives) {
      switch directive.name {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      // The shortest of several; a malformed value means stale.
      case "max-age": maxAge = min(maxAge ?? .max, CacheControl.seconds(directive.value) ?? 0)
      default: break
      }
    }
  }

  /// Names in lower case, values without their quotes; a comma within quotes does not separate.
  private static func directives(_ text: String) -> [(name: String, value: String)] {
    var parts = [""]
    var quoted = false
    for character in text.unicodeScalars {
      if character == "\"" { quoted.toggle() }
      if character == ",", !quoted {
        parts.append("")
      } else if character != "\"" {
        parts[parts.count - 1].unicodeScalars.append(character)
      }
    }
    return parts.map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.filter { $0 != " " && $0 != "\t" }
      }
      return (sides[0].lowercased(), sides.count > 1 ? sides[1] : "")
    }
  }

  /// Capped at 2^31, far from overflow.
  static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return min(Int64(text) ?? .max, 1 << 31)
  }
}

extension Response {
  /// How long caches on the way kept the response, in seconds (`Age`).
  public var age: Int64? { headers["Age"].flatMap(CacheControl.seconds) }
}

/// A cached response and when it was received.
struct CacheEntry: Equatable {
  var response: Response
  /// In seconds since 1970.
  var stored: Int64

  /// The name of the file for the response to a request. It is a hash of everything that can change the response,
  /// headers (and so the account) included; a hash, because the name must not reveal any of it.
  static func fileName(for request: Request) -> String {
    let fields = request.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }
    let whole = ([request.method.rawValue, request.url.description] + fields).joined(separator: "\n")
    return namePrefix(for: request.url) + SHA256.hex(Array(whole.utf8))
  }

  /// The common prefix of the file names of all responses of one origin.
  static func namePrefix(for url: URL) -> String {
    let origin = URL(
      scheme: url.scheme, host: url.host, port: url.port, socket: url.socket, database: url.database)
    return SHA256.hex(Array(origin.description.utf8)).prefix(16) + "-"
  }

  /// Whether a file of the cache folder has a name that this type makes, or that of its temporary file, which a
  /// process that was killed leaves. No other file is ever removed: the folder may be a link to another one.
  static func isFileName(_ name: String) -> Bool {
    let name = Array(name.utf8)
    guard name.count >= 81, name[16] == UInt8(ascii: "-") else { return false }
    guard (name[..<16] + name[17..<81]).allSatisfy(\.isLowercaseHexDigit) else { return false }
    if name.count == 81 { return true }
    let parts = name[81...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].isEmpty && parts[3].elementsEqual("tmp".utf8)
      && parts[1...2].allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
  }
}

// MARK: Age and freshness

extension CacheEntry {
  /// The upper limit of ages, since a service may send any number.
  private static let longestAge: Int64 = 1 << 31

  /// In seconds, including the time in upstream caches; nil if the clock was set back to before it was received.
  func age(_ now: Timestamp) -> Int64? {
    guard now.seconds >= stored else { return nil }
    return min(now.seconds - stored + (response.age ?? 0), CacheEntry.longestAge)
  }

  /// For how many seconds the response is fresh. There is no heuristic: without `max-age` it is stale.
  var lifetime: Int64 {
    let control = CacheControl(response.headers)
    return control.noCache ? 0 : control.maxAge ?? 0
  }
}

// MARK: File format

extension CacheEntry {
  /// A line with the hash of everything after it, a line with time and status, the header
  /// fields, an empty line, the body.
  var bytes: [UInt8] {
    var text = "\(stored) \(response.status)\n"
    // The file contains the response, not the session.
    for field in response.headers.fields where !Secrets.isSecret(field.name) {
      text += "\(field.name): \(field.value)\n"
    }
    let contents = Array((text + "\n").utf8) + response.body
    return Array("\(CacheEntry.magic)\(SHA256.hex(contents))\n".utf8) + contents
  }

  private static let magic = "hw cache 3 "

  /// Returns nil if the file is damaged or of another version.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(validating: rest[..<end], as: UTF8.self)
    }
    guard let first = line(), first == CacheEntry.magic + SHA256.hex(Array(rest)),
      let facts = line()?.split(separator: " "), facts.count == 2,
      let stored = Int64(facts[0]), stored >= 0, let status = Int(facts[1])
    else { return nil }
    var headers: Headers = [:]
    while let field = line(), !field.isEmpty {
      guard let (name, value) = field.splitField else { return nil }
      headers.append(name, value)
    }
    self.init(
      response: Response(status, headers: headers, body: Array(rest)), stored: stored)
  }
}

extension CacheEntry {
  func response(age: Int64) -> Response {
    var response = response
    response.headers["Age"] = String(age)
    response.isCached = true
    return response
  }
}
