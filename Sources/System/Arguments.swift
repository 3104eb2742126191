/// The words of the command line.
public enum Arguments {
  /// The words after the program's name, each checked to be UTF-8: the standard library would mend what is not, and
  /// then a file of another name would be opened.
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
