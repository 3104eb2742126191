import CLibraries
import System

/// libpq, loaded on first use.
@safe struct PostgreSQL: Sendable {
  /// Functions, typed by the C compiler from the list in `PostgreSQL.h`. The library stays loaded, so the pointer
  /// stays valid.
  @unsafe nonisolated(unsafe) let calls: UnsafePointer<hw_postgresql>

  static let names = ["libpq.so.5", "libpq.so"]

  /// First version with pipelines.
  static let oldest: Int32 = 140_000

  private static let shared = Result { () throws(Failure) in try PostgreSQL(names) }

  static func load() throws(Failure) -> PostgreSQL { try shared.get() }

  init(_ names: [String]) throws(Failure) {
    for name in names {
      guard let calls = unsafe hw_postgresql_open(name) else { continue }
      guard unsafe calls.pointee.libVersion() >= PostgreSQL.oldest else { continue }
      unsafe self.calls = unsafe calls
      return
    }
    throw Failure(.storage, "libpq 14 or newer is not installed", hint: "install it (Debian, Ubuntu: libpq5)")
  }
}

extension Database {
  /// Version of the installed libpq: `15.6`.
  public static func postgreSQLLibraryVersion() throws(Failure) -> String {
    let number = try unsafe PostgreSQL.load().calls.pointee.libVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }
}
