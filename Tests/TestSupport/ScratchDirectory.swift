import Foundation

/// A new directory that is deleted with this value.
public final class ScratchDirectory: Sendable {
  public let path: String

  /// Its name is short: the name of a socket has 107 bytes, and a browser makes one two folders below.
  public init() throws {
    let name = "hw-test-\(UUID().uuidString.prefix(13))"
    path = FileManager.default.temporaryDirectory.appending(path: name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Sorted, hidden files included. A directory that does not exist has none.
  public func names(_ directory: String = ".") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(directory))) ?? []).sorted()
  }

  public var names: [String] { names() }

  public func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }

  /// Empty if there is no such file.
  public func text(_ name: String) -> String {
    String(decoding: FileManager.default.contents(atPath: file(name)) ?? Data(), as: UTF8.self)
  }

  /// Writes a file, with the directories above it.
  public func write(_ text: String, to name: String) throws {
    let url = URL(filePath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  public func mode(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: file(name)))?[.posixPermissions] as? Int
  }
}
