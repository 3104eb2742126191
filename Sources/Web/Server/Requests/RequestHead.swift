import HTTP
import System

/// The head of a request, as ranges counted from its first byte. Absent values are empty.
struct RequestHead: Equatable, Sendable {
  var method = Method.get
  var minorVersion = 1
  var path = 0..<0
  var query = 0..<0
  var isAsterisk = false
  var fields = 0..<0
  /// Host of an absolute target, or else the value of Host.
  var host = 0..<0
  /// Whether the target names the host, so that Host is ignored (RFC 9112, section 3.2.2).
  var isAbsolute = false
  var origin = 0..<0
  var hasOrigin = false
  var authorization = 0..<0
  var tokenField = 0..<0
  var isForwarded = false
  /// Value of the last X-Forwarded-For.
  var forwardedFor = 0..<0
  var requestID = 0..<0
  var end = 0
  var expectsContinue = false
  var keepsAlive = true
  var hasConnectionClose = false
}

extension RequestHead {
  /// Parses `METHOD SP target SP HTTP/1.1` (RFC 9112, section 3).
  mutating func readRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestError) {
    var end = line.lowerBound
    while end < line.upperBound, ByteSet.token.contains(bytes[end]) { end += 1 }
    // No line begins with a space: `checkFirst` rejects it.
    guard end < line.upperBound, bytes[end] == Byte.space else { throw .requestLine }
    let method = Method(bytes, line.lowerBound..<end)
    let start = end + 1
    end = start
    while end < line.upperBound, ByteSet.target.contains(bytes[end]) { end += 1 }
    // A line without a version is HTTP/0.9, which is obsolete.
    guard end > start, end < line.upperBound, bytes[end] == Byte.space else { throw .requestLine }
    try readVersion(bytes, end + 1..<line.upperBound)
    guard let method else { throw .method }
    self.method = method
    try readTarget(bytes, start..<end)
  }

  private mutating func readVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestError) {
    let start = range.lowerBound
    // The name is case-sensitive, which `matches` is not.
    guard range.count == 8, bytes.equals([0x48, 0x54, 0x54, 0x50, 0x2F], start..<start + 5),
      bytes[start + 5].isASCIIDigit, bytes[start + 6] == UInt8(ascii: "."),
      bytes[start + 7].isASCIIDigit
    else { throw .version }
    guard bytes[start + 5] == UInt8(ascii: "1") else { throw .protocolVersion }
    minorVersion = Int(bytes[start + 7] - UInt8(ascii: "0"))
    keepsAlive = minorVersion >= 1
  }

  /// Parses the target's forms (RFC 9112, section 3.2) except that of CONNECT, which was rejected with its method.
  private mutating func readTarget(_ bytes: Span<UInt8>, _ target: Range<Int>) throws(RequestError) {
    var start = target.lowerBound
    if bytes[start] != UInt8(ascii: "/") {
      if target.count == 1, bytes[start] == UInt8(ascii: "*"), method == .options {
        isAsterisk = true
        return
      }
      start = try readAuthority(bytes, target)
    }
    var end = start
    while end < target.upperBound, bytes[end] != UInt8(ascii: "?") { end += 1 }
    path = start..<end
    query = min(end + 1, target.upperBound)..<target.upperBound
  }

  /// Parses the host of `http://host/path`, and returns where the path begins.
  private mutating func readAuthority(
    _ bytes: Span<UInt8>, _ target: Range<Int>
  ) throws(RequestError) -> Int {
    let start = target.lowerBound
    let schemes: [StaticString] = ["http://", "https://"]
    let scheme = schemes.first {
      bytes.matches($0, start..<min(start + $0.utf8CodeUnitCount, target.upperBound))
    }
    guard let length = scheme?.utf8CodeUnitCount else { throw .target }
    var end = start + length
    while end < target.upperBound, ByteSet.host.contains(bytes[end]) { end += 1 }
    let next = end < target.upperBound ? bytes[end] : UInt8(ascii: "/")
    guard end > start + length, next == UInt8(ascii: "/") || next == UInt8(ascii: "?") else { throw .target }
    (host, isAbsolute) = (start + length..<end, true)
    return end
  }
}

extension Method {
  /// Compares case-sensitively; returns nil for an unknown method.
  fileprivate init?(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    // Up to seven letters are packed into one number, for one comparison instead of a loop for each method. A longer
    // name leaves its last eight bytes, none of which is zero.
    var packed: UInt64 = 0
    for index in range { packed = packed << 8 | UInt64(bytes[index]) }
    switch packed {
    case 0x47_4554: self = .get
    case 0x4845_4144: self = .head
    case 0x504F_5354: self = .post
    case 0x50_5554: self = .put
    case 0x4445_4C45_5445: self = .delete
    case 0x4F_5054_494F_4E53: self = .options
    case 0x50_4154_4348: self = .patch
    default: return nil
    }
  }
}

/// Parses the header lines (RFC 9112, section 5). Fields that the server itself uses are stored in the head, and every
/// line is checked, so that a later search finds only valid ones.
struct HeaderFields: Equatable, Sendable {
  private var count = 0
  private var hosts = 0
  private var contentLength: Int?
  private var codings = 0
  // Fields that must not be repeated: a second line would be another sender, or another change.
  private var authorizations = 0
  private var tokenFields = 0
  private var idempotencyKeys = 0

