extension [UInt8] {
  /// Appends a few bytes, between `fence`s where there is one. `append(contentsOf:)` spends more on finding out how
  /// to copy than on copying, which is most of what a row of JSON costs.
  @inlinable @inline(__always)
  public mutating func append(few bytes: UnsafeBufferPointer<UInt8>, fence: UInt8? = nil) {
    let extra = fence == nil ? 0 : 2
    append(addingCapacity: bytes.count + extra) { output in
      unsafe output.withUnsafeMutableBufferPointer { room, used in
        guard var end = unsafe room.baseAddress.map({ unsafe $0 + used }) else { return }
        if let fence {
          unsafe end.pointee = fence
          unsafe end += 1
        }
        if let start = bytes.baseAddress { unsafe end.update(from: start, count: bytes.count) }
        if let fence { unsafe end[bytes.count] = fence }
        used += bytes.count + extra
      }
    }
  }
}
