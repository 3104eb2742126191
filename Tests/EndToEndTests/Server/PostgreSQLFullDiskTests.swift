import Foundation
import TestSupport
import Testing

/// The disk of the database server is full: its tables are in a tablespace on a small tmpfs.
@Suite(
  .ownThread, .needs(.postgresql),
  .enabled(
    if: PostgreSQLServer.canMount, "a tmpfs can be mounted only by root, outside a restricted container"))
struct PostgreSQLFullDisk {
  private static let bikes = 4_000

  @Test func fullDiskIs507AndKeepsData() throws {
    let server = try PostgreSQLServer(hasSmallDisk: true)
    try server.execute("CREATE TABLESPACE small LOCATION '\(server.smallDisk)'")
    for database in ["town", "late"] {
      try server.execute("CREATE DATABASE \(database) TABLESPACE small")
      // The first connection writes a file, without which there is none.
      try server.execute("SELECT 1", database: database)
    }
    let home = try Home()
    try home.writeBikes(PostgreSQLFullDisk.bikes)
    let running = try Serving.Server(["--samples", "--store", server.address(database: "town")])
    let client = try #require(RawConnection(running.url))
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 200)

    try server.execute("CREATE TABLE filler (v text)", database: "town")
    let isFull = (0..<64).contains { _ in
      (try? server.execute(
        "INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 1000)", database: "town")) == nil
    }
    try #require(isFull)
    let environment = ["HW_URL": running.url]
    let refused = try shell("hw bikes import many.csv", in: home, environment: environment)
    #expect(refused.status != 0 && refused.errors.contains("507"), "\(refused)")
    #expect(client.ask("GET", "/readyz")?.status == 503)
    let started = try shell("hw serve --store '\(server.address(database: "late"))' -- true", in: home)
    #expect(started.status == 10 && started.errors.contains("no space left"), "\(started)")
    #expect(client.ask("GET", "/bikes/1")?.body.contains(#""rented":true"#) == true)

    try server.execute("DROP TABLE filler", database: "town")
    let imported = try shell("hw bikes import many.csv", in: home, environment: environment)
    #expect(imported.status == 0, "\(imported)")
    let count = try server.execute("SELECT count(*), count(DISTINCT name) FROM bike", database: "town")
    #expect(count == "\(PostgreSQLFullDisk.bikes + 3)|\(PostgreSQLFullDisk.bikes + 3)")
    try waitUntil("the server to be ready") {
      RawConnection(running.url)?.ask("GET", "/readyz")?.status == 200
    }
    // The server closes a connection that was idle while the import ran on a slow machine.
    let second = try #require(RawConnection(running.url))
    #expect(second.ask("PUT", "/bikes/1/rented")?.status == 400, "it is still rented")
    let ending = running.stop()
    #expect(ending.status == 0 && ending.errors.contains("no space left"), "\(ending)")
  }
}

/// The disk of a directory is full.
@Suite(
  .ownThread, .needs(.curl, .mount),
  .enabled(
    if: PostgreSQLServer.canMount, "a tmpfs can be mounted only by root, outside a restricted container"))
struct FullDiskOfDirectory {
  @Test func fullDiskIsNotReady() throws {
    let script = """
      ready() { curl -s -o body -w '%{http_code} ' $HW_URL/readyz; cat body; }
      up() { curl -s --unix-socket m.sock http://localhost/metrics | grep '^hw_store_up\\|^hw_build_info'; }
      ready; up
      dd if=/dev/zero of=store/filler bs=64k 2>/dev/null
      ready; up
      curl -s -o body -w '%{http_code}\\n' -X PUT -H "X-Authorization: $HW_TOKEN" $HW_URL/bikes/1/rented
      rm store/filler
      ready; hw bikes rent 1 -q >/dev/null; echo $?
      """
    let home = try Home()
    try home.write(script, to: "script")
    let ending = try shell(
      """
      mkdir store; unshare --mount sh -c 'mount -t tmpfs -o size=8m tmpfs store
        hw serve bikes --store store --samples --metrics-listen unix:m.sock -- sh script'
      """, in: home)
    let build = "hw_build_info{version=\"1.0.0-rc.1\"} 1\n"
    #expect(
      ending.output == """
        200 ready
        hw_store_up 1
        \(build)503 the disk of the store is full
        hw_store_up 0
        \(build)507
        200 ready
        0

        """, "\(ending)")
  }
}