  mutating func read(
    _ bytes: Span<UInt8>, _ line: Range<Int>, into head: inout RequestHead, limits: RequestLimits
  ) throws(RequestError) {
    count += 1
    guard count <= limits.fields else { throw .headTooLarge }
    let field: HeaderLine
    do throws(HeaderLine.Malformation) { field = try HeaderLine(bytes, line) } catch {
      throw RequestError(error)
    }
    let (name, value) = (field.name, field.value)
    switch name.count {
    case 4 where bytes.matches("host", name):
      hosts += 1
      guard hosts == 1, ByteSet.host.containsAll(bytes, value) else { throw .host }
      if !head.isAbsolute { head.host = value }
    case 6 where bytes.matches("expect", name):
      guard bytes.matches("100-continue", value) else { throw .expectation }
      // HTTP/1.0 has no interim responses (RFC 9110, 10.1.1).
      head.expectsContinue = head.minorVersion >= 1
    case 6 where bytes.matches("origin", name):
      head.hasOrigin = true
      head.origin = value
    case 10 where bytes.matches("connection", name):
      HeaderFields.readConnection(bytes, value, into: &head)
    case 14 where bytes.matches("content-length", name):
      guard contentLength == nil else { throw .contentLength }
      contentLength = bytes.decimal(value)
      guard contentLength != nil else { throw .contentLength }
    case 17 where bytes.matches("transfer-encoding", name):
      try readCodings(bytes, value)
    case 13 where bytes.matches("authorization", name):
      try HeaderFields.countOnce(&authorizations)
      head.authorization = value
    case 15 where bytes.matches("x-authorization", name):
      try HeaderFields.countOnce(&tokenFields)
      head.tokenField = value
    case 15 where bytes.matches("idempotency-key", name):
      try HeaderFields.countOnce(&idempotencyKeys)
    case 15 where bytes.matches("x-forwarded-for", name):
      head.isForwarded = true
      head.forwardedFor = value
    case 12 where bytes.matches("x-request-id", name):
      head.requestID = value
    case 13... where bytes.matches("x-forwarded-", name.prefix(12)):
      head.isForwarded = true
    default:
      if HeaderFields.proxyFields.contains(where: { bytes.matches($0, name) }) { head.isForwarded = true }
    }
  }

  private static let proxyFields: [StaticString] = [
    "via", "forwarded", "cf-ray", "cdn-loop", "client-ip", "x-real-ip", "x-client-ip", "x-remote-ip",
    "x-forwarded", "forwarded-for", "fly-client-ip", "true-client-ip", "x-original-url", "x-proxyuser-ip",
    "x-original-host", "cf-connecting-ip", "fastly-client-ip", "x-azure-clientip", "x-originating-ip",
    "wl-proxy-client-ip", "x-cluster-client-ip", "x-envoy-external-address", "x-original-forwarded-for",
    "x-vercel-forwarded-for", "ali-cdn-real-ip", "x-real-port", "x-scheme", "x-varnish", "fastly-ff",
    "x-amzn-trace-id", "x-cloud-trace-context",
  ]

  enum Framing: Equatable, Sendable {
    case none
    case length(Int)
    case chunked
  }

  /// Checks that the parsed lines are consistent, and returns how the body is framed.
  func framing(_ head: RequestHead, limits: RequestLimits) throws(RequestError) -> Framing {
    guard hosts == 1 || head.minorVersion == 0 else { throw .host }
    if codings > 0 {
      guard contentLength == nil else { throw .twoLengths }
      // RFC 9112, 6.1: HTTP/1.0 has no chunks.
      guard codings == 1, head.minorVersion >= 1 else { throw .transferEncoding }
      return .chunked
    }
    guard let contentLength else { return .none }
    guard contentLength <= limits.body else { throw .bodyTooLarge }
    return .length(contentLength)
  }

  private static func countOnce(_ count: inout Int) throws(RequestError) {
    count += 1
    guard count == 1 else { throw .repeatedField }
  }

  private mutating func readCodings(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(RequestError) {
    if bytes.matches("chunked", value) {
      codings += 1
      return
    }
    // RFC 9112, 6.1: an unknown coding is 501, a body without a certain end 400.
    var last = value
    for index in value where bytes[index] == UInt8(ascii: ",") { last = index + 1..<value.upperBound }
    throw bytes.matches("chunked", bytes.trimmed(last)) ? .unknownCoding : .transferEncoding
  }

  private static func readConnection(
    _ bytes: Span<UInt8>, _ value: Range<Int>, into head: inout RequestHead
  ) {
    var start = value.lowerBound
    for end in value.lowerBound...value.upperBound
    where end == value.upperBound || bytes[end] == UInt8(ascii: ",") {
      let option = bytes.trimmed(start..<end)
      if bytes.matches("close", option) {
        head.keepsAlive = false
        head.hasConnectionClose = true
      } else if bytes.matches("keep-alive", option), !head.hasConnectionClose {
        head.keepsAlive = true
      }
      start = end + 1
    }
  }
}
