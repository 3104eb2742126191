import System

enum SyntaxError {
  // Something else was found where this was expected.
  case value, name, firstName, colon, nextMember, nextElement, digit, quote, blank, end
  case controlCharacter, escape, loneSurrogate, leadingZero, tooDeep, tooManyValues, invalidUTF8,
    byteOrderMark, secondName

  /// Error if the text ends here: inside a string, a missing quote.
  var atTheEnd: SyntaxError {
    switch self {
    case .controlCharacter, .escape, .loneSurrogate: .quote
    default: self
    }
  }

  func message(found: String) -> String {
    switch self {
    case .value: "expected a value, found \(found)"
    case .name: "expected a name in quotes, found \(found)"
    case .firstName: "expected a name in quotes or '}', found \(found)"
    case .colon: "expected ':', found \(found)"
    case .nextMember: "expected ',' or '}', found \(found)"
    case .nextElement: "expected ',' or ']', found \(found)"
    case .digit: "expected a digit, found \(found)"
    case .quote: "expected a closing quote, found \(found)"
    case .blank: "expected white space after a value, found \(found)"
    case .end: "expected the end, found \(found)"
    case .controlCharacter: "a string holds the control character \(found): write it as an escape"
    case .escape: "a string holds an escape that JSON does not have"
    case .loneSurrogate: "half a surrogate pair in a string"
    case .leadingZero: "a number begins with a needless 0"
    case .tooDeep: "nested deeper than \(Indexer.maximumDepth) levels"
    case .tooManyValues: "too many values for the size of the text"
    case .invalidUTF8: "invalid UTF-8"
    case .secondName: "expected another name, found the one of the array before"
    case .byteOrderMark: "a byte order mark, which JSON does not allow: remove the first three bytes"
    }
  }
}

extension Document {
  /// Failure of a syntax error. `offset` is relative to the element's start, and `filled` the number of bytes.
  func failure(_ syntaxError: SyntaxError, at offset: Int, filled: Int, indexer: Indexer) -> Failure {
    let found = describe(offset, filled: filled)
    return failure(syntaxError.message(found: found), offset: offset, path: steps(of: indexer))
  }

  func failure(_ message: String, offset: Int, path: [Step]) -> Failure {
    let position = position(of: unsafe body.pointee.start + offset)
    let at = path.isEmpty ? "" : ", at \(Step.brief(of: path))"
    return Failure(
      .invalidData, "line \(position.line), column \(position.column)\(at): \(message)",
      cause: .input(line: position.line))
  }

  private func describe(_ offset: Int, filled: Int) -> String {
    guard offset < filled else { return "the end" }
    let byte = unsafe base[offset]
    if byte < 0x20 || byte == 0x7F {
      return "U+\(String(byte, radix: 16, uppercase: true).zeroPadded(to: 4))"
    }
    let length = unsafe UTF8Check.length(at: base + offset, atMost: filled - offset)
    let character = unsafe UnsafeBufferPointer(start: base + offset, count: max(1, length))
    return "'" + String(decoding: unsafe Array(character), as: UTF8.self) + "'"
  }
}
