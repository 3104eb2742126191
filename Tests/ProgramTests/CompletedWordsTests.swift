import Store
import System
import TestSupport
import Testing

@testable import Race
@testable import hw

/// The words that the completion of a shell asks for.
@Suite(.needs(.libsqlite3))
struct CompletedWords {
  private let home: ScratchDirectory

  init() throws { home = try ScratchDirectory() }

  private func words(_ line: String, _ typed: String = "") -> [String] {
    // An hour ahead of UTC.
    let ran = Ran(
      .hw, ["__complete", "--"] + line.split(separator: " ").map(String.init) + [typed],
      environment: ["HOME": home.path, "HW_URL": "demo:"],
      time: FakeClock(offset: 3600))
    #expect(ran.status == 0 && ran.errors == "")
    // The first line says how to complete.
    return ran.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(
      String.init)
  }

  @Test func raceIdsAreListed() throws {
    #expect(words("race show") == [])
    // To ask for them makes no file.
    #expect(home.names == [])
    let history = try RaceHistory(Store(folder: home.file(".local/share/hw"), time: FakeClock()))
    #expect(words("race show") == [])
    for isProvisional in [true, false] {
      var event = RaceEvent(.finish)
      (event.seq, event.leader, event.isProvisional) = (1, "A", isProvisional)
      try history.begin(at: Timestamp(seconds: FakeClock.start.seconds - 1800), url: "embedded:")
      try history.add([event])
    }
    #expect(
      words("race show") == ["latest\tthe latest race", "2\t2024-01-01, won by A", "1\t2024-01-01"])
  }

  @Test func snapshotDaysAreListed() throws {
    #expect(words("nodes diff") == [])
    for name in [
      "age-2026-01-01T120000Z", "age-2026-01-01T233000Z", "connectivity-2026-01-02T120000Z",
      "connectivity-2026-01-04T120000Z", "notes",
    ] {
      try home.write("", to: ".local/state/hw/nodes/\(name)-mainnet-demo%3A.json")
    }
    #expect(
      words("nodes diff") == [
        "latest\tthe newest snapshot", "2026-01-04\t1 snapshot", "2026-01-02\t2 snapshots",
        "2026-01-01\t1 snapshot",
      ])
  }

  @Test func nodeAliasesAreListedOnce() {
    let lines = words("nodes show")
    #expect(lines.first == "lunar.dock.com\t03e546e2a4…, 2923 channels")
    let names = lines.map { $0.prefix { $0 != "\t" } }
    #expect(Set(names).count == names.count && names.count > 80)
    #expect(names.count { $0 == "Zap Harbour" } == 1 && names.contains("Kraken Cove"))
  }

  private func names(_ line: String, _ typed: String = "") -> [String] {
    words(line, typed).map { String($0.prefix { $0 != "\t" }) }
  }

  @Test func onlyBikesThatCanBeRentedOrReturnedAreListed() {
    let (free, rented) = (Set(names("bikes rent")), Set(names("bikes return")))
    #expect(Set(names("bikes rent --url demo:")) == free)
    #expect(free.contains("0") && rented.contains("10") && free.isDisjoint(with: rented))
    #expect(free.union(rented) == Set(names("bikes show")))
  }

  @Test func fieldsThatAreTypedAreNotListedAgain() {
    let all = names("nodes top --fields")
    #expect(all.contains("alias") && all.contains("rank"))
    let rest = names("nodes top --fields", "alias,")
    #expect(rest.contains("alias,rank") && !rest.contains("alias,alias"))
    #expect(names("nodes top --sort", "-rank,-").contains("-rank,-alias"))
    #expect(!names("nodes top --sort", "-rank,-").contains("-rank,-rank"))
    #expect(names("nodes top --sort", "-").contains("-alias"))
  }

  @Test func ownOptionsAreListedBeforeInheritedOnes() throws {
    let options = names("nodes top", "--")
    #expect(options.first == "--by" && options.last == "--version")
  }
}
