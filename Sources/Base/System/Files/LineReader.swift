/// Reads lines from a source through one reused buffer. A line ends with LF, CR LF or the chosen separator; the last
/// line may lack it. A byte order mark before the first line is dropped. The source is read only if no complete line is
/// buffered, so a program that writes line by line gets its responses line by line.
public struct LineReader {
  /// The buffered bytes. The range of a line is valid until the next `refill`.
  public private(set) var buffer: [UInt8]
  /// Number of the last line, from 1.
  public private(set) var number = 0

  private let source: any ByteSource
  private let name: String?
  private let longest: Int
  private let hint: String?
  private let separator: UInt8
  /// Offsets in `buffer`: start of the next line, end of the bytes, end of the part without a line end.
  private var start = 0
  private var end = 0
  private var searched = 0
  private var hasEnded = false

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Throws, with `hint`, for a line of more than `longest` bytes, a CR at its end included. `name` is for messages.
  public init(
    _ source: any ByteSource, name: String? = nil, longest: Int = 4096, hint: String? = nil,
    separator: UInt8 = UInt8(ascii: "\n")
  ) {
    self.separator = separator
    self.source = source
    self.name = name
    self.longest = longest
    self.hint = hint
    buffer = [UInt8](repeating: 0, count: longest + 1)
  }

  /// Returns the next line, reading from the source if necessary; nil after the last one.
  public mutating func nextText() throws(Failure) -> String? {
    while true {
      if let line = next() {
        guard let text = String(validating: buffer[line], as: UTF8.self) else {
          throw failure("invalid UTF-8", line: number)
        }
        return text
      }
      guard try refill() else { return nil }
    }
  }

  /// Returns the range of the next line in `buffer`, without its line end, if all of it is buffered.
  public mutating func next() -> Range<Int>? {
    while searched < end {
      searched += 1
      guard buffer[searched - 1] == separator else { continue }
      var first = start
      if number == 0, buffer[first..<searched].starts(with: LineReader.byteOrderMark) { first += 3 }
      var last = searched - 1
      if last > first, buffer[last - 1] == UInt8(ascii: "\r"), separator == UInt8(ascii: "\n") { last -= 1 }
      number += 1
      start = searched
      return first..<last
    }
    return nil
  }

  /// Reads from the source once; false after the last line. Adds a missing line end to the last line.
  public mutating func refill() throws(Failure) -> Bool {
    guard !hasEnded else { return false }
    moveToFront()
    guard end < buffer.count else { throw failure("longer than \(longest) bytes", line: number + 1, hint) }
    let count = try source.read(into: &buffer, from: end)
    if count > 0 {
      end += count
    } else {
      hasEnded = true
      guard start < end else { return false }
      buffer[end] = separator
      end += 1
    }
    return true
  }

  private mutating func moveToFront() {
    guard start > 0 else { return }
    for index in start..<end { buffer[index - start] = buffer[index] }
    searched -= start
    end -= start
    start = 0
  }

  private func failure(_ problem: String, line: Int, _ hint: String? = nil) -> Failure {
    Failure(
      .usage, "\(name.map { "'\($0)', " } ?? "")line \(line): \(problem)", hint: hint,
      details: [.init("line", .integer(line))], cause: .input(line: line))
  }

  /// Range in `buffer` of the lines that `next` has not returned.
  public var rest: Range<Int> { start..<end }

  /// Marks `lines` complete lines, `bytes` bytes in all, as read: for a caller that parses `rest` by itself.
  public mutating func skip(lines: Int, bytes: Int) {
    number += lines
    start += bytes
    searched = max(searched, start)
  }
}
