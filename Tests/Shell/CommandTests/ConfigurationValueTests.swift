import System
import Testing

@testable import Command

@Suite struct ConfigurationValues {
  @Test(arguments: [
    (" a", "a", ""), (" a b ", "a b", ""), (" a # c", "a", " # c"), ("a#b", "a#b", ""),
    (" \"a # b\" # c", "a # b", " # c"),
    (#" "a\"b\\c\d""#, #"a"b\c\d"#, ""), (#"'a\"b'"#, #"a\"b"#, ""), ("", "", ""), (" # c", "", " # c"),
    (" a\t#", "a", "\t#"), (" \u{A0}a # c", "a", " # c"),
    (" \" a \" ", " a ", ""), ("http://h/#x", "http://h/#x", ""),
  ]) func valueAndCommentAreSeparated(_ line: String, _ text: String, _ comment: String) {
    let value = ConfigurationValue(line)
    #expect(value?.text == text)
    #expect(value?.comment == comment)
  }

  @Test(arguments: ["\"a", "'a", "\"a\" b", "\"a\\\"", "'"]) func areRefused(_ line: String) {
    #expect(ConfigurationValue(line) == nil)
  }

  @Test(arguments: ["a", "a b", "", "a#b", "a # b", "#", "\"", "'a'", " a", "a\\", "\\\" #"])
  func areReadBack(_ value: String) {
    #expect(ConfigurationValue(" " + ConfigurationValue.quoted(value) + " # c")?.text == value)
  }
}
