/// The lines of a source, as they come: names, keys, searches. Short and few, and each wanted only when the one before
/// was answered.
public struct TextLines {
  private let source: any ByteSource
  private var waiting: [UInt8] = []
  private var hasEnded = false
  private var number = 0

  /// A longer line is refused.
  private static let longest = 4096

  public init(_ source: any ByteSource) {
    self.source = source
  }

  /// The next line without its end; a last one that has none counts as well. Nil when there are no more.
  public mutating func next() throws(Failure) -> String? {
    while true {
      if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
        defer { waiting.removeFirst(end + 1) }
        return try text(waiting[..<end])
      }
      guard !hasEnded, waiting.count <= TextLines.longest else { break }
      try fill()
    }
    guard !waiting.isEmpty else { return nil }
    defer { waiting = [] }
    return try text(waiting[...])
  }

  private mutating func fill() throws(Failure) {
    var block = [UInt8](repeating: 0, count: TextLines.longest)
    var span = block.mutableSpan
    // Sound: any bits are a byte.
    var room = unsafe span.mutableBytes
    let count = try source.read(into: &room)
    hasEnded = count == 0
    waiting.append(contentsOf: block[..<count])
  }

  private mutating func text(_ line: ArraySlice<UInt8>) throws(Failure) -> String {
    number += 1
    guard line.count <= TextLines.longest else {
      throw Failure(
        .usage, "line \(number): longer than \(TextLines.longest) bytes",
        details: [.init("line", .integer(number))])
    }
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Failure(.usage, "line \(number): invalid UTF-8", details: [.init("line", .integer(number))])
    }
    return text
  }
}
