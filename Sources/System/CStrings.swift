/// Strings as C's `exec` takes them: pointers to bytes, and a null pointer after the last.
enum CStrings {
  typealias Pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// A zero byte inside a string is refused: it would end it early, and what the program then saw would not be what
  /// was checked.
  static func with<Result>(
    _ strings: [String], _ body: (Pointers) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard !strings.contains(where: { $0.utf8.contains(0) }) else { throw SystemError(EINVAL) }
    let pointers = Pointers.allocate(capacity: strings.count + 1)
    unsafe pointers.initialize(repeating: nil, count: strings.count + 1)
    defer {
      for index in strings.indices { unsafe free(pointers[index]) }
      unsafe pointers.deallocate()
    }
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    return try unsafe body(pointers)
  }
}
