import System
import Testing

@Suite struct ShortAppends {
  @Test(arguments: [nil, UInt8(ascii: "\"")] as [UInt8?])
  func areAppends(fence: UInt8?) {
    var bytes: [UInt8] = []
    var wanted: [UInt8] = []
    let around = fence.map { [$0] } ?? []
    for count in [0, 1, 7, 64, 3, 0, 1000] {
      let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(few: $0, fence: fence) }
      wanted += around + piece + around
      #expect(bytes == wanted)
    }
    // Bytes that somebody else holds too stay as they were.
    let before = bytes
    unsafe [1, 2].withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
    #expect(before == wanted && bytes == wanted + [1, 2])
  }
}
