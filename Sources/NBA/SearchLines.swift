import System

/// The lines of a source, for searches: short, few, and each wanted only when the one before was answered.
struct SearchLines {
  static let longest = 4096

  private let source: any ByteSource
  private var waiting: [UInt8] = []
  private var hasEnded = false
  private var number = 0

  init(_ source: any ByteSource) {
    self.source = source
  }

  /// The next line without its end; a last one that has none counts as well. Nil when there are no more.
  mutating func next() throws(Failure) -> String? {
    while true {
      if let end = waiting.firstIndex(of: UInt8(ascii: "\n")) {
        defer { waiting.removeFirst(end + 1) }
        return try text(waiting[..<end])
      }
      guard !hasEnded, waiting.count <= SearchLines.longest else { break }
      try read()
    }
    guard !waiting.isEmpty else { return nil }
    defer { waiting = [] }
    return try text(waiting[...])
  }

  private mutating func read() throws(Failure) {
    var block = [UInt8](repeating: 0, count: SearchLines.longest)
    var span = block.mutableSpan
    // Sound: any bits are a byte.
    var room = unsafe span.mutableBytes
    let count = try source.read(into: &room)
    hasEnded = count == 0
    waiting += block[..<count]
  }

  private mutating func text(_ line: ArraySlice<UInt8>) throws(Failure) -> String {
    number += 1
    guard line.count <= SearchLines.longest, let text = String(validating: line, as: UTF8.self) else {
      throw Failure(
        .usage, "line \(number) is no name: it is not UTF-8, or longer than \(SearchLines.longest) bytes",
        hint: "give a search a line", details: [.init("line", .integer(number))])
    }
    return text
  }
}
