/// The names that the users of a server can have.
public enum UserName {
  /// 1 to 64 letters, digits, `-`, `_` and `.` of ASCII.
  public static func isValid(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }
  }
}
