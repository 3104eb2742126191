import Command
import Store
import System

extension Program {
  /// Makes a database as an earlier hw left it, which has taken so many of its steps.
  public func makeEarlierDatabase(_ name: String, version: Int, in folder: String) throws {
    let all = suites.flatMap(\.databases)
    guard let migrations = all.first(where: { $0.name == name }) else {
      throw Failure(.notFound, "no database '\(name)'")
    }
    _ = try Store(folder: folder, time: SystemTime()).open(migrations.upTo(version))
  }
}
