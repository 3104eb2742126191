import System

/// The `Cache-Control` directives of a response that matter to a private cache (RFC 9111).
struct CacheControl {
  var noStore = false
  /// The response is stored, but used only if the user allows an age.
  var noCache = false
  var maxAge: Int64?

  init(_ headers: Headers) {
    for directive in headers.values("Cache-Control").flatMap(CacheControl.directives) {
      switch directive.name {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      // The shortest of several directives counts; a malformed value means stale.
      case "max-age": maxAge = min(maxAge ?? .max, Int64(fieldText: directive.value) ?? 0)
      default: break
      }
    }
  }

  /// Names in lower case, values without their quotes. Splits a quoted list at its commas too: its parts keep an
  /// unpaired quote, so that their values are malformed, which can only make the response less fresh.
  private static func directives(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: ",").map { part in
      let sides = part.filter { !" \t".contains($0) }
        .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = sides.count > 1 ? sides[1] : ""
      let isQuoted = value.count > 1 && value.first == "\"" && value.last == "\""
      let name = sides[0].lowercased().filter { $0 != "\"" }
      return (name, String(isQuoted ? value.dropFirst().dropLast() : value))
    }
  }
}

extension Response {
  /// Seconds that upstream caches have kept the response (`Age`).
  public var age: Int64? { headers["Age"].flatMap { Int64(fieldText: $0) } }
}

struct CacheEntry: Equatable {
  var response: Response
  /// Time of receipt, in seconds since 1970.
  var stored: Int64

  /// Hashes everything that can change the response, headers included: the file name reveals none of it.
  static func fileName(for request: Request) -> String {
    let fields = request.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }
    let whole = ([request.method.rawValue, request.url.description] + fields).joined(separator: "\n")
    return namePrefix(for: request.url) + SHA256.hex(Array(whole.utf8))
  }

  static func namePrefix(for url: URL) -> String {
    let origin = URL(
      scheme: url.scheme, host: url.host, port: url.port, socket: url.socket, database: url.database)
    return SHA256.hex(Array(origin.description.utf8)).prefix(16) + "-"
  }

  /// Recognizes the names of entries, and of the temporary files that a killed process leaves. No other file is ever
  /// removed: the folder may be a link to another one.
  static func isFileName(_ name: String) -> Bool {
    let name = Array(name.utf8)
    guard name.count >= 81, name[16] == UInt8(ascii: "-") else { return false }
    guard (name[..<16] + name[17..<81]).allSatisfy(\.isLowercaseHexDigit) else { return false }
    if name.count == 81 { return true }
    let parts = name[81...].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0].isEmpty && parts[3].elementsEqual("tmp".utf8)
      && parts[1...2].allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }
  }

  /// Counts seconds, including the time in upstream caches. Returns nil if the clock was set back to before the receipt.
  func age(_ now: Timestamp) -> Int64? {
    now.seconds >= stored ? now.seconds - stored + (response.age ?? 0) : nil
  }

  /// Seconds of freshness. Without `max-age` the response is stale: there is no heuristic.
  var lifetime: Int64 {
    let control = CacheControl(response.headers)
    return control.noCache ? 0 : control.maxAge ?? 0
  }
}

extension CacheEntry {
  /// The file's content: lines with a hash of the rest and with time and status, the header, an empty line, the body.
  var bytes: [UInt8] {
    var text = "\(stored) \(response.status)\n"
    // A session must not be stored.
    for field in response.headers.fields where !Secrets.isSecret(field.name) {
      text += "\(field.name): \(field.value)\n"
    }
    let contents = Array((text + "\n").utf8) + response.body
    return Array("\(CacheEntry.magic)\(SHA256.hex(contents))\n".utf8) + contents
  }

  private static let magic = "hw cache 3 "

  /// Returns nil for a file that is damaged or of another version.
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
    self.init(response: Response(status, headers: headers, body: Array(rest)), stored: stored)
  }

  func response(age: Int64) -> ReceivedResponse {
    var response = ReceivedResponse(response)
    response.headers["Age"] = String(age)
    response.isCached = true
    return response
  }
}

public struct CacheFolder: Sendable {
  private let path: String

  public init(_ path: String) { self.path = path }

  public func total() throws(Failure) -> (files: Int, bytes: Int) {
    let files = try files()
    return (files.count, files.reduce(0) { $0 + (File.size("\(path)/\($1)") ?? 0) })
  }

  /// Removes only files that hw made: the folder may be a link to another one.
  public func clear() throws(Failure) {
    for name in try files() { try File.remove("\(path)/\(name)") }
  }

  private func files() throws(Failure) -> [String] { try Folder.names(path).filter(CacheEntry.isFileName) }
}
