import Command
import Output
import Server
import Store
import System

extension Toolbox {
  public static let users = Suite(
    "users", "Add, list and delete the users of a server",
    discussion: """
      The users of 'hw serve' are rows of its store. A change counts at once, also for a server that is running. Each \
      user has a token; the store has only its hash. A user's bikes, rentals and scores belong to the name, so they \
      stay the same with a new token.
      """,
    databases: [UserTable.migrations],
    commands: [usersAdd, usersList, usersDelete, usersRotate]
  )

  static let userName = Operand(
    "NAME", ValueKind<String>.text("NAME"), "The name: ASCII letters, digits, hyphens, '_' and '.'")
  static let userAdmin = Option(
    "admin", "Make the user an admin",
    details: "If the user exists, the token stays and is not printed. --no-admin is the reverse.")
  static let userAgain = Option(
    "again", "Add a deleted user again",
    details: "The user gets the bikes and rentals of the deleted user with this name.")
  static let userTokenFile = Option(
    "token-file", ValueKind<String>.inputFile, "Use the token in FILE instead of a new one",
    details: """
      '-' is standard input. The token has 16 to 512 visible characters. It must be random and not a password: its \
      SHA-256 is stored without a salt.
      """)

  static let usersAdd = Command(
    "add", "Add a user and print the token",
    discussion: """
      The token is shown only here: only its hash is stored. If it cannot be printed, no user is added. A member \
      sets it with 'hw config set bikes.token -', and the server with 'hw config set bikes.url'.

      An admin may return, edit and delete every bike, and reads the rentals of all users. Repeat the command with \
      --admin or --no-admin to change a user.
      """,
    operands: [userName], options: [userAdmin, userAgain, userTokenFile, serveStore],
    output: .one(NewUserRow.self, text: "The token, as a line; nothing for a user who exists.")
      .schemaVersion(2).hintIfLost("'hw users rotate NAME' prints a new token"),
    needs: [.store],
    examples: [
      Example("hw users add anna", "add a user and print the token"),
      Example("hw users add mia --json", "print the token as JSON"),
      Example("hw users add anna --admin --json -q", "make a user an admin", after: setupWithUser),
    ],
    failures: [.conflict, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let name = try call[userName]
    let user = User(name, isAdmin: call[userAdmin])
    let store = try context.chosenStore(call)
    let hasUsers = try store.contains(UserTable.migrations)
    if call.isDecided(userAdmin.declaration), hasUsers {
      let users = try UserTable(store)
      if let record = try users.find(name) {
        guard call[userTokenFile] == nil else {
          throw Failure(
            .usage, "the server has a user '\(name)' already, whose token stays",
            hint: "replace it with \(ShellWord.command("hw", "users", "rotate", name))")
        }
        try users.setAdmin(user.isAdmin, of: name)
        context.messages.report("'\(name)' is \(user.isAdmin ? "an admin" : "no admin") now")
        let settings = context.output.settings
        guard settings.format != nil || settings.fields != nil else { return }
        return try context.output.write(
          NewUserRow(record: UserTable.Record(user: user, added: record.added), token: nil))
      }
    }
    let token = try newToken(call, context)
    // The name of the store may be mistyped.
    if call[serveStore] != nil, !hasUsers { context.messages.report("the store is new: it had no users") }
    let record = UserTable.Record(user: user, added: context.time.now())
    try UserTable(store).add(record, token: token, again: call[userAgain]) { () throws(Failure) in
      try context.writeAtOnce(record, token)
    }
  }

  private static let setupWithUser = "hw users add anna -q >/dev/null; "

  static let usersList = Command(
    "list", "List the users of a server",
    options: [serveStore],
    output: .list(UserRow.self, order: "by name").schemaVersion(2),
    needs: [.store],
    examples: [Example("hw users list", "list names and roles", after: setupWithUser)],
    failures: [.notFound, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let store = try context.chosenStore(call)
    var records: [UserTable.Record] = []
    if try store.contains(UserTable.migrations) {
      records = try UserTable(reading: store).all()
    } else if call[serveStore] != nil {
      // The name of the store may be mistyped.
      throw storeWithoutUsers
    } else {
      context.output.noteIfEmpty = "the store has no users"
    }
    try context.output.write(records.map { UserRow(record: $0, time: context.time) })
  }

  static let usersDelete = Command(
    "delete", "Delete a user",
    discussion: """
      The token is refused from now on. The user's bikes and rentals stay: they are listed on standard error, with \
      the commands that an admin ends them with. The name is refused for a new user, except with 'hw users add \
      --again'. Without a terminal, the last admin is deleted only with --yes.
      """,
    operands: [userName], options: [serveStore, Confirmation.yes, Confirmation.dryRun],
    output: .one(Deleted<UserRow>.self, text: "One line.").schemaVersion(2),
    needs: [.store, .loss],
    examples: [
      Example(
        "hw users delete anna --yes", "delete a user without confirmation",
        after: "hw users add ben --admin -q >/dev/null; " + setupWithUser)
    ],
    failures: [.notFound, .conflict, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let users = try context.users(call)
    let name = try call[userName]
    guard let record = try users.find(name) else { throw UserTable.unknown(name) }
    var remains: [String] = []
    for suite in context.program.suites {
      do throws(Failure) {
        remains += try suite.personalData?.remains(context.chosenStore(call), name) ?? []
      } catch {
        // The token must be refused all the same.
        remains.append("the data of '\(suite.name)' cannot be read: \(error.message)")
      }
    }
    if !call[Confirmation.dryRun] {
      let isLast = try users.isLastAdmin(name)
      if isLast {
        context.messages.report(
          "'\(name)' is the last admin: nobody else can end rentals and edit bikes of others")
        try context.confirm("Delete the last admin, '\(name)'?")
      } else {
        try context.confirmIfInteractive("Delete the user '\(name)'?")
      }
      try users.remove(name, at: context.time.now(), evenLastAdmin: isLast || call[Confirmation.yes])
      if try users.all().isEmpty { remains.append("no user is left; the server still requires a token") }
    }
    for sentence in remains { context.messages.report(sentence) }
    let row = UserRow(record: record, time: context.time)
    try context.output.write(Deleted(row, "user \(name)", isDryRun: call[Confirmation.dryRun]))
  }

  static let usersRotate = Command(
    "rotate", "Replace the token of a user and print the new one",
    discussion: """
      The former token is refused from now on. If the new one cannot be printed, the user keeps the former.
      """,
    operands: [userName], options: [userTokenFile, serveStore],
    output: .one(NewUserRow.self, text: "The token, as a line.").schemaVersion(2)
      .hintIfLost("'hw users rotate NAME' prints another new token"),
    needs: [.store],
    examples: [Example("hw users rotate anna", "replace a lost token", after: setupWithUser)],
    failures: [.notFound, .conflict, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let users = try context.users(call)
    let name = try call[userName]
    guard let record = try users.find(name) else { throw UserTable.unknown(name) }
    let token = try newToken(call, context)
    try users.setToken(of: name, to: token) { () throws(Failure) in try context.writeAtOnce(record, token) }
  }

  fileprivate static let storeWithoutUsers = Failure(
    .notFound, "the store has no users",
    hint: "--store names a directory or a database; 'hw users add' makes one")

  private static func newToken(_ call: Invocation, _ context: Context) throws(Failure) -> String {
    guard let file = call[userTokenFile] else {
      let (fields, columns) = (context.output.settings.fields, NewUserRow.fields.map(\.column))
      if let fields, try !FieldSelection.isSelected("token", by: fields, of: columns) {
        throw Failure(
          .usage, "'--fields \(fields)' leaves out the token, which is shown only once",
          hint: "add 'token' to the fields, or use --token-file")
      }
      return RandomID.make()
    }
    let token = try context.secret(in: file, called: "token")
    guard (16...512).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(
        .usage, "the token in '\(file)' is not usable",
        hint: "a token has 16 to 512 visible characters of ASCII and no blanks")
    }
    return token
  }
}

extension Context {
  /// The users of a store with users. Only `add` creates the database.
  fileprivate func users(_ call: Invocation) throws(Failure) -> UserTable {
    let store = try chosenStore(call)
    guard try store.contains(UserTable.migrations) else { throw Toolbox.storeWithoutUsers }
    return try UserTable(store)
  }

  /// Writes a user with the token and flushes the output: the user is stored only if this succeeds.
  fileprivate func writeAtOnce(_ record: UserTable.Record, _ token: String) throws(Failure) {
    try output.write(NewUserRow(record: record, token: token))
    try output.outlet.flush()
  }
}

struct UserRow: Row {
  let record: UserTable.Record
  let time: any TimeKeeper

  static let fields: Fields<UserRow> = [
    .text("name", "Name", "the name of the user") { $0.record.user.name },
    .flag("admin", "Admin", "whether the user is an admin") { $0.record.user.isAdmin },
    .time("added", "Added", "when the user was added") { $0.record.added }
      .shown { TableCell($0.time.local($0.record.added).minutes) },
    .text(
      "tokenID", "Token ID", "8 hex digits that change with the token", orNull: { $0.record.tokenID }
    ).hiddenByDefault,
  ]
}

struct NewUserRow: Row {
  let record: UserTable.Record
  let token: String?

  static let fields: Fields<NewUserRow> = [
    .text("name", "Name", "the name of the user") { $0.record.user.name },
    .flag("admin", "Admin", "whether the user is an admin") { $0.record.user.isAdmin },
    .text("token", "Token", "the token; null if the user keeps the former one", orNull: { $0.token }),
  ]

  static let text: (@Sendable (NewUserRow, Screen?) -> String)? = { row, _ in row.token ?? "" }
}
