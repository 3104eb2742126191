import CLibraries
import System

/// SQLite, loaded on first use.
@safe struct SQLite: Sendable {
  /// Functions, typed by the C compiler from the list in `SQLite.h`. The library stays loaded, and the pointer valid.
  @unsafe nonisolated(unsafe) let calls: UnsafePointer<hw_sqlite>

  static let names = ["libsqlite3.so.0", "libsqlite3.so"]

  /// Oldest version on the systems that Swift supports. The suites' SQL respects it: no STRICT, no RETURNING.
  static let oldest: Int32 = 3_034_000

  private static let shared = Result { () throws(Failure) in try SQLite(names) }

  static func load() throws(Failure) -> SQLite { try shared.get() }

  init(_ names: [String]) throws(Failure) {
    for name in names {
      guard let calls = unsafe hw_sqlite_open(name, SQLite.oldest) else { continue }
      unsafe self.calls = unsafe calls
      return
    }
    throw Failure(
      .storage, "SQLite 3.34 or newer is not installed", hint: "install it (Debian, Ubuntu: libsqlite3-0)")
  }
}

extension Database {
  /// Version of the installed SQLite: `3.45.1`.
  public static func libraryVersion() throws(Failure) -> String {
    let number = try unsafe SQLite.load().calls.pointee.libversion_number()
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }
}
