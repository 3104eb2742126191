/// What the grammar holds against a text.
enum Fault {
  // Something else stands where this must stand.
  case value, name, firstName, colon, nextMember, nextElement, digit, quote, blank, end
  case controlCharacter, escape, loneSurrogate, leadingZero, tooDeep, invalidUTF8, byteOrderMark

  /// What it comes to where the text ends: within a string, whatever is unfinished, the quote is missing.
  var atTheEnd: Fault {
    switch self {
    case .controlCharacter, .escape, .loneSurrogate: .quote
    default: self
    }
  }

  /// The sentence, given what stands at the place.
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
    case .invalidUTF8: "invalid UTF-8"
    case .byteOrderMark: "a byte order mark, which JSON does not allow: remove the first three bytes"
    }
  }
}
