public enum Arguments {
  /// Arguments after the program's name. Throws for invalid UTF-8, which the standard library would repair, so that a
  /// file of another name would be opened.
  public static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: bytes) else {
        throw Failure(.usage, "argument \(index) is not valid UTF-8")
      }
      words.append(word)
    }
    return words
  }
}
