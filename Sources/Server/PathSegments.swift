import HTTP

/// A path, split at its slashes once. One slash at the end makes no difference.
struct PathSegments: Sendable {
  /// The request's bytes, or the decoded segments where the path was percent-encoded.
  private(set) var bytes: [UInt8]
  private var ends = InlineArray<16, (start: Int, end: Int)>(repeating: (0, 0))
  private(set) var count = 0

  /// No route is deeper than this.
  static var most: Int { 16 }

  /// Nil when the path is deeper than any route, badly encoded, or not UTF-8 once decoded.
  init?(_ bytes: [UInt8], _ path: Range<Int>) {
    self.bytes = bytes
    var isEncoded = false
    var start = path.lowerBound + 1
    while start <= path.upperBound {
      var end = start
      while end < path.upperBound, bytes[end] != UInt8(ascii: "/") {
        if bytes[end] == UInt8(ascii: "%") { isEncoded = true }
        end += 1
      }
      if start == end, end == path.upperBound { break }
      guard count < PathSegments.most else { return nil }
      ends[count] = (start, end)
      count += 1
      start = end + 1
    }
    if isEncoded, !decode() { return nil }
  }

  subscript(_ index: Int) -> Range<Int> { ends[index].start..<ends[index].end }

  func text(_ index: Int) -> String { String(decoding: bytes[self[index]], as: UTF8.self) }

  /// Segments are decoded one by one: an encoded slash does not divide.
  private mutating func decode() -> Bool {
    var decoded: [UInt8] = []
    for index in 0..<count {
      guard let segment = PercentEncoding.decode(text(index))?.utf8 else { return false }
      ends[index] = (decoded.count, decoded.count + segment.count)
      decoded += segment
    }
    bytes = decoded
    return true
  }
}
