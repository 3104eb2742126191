import System

/// A kept answer and the moment it came.
struct CacheEntry: Equatable {
  var response: Response
  /// In seconds since 1970.
  var stored: Int64

  /// Which file keeps the answer to a request: everything that could change the answer is in its name, the headers and
  /// so the account included, hashed, so that the name tells nobody any of it. What belongs to one origin begins alike.
  static func name(_ request: Request) -> String {
    let fields = request.headers.fields.map { "\($0.name.lowercased()): \($0.value)" }
    let whole = ([request.method.rawValue, request.url.description] + fields).joined(separator: "\n")
    return origin(request.url) + SHA256.hex(Array(whole.utf8))
  }

  /// How the names of all answers of the address's origin begin.
  static func origin(_ url: URL) -> String {
    let origin = URL(
      scheme: url.scheme, host: url.host, port: url.port, socket: url.socket, database: url.database)
    return SHA256.hex(Array(origin.description.utf8)).prefix(16) + "-"
  }
}

// MARK: How old it is

extension CacheEntry {
  /// What an answer says of itself is trusted within this only, whatever the clocks.
  private static let ever: Int64 = 1 << 31

  /// In seconds, the time in caches on the way included; nil when the clock was set back to before it came.
  func age(_ now: Timestamp) -> Int64? {
    guard now.seconds >= stored else { return nil }
    let before = response.headers["Age"].flatMap(CacheControl.seconds) ?? 0
    return min(before + now.seconds - stored, CacheEntry.ever)
  }

  /// For how many seconds it is fresh, by its own word. Nothing is guessed: what says nothing is stale at once.
  var lifetime: Int64 {
    let control = CacheControl(response.headers)
    guard !control.noCache else { return 0 }
    if let maxAge = control.maxAge { return maxAge }
    let now = Timestamp(seconds: stored)
    guard let expires = response.headers["Expires"].flatMap({ HTTPDate.parse($0, now: now) }) else {
      return 0
    }
    let sent = response.headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
    return max(0, min(expires.seconds - sent.seconds, CacheEntry.ever))
  }

  /// The fields that ask the service whether this is still its answer; none when it gave nothing to ask with.
  var validators: Headers {
    var headers: Headers = [:]
    if let tag = response.headers["ETag"] { headers["If-None-Match"] = tag }
    if let date = response.headers["Last-Modified"] { headers["If-Modified-Since"] = date }
    return headers
  }

  /// The answer after the service confirmed it: what a 304 says of it replaces what was known.
  func confirmed(by confirmation: Response) -> Response {
    var response = response
    // How long it was on its way before belongs to the first answer alone.
    response.headers["Age"] = nil
    let news = confirmation.headers.fields.filter { $0.name.lowercased() != "content-length" }
    for field in news { response.headers[field.name] = nil }
    for field in news { response.headers.append(field.name, field.value) }
    return response
  }
}

// MARK: As a file

extension CacheEntry {
  /// A line with the hash of all that follows, a line of facts, the header fields, an empty line, the body.
  var bytes: [UInt8] {
    var text = "\(stored) \(response.status)\n"
    // The file keeps the answer, not the session.
    for field in response.headers.fields where !Secrets.isSecret(field.name) {
      text += "\(field.name): \(field.value)\n"
    }
    let contents = Array((text + "\n").utf8) + response.body
    return Array("\(CacheEntry.magic)\(SHA256.hex(contents))\n".utf8) + contents
  }

  private static let magic = "hw cache 1 "

  /// Nil when the file is damaged or another version's.
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
}
