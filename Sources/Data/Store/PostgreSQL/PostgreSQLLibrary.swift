import CLibraries
import System

/// libpq, opened on first use: what never touches a PostgreSQL server never pays for it.
@safe struct PostgreSQL: Sendable {
  /// Typed by the C compiler from the one list in `PostgreSQL.h`; the library stays loaded, so it is always good.
  @unsafe nonisolated(unsafe) let calls: UnsafePointer<hw_postgresql>

  static let names = ["libpq.so.5", "libpq.so"]

  /// The first that sends several statements before it reads their results.
  static let oldest: Int32 = 140_000

  private static let shared = Result { () throws(Failure) in try PostgreSQL(names) }

  static func load() throws(Failure) -> PostgreSQL { try shared.get() }

  /// The first of the libraries that is there.
  init(_ names: [String]) throws(Failure) {
    for name in names {
      guard let calls = unsafe hw_postgresql_open(name) else { continue }
      guard unsafe calls.pointee.libVersion() >= PostgreSQL.oldest else { continue }
      unsafe self.calls = unsafe calls
      return
    }
    throw Failure(
      .storage, "libpq 14 or newer is not installed", hint: "install it (Debian, Ubuntu: libpq5)")
  }
}

extension Database {
  /// The libpq that would be used: `15.6`.
  public static func postgreSQLLibraryVersion() throws(Failure) -> String {
    let number = try unsafe PostgreSQL.load().calls.pointee.libVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }
}
