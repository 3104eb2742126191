import Foundation
import TestSupport
import Testing

/// The files that hw stores, as hw 0.9.0 wrote them (`Tests/stored/version-1`): each is read, a newer version of it is
/// refused, and a damaged one is reported. A refused file is left as it is, byte for byte.
@Suite struct StoredVersions {
  /// A stored file and the command that reads it.
  struct Stored: CustomTestStringConvertible, Sendable {
    /// In `Tests/stored/version-1`.
    let fixture: String
    /// Where hw looks for it, or the file that the command names.
    let path: String
    let command: String
    /// What the command prints.
    let output: String
    /// Makes a newer version of a file of version 1.
    let newer: @Sendable (String) -> String
    /// The status for a damaged file.
    var damaged: Int32 = 10
    /// The version that hw writes.
    var version = 1

    var testDescription: String { fixture }

    static let all = [
      Stored(
        fixture: "bikes-rented.jsonl", path: ".local/state/hw/bikes-rented.jsonl",
        command: "hw bikes rented --url embedded: --tsv --no-header --fields id,name,pin",
        output: "1\tHans\t5678\n", newer: member),
      Stored(
        fixture: "bikes-feed.secret", path: ".local/state/hw/bikes-feed.secret",
        command:
          "hw bikes gbfs feed >/dev/null && jq -r '.data.vehicles[].vehicle_id' feed/vehicle_status.json | grep ^747",
        output: "747d86d00497011b\n", newer: header("bikes-feed")),
      Stored(
        fixture: "nodes.json", path: "nodes.json",
        command: """
          sed 's/"channels":2923/"channels":2900/' nodes.json >other.json
          hw nodes diff nodes.json other.json --tsv --no-header --fields channels.old,channels.new || {
            status=$?; test $status = 1 || exit $status; }
          """, output: "2923\t2900\n", newer: { "{\"version\":3," + $0.dropFirst() }, version: 2),
      Stored(
        fixture: "race.jsonl", path: "race.jsonl", command: "hw race replay race.jsonl --speed 1000 -q",
        output: "BeeLow\n", newer: member, damaged: 6),
      Stored(
        fixture: "recording/0001-GET-scores-264.exchange", path: "r/0001-GET-scores-264.exchange",
        command: "hw wordle score 264 --replay r --tsv --no-header --fields word", output: "lapse\n",
        newer: { "# hw recording 3\n\($0)" }, version: 2),
      Stored(
        fixture: "config", path: ".config/hw/config", command: "hw config get nodes.lang", output: "de\n",
        newer: header("config"), damaged: 3),
    ]

    private static let member: @Sendable (String) -> String = { text in
      "{\"version\":2," + text.dropFirst()
    }

    private static func header(_ name: String) -> @Sendable (String) -> String {
      { text in "# hw \(name) 2\n\(text)" }
    }

    func text() throws -> String { try StoredVersion.text(fixture) }
  }

  @Test(arguments: Stored.all) func aFileOfTheFirstVersionIsRead(_ stored: Stored) throws {
    let home = try Home()
    try home.write(try stored.text(), to: stored.path)
    let ending = try shell(stored.command, in: home)
    #expect(ending.status == 0 && ending.output == stored.output, "\(ending)")
    #expect(home.text(stored.path) == (try stored.text()))
  }

