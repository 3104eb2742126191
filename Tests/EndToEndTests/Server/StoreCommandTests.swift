import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// `hw store verify`, `copy` and `migrate`, on the stores of real servers.
@Suite(.ownThread, .needs(.libsqlite3)) struct StoreCommands {
  private static let bikes = 1500

  /// A directory with a town of bikes, some of them rented.
  private func town(in home: Home) throws {
    try home.writeBikes(StoreCommands.bikes)
    let ending = try shell(
      "hw serve --samples --store data -- sh -c 'hw bikes import many.csv && hw bikes rent 1 && hw wordle scores'",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  private func tables(_ store: String, in home: Home) throws -> String {
    let ending = try shell("hw store verify --store '\(store)' --tsv", in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    return ending.output
  }

  @Test func copiedStoreCanBeServed() throws {
    let home = try Home()
    try town(in: home)
    let copied = try shell("hw store copy --from data --to backup --tsv", in: home)
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try copied.output == tables("backup", in: home))
    #expect(try copied.output == tables("data", in: home))
    #expect(home.names("backup") == ["bikes.db", "race.db", "users.db", "wordle.db"])
    let line = """
      hw serve --samples --store backup -- sh -c 'hw bikes show 1 --json && hw bikes add --name New --pin 1234 \
      --at 50.1,8.6 --json'
      """
    let served = try shell(line, in: home)
    #expect(served.output.contains(#""rented":true"#))
  }

  /// An empty directory would look like the newest backup.
  @Test func failedCopyLeavesNoNewDirectory() throws {
    let home = try Home()
    try town(in: home)
    try home.write("no database", to: "data/wordle.db")
    let line =
      "mkdir old && hw store copy --from data --to old; hw store copy --from data --to new --owner $(id -u)"
    let ending = try shell(line, in: home)
    #expect(ending.status == 10, "\(ending.errors)")
    #expect(home.names("old") == [] && home.names(".").filter { ["new", "old"].contains($0) } == ["old"])
  }

  /// A rental that is open belongs to a bike that is rented, at each moment of the source.
  @Test func copyDuringWritesIsConsistent() throws {
    let home = try Home()
    try town(in: home)
    let server = try Serving.Server(["--samples", "--store", "data"], in: home)
    let client = try #require(RawConnection(server.url))
    let copying = try Started(["hw", "store", "copy", "--from", "data", "--to", "backup"], in: home)
    var changes = 0
    while !copying.hasEnded {
      let bike = 2 + changes % (StoreCommands.bikes - 2)
      #expect(client.ask("PUT", "/bikes/\(bike)/rented")?.status == 200)
      if !changes.isMultiple(of: 3) { #expect(client.ask("DELETE", "/bikes/\(bike)/rented") != nil) }
      changes += 1
    }
    #expect(copying.end().status == 0)
    #expect(changes > 0)
    #expect(server.stop().status == 0)
    let line = """
      hw serve --samples --store backup -- sh -c 'hw bikes list --anywhere --limit 100000 --fields id --tsv --no-header; echo; \
      hw bikes history --limit 100000 --where action=rent --fields bike,returnedAt --tsv --no-header'
      """
    let kept = try shell(line, in: home)
    #expect(kept.status == 0, "\(kept.errors)")
    let parts = kept.output.components(separatedBy: "\n\n")
    let free = Set(try #require(parts.first).split(separator: "\n").map(String.init))
    let rentals: [[Substring]] = try #require(parts.last).split(separator: "\n").map {
      $0.split(separator: "\t")
    }
    let open = rentals.filter { $0.count == 1 }.map { String($0[0]) }
    #expect(free.isDisjoint(with: open))
    #expect(free.count + open.count == StoreCommands.bikes + 3)
  }
}

/// The same with PostgreSQL as source or target.
@Suite(.ownThread, .needs(.postgresql)) struct StoreCommandsOnPostgreSQL {
  @Test func storeMovesToPostgreSQLAndBack() throws {
    let server = try #require(PostgreSQLServer.shared)
    let (address, home) = (try server.newSchema(), try Home())
    let made = try shell(
      "hw serve --samples --store data -- sh -c 'hw bikes rent 1 && hw wordle scores && hw bikes return 1 --at 50,8'",
      in: home)
    #expect(made.status == 0, "\(made.errors)")
    let out = try shell("hw store copy --from data --tsv", in: home, environment: ["HW_STORE_TO": address])
    #expect(out.status == 0, "\(out.errors)")
    let moved = try shell(
      "hw serve --samples --store '\(address)' -- sh -c 'hw bikes history --json && hw bikes rent 2'",
      in: home)
    #expect(moved.status == 0 && moved.output.contains("\"bike\""), "\(moved.errors)")
    let back = try shell("hw store copy --from '\(address)' --to back --tsv", in: home)
    #expect(back.status == 0, "\(back.errors)")
    let store = try shell(
      "hw store verify --store '\(address)' --tsv && hw store verify --store back --tsv", in: home)
    #expect(store.output == back.output + back.output)
    let refused = try shell("hw store copy --from back --to '\(address)'", in: home)
    #expect(refused.status == 4, "\(refused.errors)")
    let served = try shell(
      "hw serve --samples --store back -- sh -c 'hw bikes show 2 --json; hw bikes rent 0'", in: home)
    #expect(served.status == 0 && served.output.contains(#""rented":true"#), "\(served.errors)")
  }

  @Test func parallelMigrationsRunOnce() throws {
    let address = try #require(PostgreSQLServer.shared).newSchema()
    let home = try Home()
    let empty = try shell("hw store migrate --store '\(address)' --json", in: home)
    #expect(empty.output == "[]\n" && empty.errors.contains("the store has no database"), "\(empty.errors)")
    #expect(try shell("hw store verify --store '\(address)'", in: home).status == 3, "nothing was made")
    try Program.hw.makeEarlierDatabase("bikes", version: 8, in: home.file("old"))
    #expect(try shell("hw store copy --from old --to '\(address)'", in: home).status == 0)
    let plan = try shell("hw store migrate --store '\(address)' --dry-run --tsv", in: home)
    #expect(plan.status == 0 && plan.output.contains("CREATE TABLE pin_reader"), "\(plan.errors)")
    let line = """
      for i in 1 2 3 4; do hw store migrate --store '\(address)' >/dev/null & p="$p $!"; done
      for i in $p; do wait $i || exit 1; done; hw store migrate --store '\(address)' --dry-run --json
      """
    let ending = try shell(line, in: home)
    #expect(ending.status == 0 && ending.output == "[]\n", "\(ending.errors)")
  }
}
