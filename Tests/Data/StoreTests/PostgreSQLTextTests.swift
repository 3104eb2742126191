import TestSupport
import Testing

@testable import Store

/// SQL for both engines, as PostgreSQL gets it.
@Suite struct PostgreSQLTextTests {
  @Test func placeholdersAreTranslated() throws {
    try RecordedText.holdTexts("postgresql-statements.txt") { text in
      let statement = PostgreSQLText.statement(text)
      return ["= \(statement.sql), \(statement.parameters)"]
    }
  }

  @Test func scriptsAreTranslated() throws {
    try RecordedText.holdTexts("postgresql-scripts.txt") { ["= \(PostgreSQLText.script($0))"] }
  }
}