  @Test(arguments: Stored.all) func aNewerVersionIsRefusedAndUnchanged(_ stored: Stored) throws {
    let home = try Home()
    let text = stored.newer(try stored.text())
    try home.write(text, to: stored.path)
    let ending = try shell(stored.command, in: home)
    #expect(ending.status == 10 && ending.output == "", "\(ending)")
    #expect(
      ending.errors.contains(
        "is of a newer hw: version \(stored.version + 1), and this one reads up to \(stored.version)"),
      "\(ending)")
    #expect(ending.errors.contains("update hw"), "\(ending)")
    #expect(home.text(stored.path) == text)
  }

  @Test(arguments: Stored.all) func aDamagedFileIsReportedAndUnchanged(_ stored: Stored) throws {
    let home = try Home()
    let text = "\u{1}" + (try stored.text()).dropLast(30)
    try home.write(text, to: stored.path)
    let ending = try shell(stored.command, in: home)
    #expect(ending.status == stored.damaged && ending.output == "", "\(ending)")
    #expect(
      ending.errors.contains(stored.path.split(separator: "/").last.map(String.init) ?? ""), "\(ending)")
    #expect(home.text(stored.path) == text)
  }

  @Test(
    "A command that would change a newer file does not",
    arguments: [
      ("bikes-rented.jsonl", "hw bikes rent 2 --url embedded:"),
      ("bikes-rented.jsonl", "hw bikes return 1 --url embedded: --at 50,8"),
      ("config", "hw config set timeout 5"),
    ])
  func changes(_ fixture: String, _ command: String) throws {
    let stored = try #require(Stored.all.first { $0.fixture == fixture })
    let home = try Home()
    let text = stored.newer(try stored.text())
    try home.write(text, to: stored.path)
    let ending = try shell(command, in: home)
    #expect(ending.status == 10 && ending.output == "", "\(ending)")
    #expect(home.text(stored.path) == text)
    // Nothing was rented either.
    let free = try shell(
      "hw bikes list --all --url embedded: --no-config --tsv --no-header --fields rented", in: home)
    #expect(!free.output.contains("true"), "\(free)")
  }

  @Test("What is written has the version that is read")
  func written() throws {
    let home = try Home()
    let line = """
      hw bikes rent 1 --url embedded: && hw bikes gbfs feed && hw nodes snapshot --file nodes.json &&
      hw wordle score 264 --record r && hw serve --race-seconds 1 -- hw race watch --save race.jsonl
      """
    #expect(try shell(line, in: home).status == 0)
    #expect(home.text(".local/state/hw/bikes-rented.jsonl").hasPrefix(#"{"version":1,"#))
    #expect(home.text(".local/state/hw/bikes-feed.secret").hasPrefix("# hw bikes-feed 1\n"))
    #expect(home.text("nodes.json").hasPrefix(#"{"format":"hw-nodes-snapshot","version":2,"#))
    #expect(home.text("r/0001-GET-scores-264.exchange").hasPrefix("# hw recording 2\n# at "))
    let race = home.text("race.jsonl").split(separator: "\n")
    #expect(race.first?.hasPrefix(#"{"event":"start","seq":1,"version":1,"#) == true)
    #expect(race.dropFirst().allSatisfy { !$0.contains("version") })
    let read = """
      hw bikes rented --url embedded: -q && hw bikes gbfs feed && hw nodes diff nodes.json &&
      hw wordle score 264 --replay r && hw race replay race.jsonl --speed 1000
      """
    let secret = home.text(".local/state/hw/bikes-feed.secret")
    let ending = try shell(read, in: home)
    #expect(ending.status == 0, "\(ending)")
    #expect(home.text(".local/state/hw/bikes-feed.secret") == secret)
  }

  /// A database and a command that reads it.
  static let databases = [
    (
      "bikes", "hw bikes list --all --url embedded: --tsv --no-header --fields id,name,rented",
      "1\tHans\ttrue\n"
    ),
    ("wordle", "hw wordle scores --url embedded: --tsv --no-header --fields id", "265\n264\n263\n"),
    ("wordle-players", "hw wordle compare --url embedded: --tsv --no-header", "\"Eve\""),
    ("races", "hw race history --tsv --no-header --fields id,winner,end,changes", "1\tBeeLow\tfinished\t2\n"),
  ]

  private func database(_ name: String, version: Int? = nil) throws -> Home {
    let home = try Home()
    let script = StoredVersion.path("\(name).sql")
    let change = version.map { "PRAGMA user_version = \($0)" } ?? ""
    let made = try shell(
      "mkdir -p .local/share/hw && cd .local/share/hw && sqlite3 \(name).db <'\(script)' && sqlite3 \(name).db '\(change)'",
      in: home)
    try #require(made.status == 0, "\(made)")
    return home
  }

  @Test(.enabled(if: Installed.has("sqlite3")), arguments: databases)
  func aDatabaseIsRead(_ name: String, _ command: String, _ output: String) throws {
    let ending = try shell(command, in: try database(name))
    #expect(ending.status == 0 && ending.output.contains(output), "\(ending)")
  }

  /// `hw store migrate` does what the first use would do, also what SQL alone cannot.
  @Test(.enabled(if: Installed.has("sqlite3")), arguments: databases)
  func aMigrationIsThatOfTheFirstUse(_ name: String, _ command: String, _ output: String) throws {
    func contents(after line: String) throws -> String {
      let dump = "sqlite3 .local/share/hw/\(name).db .dump | grep -v '_epoch'"
      let ending = try shell("\(line) >/dev/null && \(dump)", in: try database(name))
      #expect(ending.status == 0 && ending.output.contains("CREATE TABLE"), "\(ending)")
      return ending.output
    }
    #expect(try contents(after: "hw store migrate") == contents(after: command))
  }

  @Test(.enabled(if: Installed.has("sqlite3")), arguments: databases)
  func aNewerDatabaseIsRefusedAndUnchanged(_ name: String, _ command: String, _ output: String) throws {
    let home = try database(name, version: 1000)
    let before = try home.bytes(".local/share/hw/\(name).db")
    let ending = try shell(command, in: home)
    #expect(ending.status == 10 && ending.output == "", "\(ending)")
    #expect(ending.errors.contains("is of a newer hw: version 1000"), "\(ending)")
    #expect(try home.bytes(".local/share/hw/\(name).db") == before)
  }

  /// Several processes start at once: one migrates, and the others wait for it.
  @Test(.enabled(if: Installed.has("sqlite3"))) func aLargeDatabaseIsMigratedOnce() throws {
    let home = try database("bikes")
    let more = """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100009)
      INSERT INTO bike SELECT i, 'B' || i, 'D8433A', '1234', 50.1, 8.6, 1797785836610, 0, NULL, NULL, 0, i FROM n;
      UPDATE state SET revision = 100009
      """
    try home.write(more, to: "more.sql")
    let made = try shell("sqlite3 .local/share/hw/bikes.db <more.sql", in: home)
    try #require(made.status == 0, "\(made)")
    let started = try (0..<2).map { _ in
      try Started(["hw", "bikes", "list", "--limit", "1", "--url", "embedded:"], in: home)
    }
    for process in started { #expect(process.end().status == 0, "\(home.text(".2"))") }
    let count = try shell("sqlite3 .local/share/hw/bikes.db 'SELECT count(*) FROM bike'", in: home)
    #expect(count.output == "100004\n")
  }

  /// The cache and the ledgers of rate limits can be made again.
  @Test func aCacheOfAnotherVersionIsReplaced() throws {
    let home = try Home()
    let line = """
      hw serve -- sh -c '
        hw nodes top -n 1 --max-age 60 && f=$(ls .cache/hw/*) && sed -i "1s/hw cache 2/hw cache 1/" $f
        hw nodes top -n 1 --max-age 60 && head -n 1 $f | cut -c 1-10'
      """
    let ending = try shell(line, in: home, environment: ["HW_URL": nil])
    #expect(ending.status == 0 && ending.errors == "", "\(ending)")
    #expect(ending.output.hasSuffix("hw cache 2\n"), "\(ending)")
  }
}
