import Store

extension WordleBackend {
  /// A score is stored as the JSON that is sent, so that a list is only copied.
  static let migrations = Migrations(
    "wordle",
    [
      """
      CREATE TABLE account (token TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE score (
        account TEXT NOT NULL REFERENCES account,
        date TEXT NOT NULL,
        id INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (account, date, id),
        UNIQUE (account, id)
      ) WITHOUT ROWID;
      """,
      // Triggers kept the results up to date until version 3; the scores of version 1 are converted.
      """
      CREATE TABLE results (
        account TEXT NOT NULL,
        part INTEGER NOT NULL,
        marks TEXT NOT NULL,
        PRIMARY KEY (account, part)
      ) WITHOUT ROWID;
      CREATE TABLE earlier AS SELECT account, date, id, body FROM score;
      DELETE FROM score;
      ALTER TABLE score ADD COLUMN mark TEXT NOT NULL DEFAULT 'X';
      CREATE TRIGGER score_added AFTER INSERT ON score BEGIN
        INSERT OR IGNORE INTO results VALUES (new.account, new.id >> 9, printf('%512s', ''));
        UPDATE results
          SET marks = substr(marks, 1, new.id & 511) || new.mark || substr(marks, (new.id & 511) + 2)
          WHERE account = new.account AND part = new.id >> 9;
      END;
      CREATE TRIGGER score_deleted AFTER DELETE ON score BEGIN
        UPDATE results
          SET marks = substr(marks, 1, old.id & 511) || ' ' || substr(marks, (old.id & 511) + 2)
          WHERE account = old.account AND part = old.id >> 9;
      END;
      INSERT INTO score SELECT account, date, id, body,
        CASE
          WHEN json_array_length(body, '$.tries') <= 6
            AND lower(json_extract(body, '$.tries[#-1]')) = lower(json_extract(body, '$.word'))
          THEN json_array_length(body, '$.tries') ELSE 'X'
        END
        FROM earlier;
      DROP TABLE earlier;
      """,
      // Accounts were named by their tokens until version 2. SQL has no SHA-256: `PlainTokens` hashes those that are
      // listed here, and drops the list.
      """
      CREATE TABLE plain_account AS SELECT token FROM account;
      ALTER TABLE account RENAME COLUMN token TO hash;
      """,
      "DROP TRIGGER score_added; DROP TRIGGER score_deleted;",
    ],
    // The results of games are one mark per number and 512 numbers per row: statistics read nothing else.
    base: .init(
      version: 4,
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
      """))
}
