/// Format of a kind of stored file, with the version that this hw reads and writes. A file without a version is version
/// 1: files that people edit need none. Unknown versions are refused before anything is read or changed. The version is
/// in the first line of a text file (`# hw recording 1`), in the member `version` of a JSON object, in the
/// `user_version` of a database. Caches and ledgers of other versions are replaced.
public struct FileFormat: Sendable {
  public let name: String
  public let version: Int
  private let oldest: Int

  /// Versions from `oldest` on are converted; nil if there are none.
  public init(_ name: String, version: Int = 1, oldest: Int? = nil) {
    self.name = name
    self.version = version
    self.oldest = oldest ?? version
  }

  /// Fails (`storage`) unless this hw reads or converts files of that version.
  public func check(_ version: Int, of file: String) throws(Failure) {
    guard version <= self.version else {
      throw Failure(
        .storage, "'\(file)' is of a newer hw: version \(version), and this one reads up to \(self.version)",
        hint: "it was left as it is; update hw")
    }
    guard version >= 1 else { throw Failure(.storage, "'\(file)' is damaged: its version is \(version)") }
    guard version >= oldest else {
      throw Failure(
        .storage, "'\(file)' is of an older hw: version \(version), and this one reads from \(oldest) on",
        hint: "it was left as it is; use the hw that wrote it, or move it away")
    }
  }

  public var header: String { "\(prefix)\(version)" }

  private var prefix: String { "# hw \(name) " }

  public func check(headerOf contents: [UInt8], in file: String) throws(Failure) {
    let line = contents.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let digits = line.starts(with: prefix.utf8) ? line.dropFirst(prefix.utf8.count) : []
    guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit) else { return try check(1, of: file) }
    // A number that is too large for Int is newer than any version.
    try check(Int(String(decoding: digits, as: UTF8.self)) ?? .max, of: file)
  }
}
