import System

extension Context {
  /// The first line of a file that holds a secret; `-` is standard input. `name` is what a message calls it.
  public func secret(in file: String, called name: String) throws(Failure) -> String {
    let text = try open(file).readText(atMost: 4096, from: file)
    guard let line = text.split(whereSeparator: \.isNewline).first else {
      throw Failure(.usage, "'\(file)' holds no \(name)")
    }
    return String(line)
  }
}

extension ByteSource {
  /// All of a short text.
  fileprivate func readText(atMost limit: Int, from name: String) throws(Failure) -> String {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: limit)
    while true {
      var span = block.mutableSpan
      // Sound: any bits are a byte.
      var room = unsafe span.mutableBytes
      let count = try read(into: &room)
      guard count > 0 else { break }
      bytes.append(contentsOf: block[..<count])
      guard bytes.count <= limit else { throw Failure(.usage, "'\(name)' is longer than \(limit) bytes") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "'\(name)' is not UTF-8")
    }
    return text
  }
}
