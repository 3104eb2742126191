public enum UserName {
  /// Whether the name of a server's user is valid: 1 to 64 letters, digits, `-`, `_` and `.` of ASCII.
  public static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
  }
}
