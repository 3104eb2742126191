import System

extension JSON {
  /// Reads one JSON text, which must be all there is.
  public static func parse(_ bytes: [UInt8]) throws(Failure) -> JSON {
    try unsafe bytes.withUnsafeBufferPointer { buffer throws(Failure) in try unsafe parse(buffer) }
  }

  public static func parse(_ text: String) throws(Failure) -> JSON {
    try parse(Array(text.utf8))
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(Failure) -> JSON {
    guard bytes.count <= Entry.largestDocument else {
      throw Failure(.invalidData, "a JSON text larger than \(Entry.largestDocument) bytes")
    }
    // Room that is not used costs nothing, but to grow costs a copy: few texts have more entries than this.
    let document = Document(capacity: bytes.count, entries: max(16, bytes.count / 5))
    if let source = bytes.baseAddress {
      unsafe document.body.pointee.memory.update(from: source, count: bytes.count)
    }
    let memory = unsafe document.body.pointee.memory
    var indexer = Indexer()
    if unsafe bytes.count >= 3 && memory[0] == 0xEF && memory[1] == 0xBB && memory[2] == 0xBF {
      throw document.failure(.byteOrderMark, at: 0, filled: bytes.count, indexer: indexer)
    }
    let limit = unsafe UTF8Check.firstInvalid(in: memory, 0..<bytes.count)
    let isValid = limit == bytes.count
    let kept = unsafe memory[limit]
    unsafe memory[limit] = 0
    let outcome = indexer.run(document, limit: limit, ended: isValid)
    var at = indexer.position
    if case .complete = outcome { unsafe Indexer.skipBlanks(memory, &at) }
    unsafe memory[limit] = kept

    switch outcome {
    case .refused(let fault, let at):
      throw document.failure(fault, at: at, filled: bytes.count, indexer: indexer)
    case .starved(let fault):
      throw document.failure(isValid ? fault : .invalidUTF8, at: limit, filled: bytes.count, indexer: indexer)
    case .complete:
      guard at == bytes.count else {
        let fault = at == limit ? Fault.invalidUTF8 : .end
        throw document.failure(fault, at: at, filled: bytes.count, indexer: indexer)
      }
      return JSON(document: document, index: 0)
    }
  }
}
