import System

/// What goes to a terminal, with the colours that it has.
public final class ColorSink: ByteSink {
  private let sink: any ByteSink
  private let depth: ColorDepth
  /// The beginning of a sequence whose end is not there yet.
  private var unfinished: [UInt8] = []

  public init(_ sink: any ByteSink, _ depth: ColorDepth) {
    self.sink = sink
    self.depth = depth
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    guard depth != .direct else { return try sink.write(bytes) }
    var all = unfinished
    unsafe bytes.withUnsafeBytes { unsafe all.append(contentsOf: $0) }
    let (whole, rest) = depth.adapting(all)
    unfinished = rest
    try sink.write(whole)
  }

  public func awaitReader() throws(Failure) { try sink.awaitReader() }
}

extension ColorDepth {
  /// The bytes with colours that there are, and what of a sequence begins at their end.
  func adapting(_ bytes: [UInt8]) -> (whole: [UInt8], rest: [UInt8]) {
    guard self != .direct, bytes.contains(0x1B) else { return (bytes, []) }
    var whole: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstIndex(of: 0x1B) {
      whole += rest[..<start]
      rest = rest[start...]
      guard rest.count > 1 else { return (whole, Array(rest)) }
      guard rest[start + 1] == UInt8(ascii: "[") else {
        whole.append(rest.removeFirst())
        continue
      }
      let parameters = rest.dropFirst(2).prefix { (0x30...0x3F).contains($0) }
      guard parameters.endIndex < rest.endIndex else { return (whole, Array(rest)) }
      if rest[parameters.endIndex] == UInt8(ascii: "m") {
        whole += Array("\u{1B}[\(adapted(parameters))m".utf8)
      } else {
        whole += rest[...parameters.endIndex]
      }
      rest = rest[(parameters.endIndex + 1)...]
    }
    return (whole + rest, [])
  }
}
