import System

/// Decodes a chunked body (RFC 9112, section 7.1) from bytes that are split anywhere.
///
/// Strict, because requests are smuggled through what two readers of a stream parse differently: lines end in CR LF,
/// sizes are plain hexadecimal, and extensions and trailers (bounded and ignored) contain no control characters.
public struct ChunkedDecoder: Sendable {
  private enum State {
    case size, extensions, sizeEnd, content, contentEnd, contentLineFeed
    case trailer, trailerField, trailerEnd, end, done
  }

  private var state = State.size
  /// Size of the chunk, or what is left of it.
  private var chunk = 0
  private var digits = 0
  /// Bytes that the limit leaves for further chunks.
  private var left: Int
  private var overhead = 0
  private let limit: Int

  /// Bytes of all extensions and trailers together.
  static let overheadLimit = 16 << 10

  public init(limit: Int) {
    self.limit = limit
    left = limit
  }

  public var isDone: Bool { state == .done }

  /// Appends the content of `input` to `body`, and returns the number of bytes: all, or those up to the body's end.
  public mutating func decode(_ input: Span<UInt8>, into body: inout [UInt8]) throws(MessageError) -> Int {
    var position = 0
    while position < input.count, state != .done {
      if state == .content {
        let count = min(chunk, input.count - position)
        body.append(input.extracting(position..<(position + count)))
        position += count
        chunk -= count
        if chunk == 0 { state = .contentEnd }
      } else {
        try advance(input[position])
        position += 1
      }
    }
    return position
  }

  private mutating func advance(_ byte: UInt8) throws(MessageError) {
    switch state {
    case .size:
      if let digit = byte.hexDigitValue {
        digits += 1
        // Sixteen digits hold any size; without a limit a peer could send zeros forever.
        let (size, overflow) = chunk.multipliedReportingOverflow(by: 16)
        guard digits <= 16, !overflow else { throw .malformed("has a chunk size that is too long") }
        chunk = size | Int(digit)
        guard chunk <= left else { throw .tooLarge(limit: limit) }
      } else {
        guard digits > 0 else { throw .malformed("has a chunk without a size") }
        try next(
          byte, [Byte.carriageReturn: .sizeEnd, UInt8(ascii: ";"): .extensions], "has a bad chunk size")
      }
    case .extensions:
      if byte == Byte.carriageReturn { state = .sizeEnd } else { try skip(byte) }
    case .sizeEnd:
      try next(
        byte, [Byte.lineFeed: chunk == 0 ? .trailer : .content], "has a bare CR in a chunk's first line")
      left -= chunk
      digits = 0
    case .contentEnd:
      try next(byte, [Byte.carriageReturn: .contentLineFeed], "has a chunk longer than its size")
    case .contentLineFeed:
      try next(byte, [Byte.lineFeed: .size], "has a chunk longer than its size")
    case .trailer:
      if byte == Byte.carriageReturn {
        state = .end
      } else {
        guard byte.isToken else { throw .malformed("has a trailer without a name") }
        try skip(byte)
        state = .trailerField
      }
    case .trailerField:
      if byte == Byte.carriageReturn { state = .trailerEnd } else { try skip(byte) }
    case .trailerEnd:
      try next(byte, [Byte.lineFeed: .trailer], "has a bare CR in its trailers")
    case .end:
      try next(byte, [Byte.lineFeed: .done], "does not end in CR LF")
    case .content, .done:
      break
    }
  }

  private mutating func next(
    _ byte: UInt8, _ states: KeyValuePairs<UInt8, State>, _ reason: String
  ) throws(MessageError) {
    guard let state = states.first(where: { $0.key == byte })?.value else { throw .malformed(reason) }
    self.state = state
  }

  private mutating func skip(_ byte: UInt8) throws(MessageError) {
    guard byte.isFieldText else { throw .malformed("has a control character in its chunks") }
    overhead += 1
    guard overhead <= ChunkedDecoder.overheadLimit else {
      throw .tooLarge(limit: ChunkedDecoder.overheadLimit)
    }
  }
}
