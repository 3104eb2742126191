import Command
import Output
import Store
import System

extension Toolbox {
  public static let store = Suite(
    "store", "Check, copy, migrate and prune the databases of all suites",
    discussion: """
      A store is a directory with one SQLite database per suite, or a PostgreSQL database with the tables of all \
      suites. Without --store it is the directory that 'embedded:' and 'hw serve' use.
      """,
    commands: [storeVerify, storeCopy, storeMigrate, storePrune]
  )

  static let storeFrom = Option(
    "from", ValueKind<String>.text("STORE", .folders), variable: "HW_STORE_FROM",
    "Copy from a directory or a PostgreSQL database",
    details: "HW_STORE_FROM sets it too, and may contain a password.")
  static let storeTo = Option(
    "to", ValueKind<String>.text("STORE", .folders), variable: "HW_STORE_TO",
    "Copy to a directory or a PostgreSQL database",
    details: "HW_STORE_TO sets it too, and may contain a password.")
  static let storeOwner = Option(
    "owner", ValueKind<String>.text("USER"), "Set the owner of the copy",
    details:
      "The name or the number of the user that the server runs as. Only root can use it, for a directory.")

  private static let setupWithStore = "hw serve --store data -- true >/dev/null; "

  static let storeVerify = Command(
    "verify", "Check the databases and print their checksums",
    discussion: """
      Reads each database in full, in one consistent state, while servers may write to it: the file, its indexes and \
      references, the version of its schema, and each row. Nothing is changed, so a read-only copy and a standby of \
      PostgreSQL can be checked too. If an address has several servers, it reads the primary.

      A checksum is equal for equal rows, in SQLite and in PostgreSQL. If a database is damaged, the others are \
      still read, and the status is 10.
      """,
    options: [serveStore],
    output: .list(StoreTableRow.self, order: "as the suites are listed"),
    needs: [.store],
    examples: [
      Example("hw store verify --store data", "check a store", after: setupWithStore),
      Example(
        "hw store verify --store data --fields table,checksum --tsv",
        "print checksums, to compare two stores with 'diff'", after: setupWithStore),
    ],
    failures: [.notFound, .connection, .unauthorized]
  ) { call, context throws(Failure) -> ExitStatus in
    let store = try context.chosenStore(call)
    var rows: [StoreTableRow] = []
    var damage: [Failure] = []
    var hasDatabases = false
    for (suite, migrations) in context.program.databases {
      context.showProgress { "checking \(migrations.name)" }
      do throws(Failure) {
        guard let tables = try store.verify(migrations) else { continue }
        rows += tables.map { StoreTableRow(suite: suite.name, table: $0) }
        hasDatabases = true
      } catch {
        guard error.kind == .storage else { throw error }
        if !damage.contains(error) { damage.append(error) }
      }
    }
    context.clearProgress()
    guard hasDatabases || !damage.isEmpty else { throw .noDatabase }
    if hasDatabases { try context.output.write(rows) }
    guard let last = damage.popLast() else { return .success }
    try context.output.outlet.flush()
    for failure in damage { context.messages.report(failure.message) }
    throw last
  }

