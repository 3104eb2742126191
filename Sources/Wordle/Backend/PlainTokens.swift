import Store
import System

/// The accounts of a database of version 2, which are named by their tokens. The table `plain_account` lists the tokens
/// that are not hashed yet. When there are none it has a null, until no token is left in the file either. So a crash or
/// another process can interrupt the conversion at any point.
struct PlainTokens {
  let database: Database

  func replaceWithHashes() throws(Failure) {
    guard try database.hasTable("plain_account") else { return }
    let isInFile = try database.transaction { () throws(Failure) in
      // Another process may have been first.
      guard try database.hasTable("plain_account") else { return false }
      let tokens = try database.rows("SELECT token FROM plain_account WHERE token IS NOT NULL") {
        row throws(Failure) in try row[0].text
      }
      if !tokens.isEmpty {
        try hash(tokens)
        try database.run("DELETE FROM plain_account")
        try database.run("INSERT INTO plain_account VALUES (NULL)")
      }
      return try database.first("SELECT 1 FROM plain_account") { _ in true } ?? false
    }
    if isInFile {
      // Free space of the file may contain tokens still: an earlier hw did not set `secure_delete`. Every row was
      // rewritten just now, so this takes no longer. The checkpoint empties the write-ahead log.
      try database.eraseDeletedRows()
    }
    try database.run("DROP TABLE IF EXISTS plain_account")
  }

  private func hash(_ tokens: [String]) throws(Failure) {
    let names = tokens.map(WordleBackend.account(of:))
    let taken = Set(names)
    // A token may be the name of another account. It gets out of the way, under a name that no token can have, since
    // a field of HTTP has no line break.
    let former = try tokens.map { token throws(Failure) in
      guard taken.contains(token) else { return token }
      try rename(token, to: "\n\(token)")
      return "\n\(token)"
    }
    for (former, name) in zip(former, names) { try rename(former, to: name) }
  }

  private func rename(_ account: String, to name: String) throws(Failure) {
    try database.run("INSERT INTO account VALUES (?)", [.text(name)])
    for table in ["score", "results"] {
      try database.run(
        "UPDATE \(table) SET account = ? WHERE account = ?", [.text(name), .text(account)])
    }
    try database.run("DELETE FROM account WHERE hash = ?", [.text(account)])
  }
}
