import System

/// Counts the bytes of responses that exist in the server: those of the current turn, and those that clients have not
/// accepted. Equal large bodies are one object and count once, however many connections send it.
///
/// Bytes count from the creation of their object to its end, so a partly sent response counts whole. Bodies are
/// referenced weakly: a body that no connection sends any more is freed.
final class UnsentBytes {
  private(set) var count = 0
  private var bodies: [Int: [WeakBody]] = [:]

  private struct WeakBody { weak var body: HeldBody? }

  /// Number of latest bodies of equal size to compare: a client must not provoke thousands of comparisons.
  private static let candidates = 4

  final class HeldBody {
    let bytes: [UInt8]
    private let account: UnsentBytes

    fileprivate init(_ bytes: [UInt8], _ account: UnsentBytes) {
      self.bytes = bytes
      self.account = account
      account.count += bytes.count
    }

    deinit { account.remove(bytes.count) }
  }

  func hold(_ bytes: [UInt8]) -> HeldBody { HeldBody(bytes, self) }

  /// Returns the object of an equal body, or of this one.
  func share(_ body: [UInt8]) -> HeldBody {
    for other in bodies[body.count, default: []].suffix(UnsentBytes.candidates).reversed() {
      // Two arrays with the same storage are equal without a comparison of their bytes.
      if let held = other.body, held.bytes == body { return held }
    }
    let held = HeldBody(body, self)
    bodies[body.count, default: []].append(WeakBody(body: held))
    return held
  }

  private func remove(_ size: Int) {
    count -= size
    guard var others = bodies.removeValue(forKey: size) else { return }
    others.removeAll { $0.body == nil }
    if !others.isEmpty { bodies[size] = others }
  }
}

/// Responses that the socket of one connection did not accept yet, in order.
struct UnsentOutput {
  private var pieces: [UnsentBytes.HeldBody] = []
  private var sent = 0

  var isEmpty: Bool { pieces.isEmpty }

  /// Appends a piece, of which `sent` bytes are sent already; a nonzero number requires that it is the only one.
  mutating func append(_ piece: UnsentBytes.HeldBody, sent: Int = 0) {
    if pieces.isEmpty { self.sent = sent }
    pieces.append(piece)
  }

  /// Sends what the socket accepts, at most two pieces and `limit` bytes. Returns the number of bytes.
  mutating func send(to socket: Socket, atMost limit: Int) throws(SystemError) -> Int {
    guard let first = pieces.first else { return 0 }
    let count = try socket.send(
      first.bytes, then: pieces.count > 1 ? pieces[1].bytes : [], from: sent, atMost: limit)
    sent += count
    while let first = pieces.first, sent >= first.bytes.count {
      sent -= first.bytes.count
      pieces.removeFirst()
    }
    return count
  }

  mutating func clear() { pieces = [] }
}

extension Socket {
  static var largestPart: Int { 1 << 20 }

  /// Sends what the socket accepts of the two arrays, after the first `from` bytes of the first and at most `limit`,
  /// and returns the number of bytes. A large body takes many turns: others must not wait until the system has copied
  /// all of it.
  func send(
    _ first: [UInt8], then second: [UInt8], from: Int, atMost limit: Int = largestPart
  ) throws(SystemError) -> Int {
    let head = unsafe first.span.bytes.extracting(droppingFirst: from).extracting(first: limit)
    let rest = unsafe second.span.bytes.extracting(first: limit - head.byteCount)
    do throws(SystemError) {
      return try send(head, then: rest)
    } catch .wouldBlock {
      return 0
    }
  }
}
