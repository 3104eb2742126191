import JSON
import System

extension Condition {
  typealias Spelling = (text: String, operation: Operator)

  /// Longer spellings first. `==` is `=`, as in most languages; otherwise the value would begin with `=`.
  private static let spellings: [Spelling] = [("==", .equal)] + Operator.allCases.map { ($0.rawValue, $0) }

  /// First operator outside the quotes around a name.
  static func firstOperator(in text: String) -> (String.Index, Spelling)? {
    let bytes = Array(text.utf8)
    func found(_ at: Int) -> Spelling? { spellings.first { bytes[at...].starts(with: $0.text.utf8) } }
    guard let at = PathText.firstIndex(in: bytes[...], from: 0, where: { found($0) != nil }),
      let spelling = found(at)
    else { return nil }
    return (text.utf8.index(text.startIndex, offsetBy: at), spelling)
  }

  /// Refuses operators of other languages, which would be read as a part of the value.
  public func checkSpelling() throws(Failure) {
    let value = value.trimmed
    for (start, other, right) in [
      ("=", ">", ">="), ("=", "<", "<="), ("=", "~", "*="), ("=", "=", "="), ("!=", "=", "!="),
      ("<", ">", "!="),
    ]
    where operation.rawValue == start && value.hasPrefix(other) {
      throw refused(
        "there is no operator '\(spelling)\(other)'",
        hint: "write '\(field)\(right)\(value.dropFirst().trimmed)'")
    }
    if value.utf8.count > 1, let quote = value.first, "'\"".contains(quote), value.last == quote {
      throw refused(
        "a value has no quotes",
        hint:
          "write --where \(ShellWord("\(field)\(operation.rawValue)\(value.dropFirst().dropLast())").quoted)")
    }
    let words = value.split(separator: " ", omittingEmptySubsequences: false)
    for at in words.indices where ["and", "AND", "&&", "or", "OR", "||"].contains(words[at]) {
      guard let second = Condition(words[(at + 1)...].joined(separator: " ")),
        !second.field.contains(" ")
      else { continue }
      guard ["and", "AND", "&&"].contains(words[at]) else {
        throw refused("one condition is expected", hint: "run the command once for each of them")
      }
      let first = "\(field)\(operation.rawValue)\(words[..<at].joined(separator: " "))"
      throw refused(
        "one condition is expected",
        hint: "write --where \(ShellWord(first).quoted) --where \(ShellWord(second.text).quoted)")
    }
  }
}
