import HTTP
import Store
import System

public struct User: Equatable, Sendable {
  public let name: String
  /// Whether the user may return, edit and delete what belongs to others, and read the audit log.
  public let isAdmin: Bool

  public init(_ name: String, isAdmin: Bool) {
    self.name = name
    self.isAdmin = isAdmin
  }
}

/// The users of a store. A token is stored as its SHA-256 only, without a salt. A token of 'hw users' has 128 random
/// bits, so its hash reveals nothing; one that an operator chose is only as safe in the store as it is hard to guess.
///
/// A server keeps the users in memory and checks once a turn whether they have changed, so that a change by a command
/// applies from the next request on.
public final class UserTable {
  public struct Record: Equatable, Sendable {
    public let user: User
    public let added: Timestamp
    /// Differs between tokens, and reveals nothing about them; nil before the user is stored.
    public let tokenID: String?

    public init(user: User, added: Timestamp, tokenID: String? = nil) {
      self.user = user
      self.added = added
      self.tokenID = tokenID
    }
  }

  private let database: Database
  /// Users of this process only, by the hashes of their tokens.
  private var temporary: [String: User] = [:]
  private var stored: [String: User] = [:]
  /// Grows with every change; nil before it is read. Negative if the addition of the first user was undone: the store
  /// then counts as unused.
  private var revision: Int?
  private var isChecked = false

  public static let migrations = Migrations(
    "users",
    [
      """
      CREATE TABLE server_user (
        name TEXT PRIMARY KEY,
        hash TEXT NOT NULL UNIQUE,
        admin INTEGER NOT NULL,
        added_at BIGINT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE user_revision (id INTEGER PRIMARY KEY, revision BIGINT NOT NULL);
      """,
      // The names of deleted users, whose bikes and rentals stay.
      "CREATE TABLE former_user (name TEXT PRIMARY KEY, deleted_at BIGINT NOT NULL) WITHOUT ROWID;",
    ])

  public init(_ store: Store) throws(Failure) { database = try store.open(UserTable.migrations) }

  public init(reading store: Store) throws(Failure) {
    database = try store.openForReading(UserTable.migrations)
  }

  /// Adds a user for this process only; nothing is stored.
  public func addTemporary(_ user: User, token: String) { temporary[UserTable.hash(of: token)] = user }

  /// Looks up the hash of the token, so that the time reveals nothing about the token.
  func user(of token: String) throws(Failure) -> User? {
    try refresh()
    let hash = UserTable.hash(of: token)
    return stored[hash] ?? temporary[hash]
  }

  /// Whether the store never had a user. A server does not become open when the last user is removed.
  public var isUnused: Bool {
    get throws(Failure) {
      try refresh()
      return (revision ?? 0) <= 0
    }
  }

  func turnEnded() { isChecked = false }

  private func refresh() throws(Failure) {
    guard !isChecked else { return }
    let current = try storedRevision() ?? 0
    if current != revision {
      var users: [String: User] = [:]
      try database.each("SELECT hash, name, admin FROM server_user") { row throws(Failure) in
        users[try row[0].text] = User(try row[1].text, isAdmin: try row[2].integer != 0)
      }
      stored = users
      revision = current
    }
    isChecked = true
  }

  public func all() throws(Failure) -> [Record] {
    try database.rows("SELECT name, admin, added_at, hash FROM server_user ORDER BY name") {
      row throws(Failure) in
      Record(
        user: User(try row[0].text, isAdmin: try row[1].integer != 0),
        added: Timestamp(seconds: Int64(try row[2].integer)),
        tokenID: String(UserTable.hash(of: try row[3].text).prefix(8)))
    }
  }

  public func find(_ name: String) throws(Failure) -> Record? { try all().first { $0.user.name == name } }

  public func isLastAdmin(_ name: String) throws(Failure) -> Bool {
    try all().filter(\.user.isAdmin).map(\.user.name) == [name]
  }

