import Foundation
import Testing

/// Many who want the same bikes at once, over real sockets, on a database that is killed, full, read-only or shared.
@Suite struct BikesUnderLoad {
  /// A connection that asks and waits.
  final class Asker {
    private let descriptor: Int32

    init?(_ url: String) {
      guard let port = UInt16(url.split(separator: ":").last ?? "") else { return nil }
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result != 0 { return nil }
    }

    deinit { close(descriptor) }

    /// The status; nil when the server went away.
    func ask(_ method: String, _ path: String) -> Int? {
      let text = "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"
      guard send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count else {
        return nil
      }
      var answer = ""
      var block = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(descriptor, &block, block.count, 0)
        guard count > 0 else { return nil }
        answer += String(decoding: block[..<count], as: UTF8.self)
        guard let end = answer.range(of: "\r\n\r\n") else { continue }
        let head = answer[..<end.lowerBound].lowercased()
        let length =
          head.range(of: "content-length: ").flatMap { Int(head[$0.upperBound...].prefix { $0.isNumber }) }
          ?? 0
        if answer[end.upperBound...].utf8.count >= length { return Int(answer.dropFirst(9).prefix(3)) }
      }
    }
  }

  /// What each of many was told: how often a bike was rented and returned.
  private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var rented: [Int: Int] = [:]
    private(set) var returned: [Int: Int] = [:]
    private(set) var holders: [Int: Int] = [:]
    private(set) var doubles = 0

    func note(rented bike: Int) {
      lock.withLock {
        rented[bike, default: 0] += 1
        holders[bike, default: 0] += 1
        if holders[bike, default: 0] > 1 { doubles += 1 }
      }
    }

    /// Before the request: from here on somebody else may have it.
    func noteReturning(_ bike: Int) { lock.withLock { holders[bike, default: 0] -= 1 } }
    func note(returned bike: Int) { lock.withLock { returned[bike, default: 0] += 1 } }
  }

  private func race(_ url: String, clients: Int, attempts: Int, bikes: Int, _ tally: Tally) {
    DispatchQueue.concurrentPerform(iterations: clients) { number in
      guard let asker = Asker(url) else { return }
      var random = UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15
      for _ in 0..<attempts {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let bike = Int(random >> 33) % bikes
        guard let status = asker.ask("PUT", "/bikes/\(bike)/rented") else { return }
        guard status == 200 else { continue }
        tally.note(rented: bike)
        tally.noteReturning(bike)
        guard asker.ask("DELETE", "/bikes/\(bike)/rented") == 200 else { return }
        tally.note(returned: bike)
      }
    }
  }

  private func rows(_ sql: String, _ home: Home) throws -> String {
    try shell("sqlite3 .local/share/hw/bikes.db \"\(sql)\"", in: home).output
  }

  @Test func oneWinnerEachTimeAndTheHistoryAddsUp() throws {
    let server = try Serving.Server()
    let tally = Tally()
    race(server.url, clients: 16, attempts: 60, bikes: 3, tally)
    #expect(tally.doubles == 0)
    #expect(tally.rented == tally.returned)
    let asker = try #require(Asker(server.url))
    for bike in 0..<3 { #expect(asker.ask("DELETE", "/bikes/\(bike)/rented") == 400) }
    let history = try shell(
      "hw bikes history --limit 10000 --tsv --no-header --fields bike,returnedAt --url \(server.url)",
      in: server.home)
    let lines = history.output.split(separator: "\n")
    #expect(lines.count == tally.rented.values.reduce(0, +))
    #expect(!lines.contains { $0.hasSuffix("\t") })
  }

  @Test(.enabled(if: Installed.has("sqlite3"), "sqlite3 is not installed"))
  func afterAKillEveryAcknowledgedRentalIsThere() throws {
    let server = try Serving.Server()
    let tally = Tally()
    let id = server.started.id
    let killing = Thread {
      usleep(300_000)
      kill(id, SIGKILL)
    }
    killing.start()
    race(server.url, clients: 8, attempts: 100_000, bikes: 3, tally)
    _ = server.started.end()
    for bike in 0..<3 {
      let told = tally.rented[bike, default: 0]
      let kept =
        Int(try rows("SELECT count(*) FROM rental WHERE bike = \(bike)", server.home).dropLast()) ?? -1
      // An answer may have been lost on the way, but none was given for what is not there; one for each client at most.
      #expect((told...told + 8).contains(kept), "bike \(bike): told \(told), kept \(kept)")
      let back = tally.returned[bike, default: 0]
      let keptBack = Int(
        try rows("SELECT count(*) FROM rental WHERE bike = \(bike) AND returned_at IS NOT NULL", server.home)
          .dropLast())
      #expect((back...back + 8).contains(keptBack ?? -1))
    }
    #expect(tally.doubles == 0)
    #expect(try rows("PRAGMA integrity_check", server.home) == "ok\n")
    let open = try rows(
      "SELECT count(*) FROM bike WHERE rented != (SELECT count(*) FROM rental WHERE bike = bike.id AND returned_at IS NULL)",
      server.home)
    #expect(open == "0\n")
  }

  @Test func twoServersOnOneDatabase() throws {
    let home = try Home()
    let one = try Serving.Server(in: home)
    try FileManager.default.removeItem(atPath: "\(home.path)/.ready")
    let two = try Serving.Server(in: home)
    let (a, b) = (try #require(Asker(one.url)), try #require(Asker(two.url)))
    for _ in 0..<6 { #expect(a.ask("GET", "/bikes") == 200) }
    for _ in 0..<20 {
      #expect(a.ask("PUT", "/bikes/1/rented") == 200)
      #expect(b.ask("PUT", "/bikes/1/rented") == 400)
      #expect(b.ask("DELETE", "/bikes/1/rented") == 200)
      #expect(a.ask("DELETE", "/bikes/1/rented") == 400)
    }
    let tally = Tally()
    for url in [one.url, two.url] { race(url, clients: 4, attempts: 20, bikes: 3, tally) }
    #expect(tally.doubles == 0)
    #expect(tally.rented == tally.returned)
  }

  @Test func aFullDiskInMidImportChangesNothing() throws {
    let home = try Home()
    let many =
      "awk 'BEGIN { print \"name,color,pin,latitude,longitude\"; for (i = 0; i < 20000; i++) print \"B\" i \",red,1234,50,8\" }'"
    #expect(
      try shell(
        "hw bikes list --anywhere >/dev/null; \(many) >many.csv", in: home, environment: ["HW_URL": nil]
      ).status == 0)
    let ending = try shell(
      "trap '' XFSZ; ulimit -f 1200; hw bikes import many.csv", in: home, environment: ["HW_URL": nil])
    #expect(ending.status == 10, "\(ending.errors)")
    let left = try shell("hw bikes list --anywhere --jsonl | wc -l", in: home, environment: ["HW_URL": nil])
    #expect(left.output.trimmingCharacters(in: .whitespacesAndNewlines) == "3")
    #expect(
      try shell("hw bikes import many.csv --jsonl", in: home, environment: ["HW_URL": nil]).output.contains(
        "\"added\":20000"))
  }

  @Test(
    .enabled(
      if: geteuid() != 0 || Installed.has("setpriv"),
      "root may write everywhere, and setpriv is not installed"))
  func aReadOnlyDatabase() throws {
    let home = try Home()
    #expect(try shell("hw bikes list --anywhere", in: home, environment: ["HW_URL": nil]).status == 0)
    let asNobody = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups" : ""
    // It may be found and read, by anybody, and not written.
    let line =
      "chmod -R a+rX,a-w . .local && \(asNobody) hw bikes rent 1; status=$?; chmod -R u+w .; exit $status"
    let ending = try shell(line, in: home, environment: ["HW_URL": nil])
    #expect(ending.status == 10)
    #expect(ending.errors.contains("bikes.db"), "\(ending.errors)")
  }

  /// Faults on the way: what is told is what is so.
  @Test func lostAnswersAreNotDoneTwice() throws {
    let home = try Home()
    let server = try Serving.Server(["--fault", "bikes=drop:0.4"], in: home)
    // A dropped answer was given all the same; the key makes the second try the first one's answer.
    let ending = try shell(
      """
      for i in 1 2 3 4 5 6; do
        echo 4711 | hw bikes add --retries 10 --name W$i --color red --pin-file - --at 50.$i,8.6 -q --jsonl --fields id
        hw bikes rent $((i + 2)) --retries 10 -q --jsonl --fields id,pin
      done
      """, in: Home(), environment: ["HW_URL": server.url])
    #expect(ending.status == 0, "\(ending.errors)")
    _ = server.stop()
    let kept = try shell(
      "hw bikes list --anywhere --all --tsv --no-header --fields name", in: home, environment: ["HW_URL": nil]
    )
    #expect(kept.output == "Henry\nHans\nThomas\nW1\nW2\nW3\nW4\nW5\nW6\n")
    let rentals = try shell("hw bikes history --jsonl | wc -l", in: home, environment: ["HW_URL": nil])
    #expect(rentals.output.trimmingCharacters(in: .whitespacesAndNewlines) == "6")
  }

  @Test func peopleAndTheirPins() throws {
    let home = try Home()
    let made = try shell("hw bikes user-add people carla >c && hw bikes user-add people emil >e", in: home)
    #expect(made.status == 0)
    #expect(try shell("hw bikes user-add people carla", in: home).status == 4)
    let server = try Serving.Server(["--users", "people"], in: home)
    func hw(_ user: String, _ words: String) throws -> Ending {
      try shell(
        "HOME=$PWD/\(user)home hw bikes \(words) --token-file \(user) --tsv --no-header", in: home,
        environment: ["HW_URL": server.url])
    }
    #expect(
      try hw("c", "add --name Wanda --color red --pin 0420 --at 50.12,8.64 --fields id,owner").output
        == "3\tcarla\n")
    #expect(try shell("hw bikes rent 3", in: home, environment: ["HW_URL": server.url]).status == 7)
    #expect(try hw("e", "export --pins --fields pin").output == "\n\n\n\n")
    #expect(try hw("e", "rent 3 --fields pin").output == "0420\n")
    #expect(try hw("e", "export --pins --fields pin").output == "\n\n\n0420\n")
    #expect(try hw("e", "delete 3 --yes").status == 7)
    #expect(try hw("e", "return --at 50.13,8.64 --fields id").output == "3\n")
    #expect(!home.text("people").contains(home.text("c").dropLast()))
  }
}
