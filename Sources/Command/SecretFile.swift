import System

extension Context {
  /// The first line of a file that holds a secret; `-` is standard input. `name` is what a message calls it.
  public func secret(in file: String, called name: String) throws(Failure) -> String {
    var lines = LineReader(try open(file), name: file)
    while let line = try lines.nextText() {
      if !line.isEmpty { return line }
    }
    throw Failure(.usage, "'\(file)' holds no \(name)")
  }
}
