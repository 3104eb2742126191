import CLibraries
import System

extension Database {
  /// The SQLite that would be used: `3.45.1`.
  public static func libraryVersion() throws(Failure) -> String {
    let number = try unsafe SQLite.load().calls.pointee.libversion_number()
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }
}
