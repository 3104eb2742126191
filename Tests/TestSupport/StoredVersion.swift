import Foundation
import Store
import System

/// The files that hw 0.9.0 wrote: `Tests/stored/version-1`.
public enum StoredVersion {
  public static func path(_ name: String) -> String {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return tests.appending(path: "stored/version-1/\(name)").path
  }

  public static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }
}

/// The columns and indices of every table: not their types, which SQLite hardly minds, nor their defaults.
public func databaseSchema(_ database: Database) throws -> [String] {
  let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
    row throws(Failure) in try row[0].text
  }
  return try tables.flatMap { table in
    let columns = try database.rows(
      "SELECT name || ' ' || \"notnull\" || ' ' || pk FROM pragma_table_info(?)", [.text(table)]
    ) { row throws(Failure) in "\(table).\(try row[0].text)" }
    let indices = try database.rows(
      """
      SELECT list."unique" || ' ' || group_concat(info.name)
      FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info GROUP BY list.name ORDER BY 1
      """, [.text(table)]
    ) { row throws(Failure) in "\(table) index \(try row[0].text)" }
    return columns + indices
  }
}
