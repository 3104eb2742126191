import Synchronization
import System

/// Sink to a terminal, for which it replaces colors as `ColorFilter` does. Threads may share it.
public final class ColorSink: ByteSink, Sendable {
  private let sink: any ByteSink & Sendable
  private let filter: Mutex<ColorFilter>

  public init(_ sink: any ByteSink & Sendable, _ depth: ColorDepth) {
    self.sink = sink
    filter = Mutex(ColorFilter(depth))
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    let added = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    try filter.withLock { filter throws(Failure) in try sink.write(filter.adapt(added)) }
  }

  public func awaitReader() throws(Failure) { try sink.awaitReader() }
}

/// Replaces colors that the terminal lacks. Keeps an incomplete sequence at the end for the next bytes.
struct ColorFilter: Sendable {
  private let depth: ColorDepth
  private var unfinished: [UInt8] = []

  init(_ depth: ColorDepth) { self.depth = depth }

  mutating func adapt(_ bytes: [UInt8]) -> [UInt8] {
    guard depth != .direct else { return bytes }
    var whole: [UInt8] = []
    var rest = (unfinished + bytes)[...]
    unfinished = []
    while let start = rest.firstIndex(of: 0x1B) {
      whole += rest[..<start]
      rest = rest[start...]
      if rest.count > 1, rest[start + 1] != UInt8(ascii: "[") {
        whole.append(rest.removeFirst())
        continue
      }
      let parameters = rest.dropFirst(2).prefix { (0x30...0x3F).contains($0) }
      guard parameters.endIndex < rest.endIndex else {
        unfinished = Array(rest)
        return whole
      }
      if rest[parameters.endIndex] == UInt8(ascii: "m") {
        whole += Array("\u{1B}[\(ColorDepth.inPalette(parameters))m".utf8)
      } else {
        whole += rest[...parameters.endIndex]
      }
      rest = rest[(parameters.endIndex + 1)...]
    }
    return whole + rest
  }
}
