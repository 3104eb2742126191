import Synchronization
import Testing

/// The engines that a test of a backend runs on.
public enum StorageEngine: Sendable {
  case sqlite
  case postgreSQL

  /// The engine of the test that is running.
  @TaskLocal public static var current = sqlite
  /// What a folder's database is on PostgreSQL: the same schema for everybody who opens the folder.
  private static let schemas = Mutex<[String: String]>([:])

  /// The address of an empty database, or of that which stands for a folder; nil on SQLite.
  public static func address(for folder: String?) throws -> String? {
    guard current == .postgreSQL, let server = PostgreSQLServer.shared else { return nil }
    guard let folder else { return try server.newSchema() }
    if let known = schemas.withLock({ $0[folder] }) { return known }
    let address = try server.newSchema()
    return schemas.withLock { schemas in
      if let known = schemas[folder] { return known }
      schemas[folder] = address
      return address
    }
  }
}

/// Runs each test on SQLite, and once more on PostgreSQL where that is installed.
public struct EachEngine: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    guard testCase != nil, Tool.postgresql.isPresent else { return }
    try await StorageEngine.$current.withValue(.postgreSQL) { try await function() }
  }
}

extension Trait where Self == EachEngine {
  public static var eachEngine: EachEngine { EachEngine() }
}
