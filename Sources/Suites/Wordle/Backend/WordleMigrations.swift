import Store

extension WordleBackend {
  /// Scores are stored as the JSON of the response, so that a list is only copied. Results are one mark per number and
  /// 512 numbers per row: statistics read nothing else.
  static let migrations = Migrations(
    "wordle", base: 4,
    [
      """
      CREATE TABLE account (hash TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE score (
        account TEXT NOT NULL REFERENCES account,
        date TEXT NOT NULL,
        id INTEGER NOT NULL,
        body TEXT NOT NULL,
        mark TEXT NOT NULL,
        PRIMARY KEY (account, date, id),
        UNIQUE (account, id)
      ) WITHOUT ROWID;
      CREATE TABLE results (
        account TEXT NOT NULL,
        part INTEGER NOT NULL,
        marks TEXT NOT NULL,
        PRIMARY KEY (account, part)
      ) WITHOUT ROWID;
      """
    ])
}