  /// Throws a conflict if the name or the token belongs to another user, or, without `again`, if the name belonged to a
  /// deleted one. `deliver` prints the token after the change is stored. If it throws, the user is removed.
  public func add(
    _ record: Record, token: String, again: Bool = false, deliver: () throws(Failure) -> Void = {}
  ) throws(Failure) {
    let user = record.user
    try UserTable.checkNew(user.name)
    var former: Int?
    var firstRevision: Int?
    try database.transaction { () throws(Failure) in
      former = try database.first("SELECT deleted_at FROM former_user WHERE name = ?", [.text(user.name)]) {
        row throws(Failure) in try row[0].integer
      }
      guard again || former == nil else { throw UserTable.formerUser(user.name) }
      try database.run("DELETE FROM former_user WHERE name = ?", [.text(user.name)])
      let added = try database.run(
        "INSERT INTO server_user (name, hash, admin, added_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
          .text(user.name), .text(UserTable.hash(of: token)), .integer(user.isAdmin ? 1 : 0),
          .integer(Int(record.added.seconds)),
        ])
      guard added == 1 else {
        throw Failure(
          .conflict,
          try find(user.name) == nil
            ? UserTable.tokenOfAnother : "the server has a user '\(user.name)' already")
      }
      let before = try storedRevision() ?? 0
      try advanceRevision()
      firstRevision = before <= 0 ? try storedRevision() : nil
    }
    try UserTable.delivering(deliver, "user '\(user.name)' was not added") { () throws(Failure) in
      try database.transaction { () throws(Failure) in
        try database.run("DELETE FROM server_user WHERE name = ?", [.text(user.name)])
        if let former {
          try database.run("INSERT INTO former_user VALUES (?, ?)", [.text(user.name), .integer(former)])
        }
        try advanceRevision()
        // A server that was open stays open, unless another process has added a user meanwhile.
        if let firstRevision {
          try database.run(
            "UPDATE user_revision SET revision = -revision WHERE revision = ?", [.integer(firstRevision + 1)])
        }
      }
    }
  }

  public func remove(_ name: String, at time: Timestamp, evenLastAdmin: Bool = false) throws(Failure) {
    try database.transaction { () throws(Failure) in
      if !evenLastAdmin { try requireAnotherAdmin(than: name) }
      guard try database.run("DELETE FROM server_user WHERE name = ?", [.text(name)]) == 1 else {
        throw UserTable.unknown(name)
      }
      try database.run("INSERT INTO former_user VALUES (?, ?)", [.text(name), .integer(Int(time.seconds))])
      try advanceRevision()
    }
  }

  public func former(before time: Timestamp) throws(Failure) -> [String] {
    try database.rows(
      "SELECT name FROM former_user WHERE deleted_at < ? ORDER BY name", [.integer(Int(time.seconds))]
    ) { row throws(Failure) in try row[0].text }
  }

  /// Makes the name of a deleted user available to a new one.
  public func forget(_ name: String) throws(Failure) {
    try database.run("DELETE FROM former_user WHERE name = ?", [.text(name)])
  }

  public func setAdmin(_ isAdmin: Bool, of name: String) throws(Failure) {
    try database.transaction { () throws(Failure) in
      if !isAdmin { try requireAnotherAdmin(than: name) }
      let changed = try database.run(
        "UPDATE server_user SET admin = ? WHERE name = ?", [.integer(isAdmin ? 1 : 0), .text(name)])
      guard changed == 1 else { throw UserTable.unknown(name) }
      try advanceRevision()
    }
  }

  /// Throws if the user is the only admin. Two transactions at once must not remove the last two.
  private func requireAnotherAdmin(than name: String) throws(Failure) {
    try database.lock(named: "admins")
    guard try isLastAdmin(name) else { return }
    throw Failure(
      .conflict, "'\(name)' is the last admin",
      hint: "make another user an admin first, with 'hw users add NAME --admin'")
  }

  /// Replaces the token of a user, and refuses the former one from now on. Throws a conflict if the token belongs to
  /// another user. `deliver` prints the token; if it throws, the former token stays.
  public func setToken(
    of name: String, to token: String, deliver: () throws(Failure) -> Void = {}
  ) throws(Failure) {
    let hash = SQLValue.text(UserTable.hash(of: token))
    var former = ""
    try database.transaction { () throws(Failure) in
      former =
        try database.first("SELECT hash FROM server_user WHERE name = ?", [.text(name)]) {
          row throws(Failure) in try row[0].text
        } ?? ""
      let changed = try database.run(
        """
        UPDATE server_user SET hash = ? WHERE name = ?
        AND NOT EXISTS (SELECT 1 FROM server_user AS other WHERE other.hash = ? AND other.name <> ?)
        """, [hash, .text(name), hash, .text(name)])
      guard changed == 1 else {
        throw try find(name) == nil ? UserTable.unknown(name) : Failure(.conflict, UserTable.tokenOfAnother)
      }
      try advanceRevision()
    }
    try UserTable.delivering(deliver, "the former token of '\(name)' is valid") { () throws(Failure) in
      try database.transaction { () throws(Failure) in
        try database.run(
          "UPDATE server_user SET hash = ? WHERE name = ? AND hash = ?", [.text(former), .text(name), hash])
        try advanceRevision()
      }
    }
  }

  private static let tokenOfAnother = "another user has this token"

  static func tryToWrite(_ database: Database) throws(Failure) {
    try database.transaction { () throws(Failure) in
      try database.run("INSERT INTO former_user VALUES ('', 0)")
      try database.run("DELETE FROM former_user WHERE name = ''")
    }
  }

  private func storedRevision() throws(Failure) -> Int? {
    try database.first("SELECT revision FROM user_revision") { row throws(Failure) in try row[0].integer }
  }

  private func advanceRevision() throws(Failure) {
    try database.run(
      """
      INSERT INTO user_revision VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET revision = abs(user_revision.revision) + 1
      """)
  }

  /// Calls `deliver`, and `undo` if it throws. `result` is the state after `undo`, for the message.
  private static func delivering(
    _ deliver: () throws(Failure) -> Void, _ result: String, undo: () throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try deliver()
    } catch {
      do throws(Failure) { try undo() } catch let second {
        throw second.prefixing(
          "the token could not be printed, and is valid", hint: "replace it with 'hw users rotate'")
      }
      throw Failure(.storage, "the token could not be printed: \(error.message); \(result)")
    }
  }

  private static func formerUser(_ name: String) -> Failure {
    Failure(
      .conflict, "'\(name)' was a user before, whose bikes and rentals the new one would get",
      hint: "choose another name, or use --again for the same person")
  }

  public static func unknown(_ name: String) -> Failure {
    Failure(
      .notFound, "the server has no user '\(name)'",
      hint: "'hw users list', with the same --store, shows them")
  }

  /// Reserved name for the user of the command that `hw serve` runs.
  public static let commandUser = "command"

  private static func checkNew(_ name: String) throws(Failure) {
    // `-` means no user in logs and tables.
    guard UserName.isValid(name), name.utf8.first?.isASCIIAlphanumeric == true else {
      throw Failure(
        .usage, "invalid user name '\(name)'",
        hint: "a name has 1 to 64 ASCII letters, digits, '-', '_' and '.', and begins with a letter or digit")
    }
    guard name != commandUser else {
      throw Failure(
        .usage, "'\(name)' is the user of the command of 'hw serve -- COMMAND'", hint: "choose another name")
    }
  }

  private static func hash(of token: String) -> String { SHA256.hex(Array(token.utf8)) }
}
