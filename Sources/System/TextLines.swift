/// The lines of a short text, as they come: names, keys, commands.
public struct TextLines {
  private let source: any ByteSource
  private var bytes: [UInt8] = []
  private var hasEnded = false

  /// A longer line is refused.
  private static let longest = 4096

  public init(_ source: any ByteSource) {
    self.source = source
  }

  public mutating func next() throws(Failure) -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        return line
      }
      guard !hasEnded else { break }
      guard bytes.count <= TextLines.longest else {
        throw Failure(.usage, "a line is longer than \(TextLines.longest) bytes")
      }
      try fill()
    }
    guard !bytes.isEmpty else { return nil }
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func fill() throws(Failure) {
    var block = [UInt8](repeating: 0, count: TextLines.longest)
    var span = block.mutableSpan
    // Sound: any bits are a byte.
    var room = unsafe span.mutableBytes
    let count = try source.read(into: &room)
    hasEnded = count == 0
    bytes.append(contentsOf: block[..<count])
  }
}
