import Command
import Store
import System

extension Context {
  /// Returns the store of `--store`, or else the user's data directory. A server does not wait for locks.
  func chosenStore(_ call: Invocation, waitsForLocks: Bool = true) throws(Failure) -> Store {
    let option = Toolbox.serveStore
    guard let text = call[option] else {
      return store(in: try UserFolders(environment).data, waitsForLocks: waitsForLocks)
    }
    return try store(text, of: option, isTyped: call.isGiven(option), waitsForLocks: waitsForLocks)
  }

  /// Returns the directory or the database that an option names. `isTyped` means on the command line, which other users
  /// can read: a password is accepted only from a variable.
  func store(
    _ text: String, of option: Option<String?>, isTyped: Bool, waitsForLocks: Bool = true
  ) throws(Failure) -> Store {
    let (name, ownVariable) = (option.declaration.name, option.declaration.ownVariable)
    guard PostgreSQLAddress.isAddress(text) else {
      try StoreName.check(text, for: "--\(name)")
      return store(in: text, waitsForLocks: waitsForLocks)
    }
    let address = try PostgreSQLAddress(text)
    let variables = option.declaration.variables(suite: nil) + [ownVariable].compactMap { $0 }
    let isFromVariable = !isTyped && variables.contains { environment[$0] == text }
    guard !address.hasPassword || isFromVariable else {
      throw StoreName.unexpectedPassword(in: "--\(name)", variables)
    }
    return Store(address, environment: environment, time: time)
  }
}

extension ValueKind where Value == String {
  /// A directory or a PostgreSQL database. A variable may contain a password, the configuration file must not.
  static var store: ValueKind {
    text("STORE", .folders).checkedInFile { text, setting throws(Failure) in
      guard PostgreSQLAddress.isAddress(text) else { return try StoreName.check(text, for: setting) }
      let address = try PostgreSQLAddress(text)
      guard !address.hasPassword else { throw StoreName.unexpectedPassword(in: setting, ["HW_STORE"]) }
    }
  }
}

/// Checks the name of a directory. An address that hw does not support would become a directory of that name.
enum StoreName {
  fileprivate static func unexpectedPassword(in subject: String, _ variables: [String]) -> Failure {
    Failure(
      .usage, "'\(subject)' does not take a password",
      hint: "set \(variables.joined(separator: " or ")) to the address with its password, or name a file with"
        + " passwords in PGPASSFILE")
  }

  /// Quotes only the beginning of the text, which may contain a password.
  static func check(_ text: String, for subject: String) throws(Failure) {
    // A scheme, or the other form of an address that libpq reads: `host=db1.example user=hw`.
    let start = text.prefix { $0 != "/" }
    guard let end = start.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return }
    throw Failure(
      .usage, "'\(subject)' requires a directory or a PostgreSQL database, not '\(start[...end])'",
      hint: """
        write a database as postgresql://USER@HOST:PORT/DATABASE; if it is the name of a directory, begin with './'
        """)
  }
}