  static let storeCopy = Command(
    "copy", "Copy the databases of a store to an empty one",
    discussion: """
      Copies between directories and PostgreSQL databases, while servers use the source: each database is read in \
      one consistent state. At the end the copy is read again and its checksums are compared. The numbers of new \
      bikes and rentals continue in the copy.

      For SQLite this is also the backup and the restore. The target must have no database of hw. A copy that fails or \
      is interrupted leaves none, nor its new directory, unless only its result could not be printed. If the process \
      was killed, no command accepts the directory: delete it and copy again. Data of the commands on this machine, \
      such as the history of races, is copied to a directory only.
      """,
    options: [storeFrom, storeTo, storeOwner],
    output: .rows(StoreTableRow.self),
    needs: [.store],
    examples: [
      Example("hw store copy --from data --to backup", "back up a directory", after: setupWithStore)
    ],
    failures: [.notFound, .conflict, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let from = try context.store(storeFrom, call)
    let to = try context.store(storeTo, call)
    let newFolder = to.folder.flatMap { File.exists($0) ? nil : $0 }
    let databases = context.program.databases
    let tables: [TableSummary]
    do throws(Failure) {
      if let owner = call[storeOwner] {
        guard let folder = to.folder else { throw Failure(.usage, "'--owner' requires a directory in --to") }
        guard let account = Account(owner) else { throw Failure(.notFound, "there is no user '\(owner)'") }
        try Folder.make(folder, ownedBy: account)
      }
      let rowsCopied = Progress(context, "row", " of a table copied")
      tables = try StoreCopy(databases.map(\.migrations), from: from, to: to) { _, rows in
        rowsCopied.update(rows)
      }.run()
    } catch {
      // Among backups, an empty directory would look like the newest.
      if let newFolder { Folder.removeIfEmpty(newFolder) }
      throw error
    }
    context.clearProgress()
    try context.output.write(
      tables.flatMap { table in
        databases.filter { $0.migrations.name == table.database }
          .map { StoreTableRow(suite: $0.suite.name, table: table) }
      })
  }

  static let storeMigrate = Command(
    "migrate", "Migrate the databases to the newest version",
    discussion: """
      'hw serve' and the commands do the same when they open a database. It is safe to run in parallel. It does not \
      create databases.
      """,
    options: [serveStore, Confirmation.dryRun],
    output: .rows(MigrationRow.self),
    needs: [.store],
    examples: [
      Example("hw store migrate --dry-run", "list what would be migrated"),
      Example("hw store migrate --store data", "migrate a store", after: setupWithStore),
    ],
    failures: [.connection, .unauthorized]
  ) { call, context throws(Failure) in
    let store = try context.chosenStore(call)
    var rows: [MigrationRow] = []
    for (suite, migrations) in context.program.databases {
      let steps = try store.missingSteps(migrations)
      rows += steps.map { MigrationRow(suite: suite.name, step: $0) }
      guard !steps.isEmpty, !call[Confirmation.dryRun] else { continue }
      context.showProgress { "migrating \(migrations.name)" }
      try store.migrate(migrations)
    }
    context.clearProgress()
    // The name of the store may be mistyped. The user's own store has no database before its first use.
    if call[serveStore] != nil, rows.isEmpty, try !context.program.hasDatabase(in: store) {
      context.messages.report("the store has no database")
    }
    try context.output.write(rows)
  }
}

extension Program {
  var databases: [(suite: Suite, migrations: Migrations)] {
    suites.flatMap { suite in suite.databases.map { (suite, $0) } }
  }

  func hasDatabase(in store: Store) throws(Failure) -> Bool {
    for (_, migrations) in databases where try store.contains(migrations) { return true }
    return false
  }
}

extension Context {
  fileprivate func store(_ option: Option<String?>, _ call: Invocation) throws(Failure) -> Store {
    if let text = call[option] { return try store(text, of: option, isTyped: true) }
    let variable = option.declaration.ownVariable
    guard let text = variable.flatMap({ environment[$0] }) else {
      throw Failure(
        .usage, "missing option '--\(option.declaration.name)'", hint: variable.map { "\($0) sets it too" })
    }
    return try store(text, of: option, isTyped: false)
  }
}

private struct StoreTableRow: Row {
  let suite: String
  let table: TableSummary

  static let fields: Fields<StoreTableRow> = [
    .text("suite", "Suite", "the suite that the database belongs to") { $0.suite },
    .text("database", "Database", "the name of the database and of its file") { $0.table.database },
    .integer("version", "Version", "the version of its schema") { $0.table.version },
    .text("table", "Table", "the table") { $0.table.table },
    .integer("rows", "Rows", "the number of rows") { $0.table.rows },
    .text("checksum", "Checksum", "16 hex digits: equal for equal rows, in any order") { $0.table.checksum },
  ]
}

private struct MigrationRow: Row {
  let suite: String
  let step: MigrationStep

  static let fields: Fields<MigrationRow> = [
    .text("suite", "Suite", "the suite that the database belongs to") { $0.suite },
    .text("database", "Database", "the name of the database and of its file") { $0.step.database },
    .integer("from", "From", "the version before the step") { $0.step.from },
    .integer("to", "To", "the version after it") { $0.step.to },
    .text("script", "Script", "the SQL of the step") { $0.step.script },
  ]
}

extension Failure {
  static let noDatabase = Failure(
    .notFound, "the store has no database", hint: "--store names a directory or a database")
}
