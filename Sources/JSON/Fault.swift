/// What the grammar holds against a text.
enum Fault: Equatable {
  /// Something else stands where this must stand.
  case expected(String)
  case controlCharacter
  case escape
  case loneSurrogate
  case leadingZero
  case tooDeep
  case invalidUTF8
  case byteOrderMark
  case tooLarge(Int)

  static let value = Fault.expected("a value")
  static let name = Fault.expected("a name in quotes")
  static let firstName = Fault.expected("a name in quotes or '}'")
  static let colon = Fault.expected("':'")
  static let nextMember = Fault.expected("',' or '}'")
  static let nextElement = Fault.expected("',' or ']'")
  static let digit = Fault.expected("a digit")
  static let quote = Fault.expected("a closing quote")
  static let end = Fault.expected("the end")

  /// The sentence, given what stands at the place.
  func message(found: String) -> String {
    switch self {
    case .expected(let what): "expected \(what), found \(found)"
    case .controlCharacter: "a string holds the control character \(found): write it as an escape"
    case .escape: "a string holds an escape that JSON does not have"
    case .loneSurrogate: "half a surrogate pair in a string"
    case .leadingZero: "a number begins with a needless 0"
    case .tooDeep: "nested deeper than \(Indexer.maximumDepth) levels"
    case .invalidUTF8: "invalid UTF-8"
    case .byteOrderMark: "a byte order mark, which JSON does not allow: remove the first three bytes"
    case .tooLarge(let bound): "an element larger than \(bound) bytes"
    }
  }
}
