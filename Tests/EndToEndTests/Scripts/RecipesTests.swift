import TestSupport
import Testing

@testable import Command
@testable import hw

/// The recipes of 'hw help scripting', run as they are printed.
@Suite(.ownThread, .needs(.libsqlite3)) struct Recipes {
  private static let all: [String] = (Topic.all(.hw).first { $0.name == "scripting" }?.blocks ?? [])
    .compactMap {
      if case .literal(let lines) = $0 { lines.joined(separator: "\n") } else { nil }
    }

  private static func recipe(_ program: String) throws -> String {
    try #require(all.first { ShellPrograms.names(in: $0).contains(program) })
  }

  /// Runs a recipe twice, as cron does, and then a line that looks at what it left.
  private func run(
    _ recipe: String, in home: Home, then check: String = ":", environment: [String: String?] = [:]
  ) throws -> Ending {
    try shell("set -e\n\(recipe)\n\(recipe)\n\(check)", in: home, environment: environment)
  }

  @Test func thereAreRecipes() { #expect(Recipes.all.count == 6) }

  @Test func linesOfFormatsRun() throws {
    let home = try Home()
    _ = try shell("hw nodes top --json --output-file nodes.json", in: home)
    if SkippedTests.includesCurrentTest(needing: [.jq]) { return }
    #expect(try run(Recipes.all[0], in: home).errors == "")
  }

  @Test(.needs(.sqlite3)) func historyIsInSQLite() throws {
    let home = try Home()
    let ending = try run(
      Recipes.recipe("sqlite3"), in: home,
      then:
        "sqlite3 history.db \"SELECT count(*), typeof(max(capacity)) FROM top\"; hw rows top.json --tsv --no-header | wc -l"
    )
    let lines = ending.output.split(whereSeparator: \.isWhitespace).map(String.init)
    let rows = try #require(lines.last.flatMap { Int($0) })
    #expect(ending.errors == "" && rows > 0 && lines.first == "\(2 * rows)|integer")
  }

  /// Debian has no DuckDB: a stand-in shows what it would read.
  @Test func linesAreForDuckDB() throws {
    let home = try Home()
    try home.install("duckdb", "#!/bin/sh\necho \"$2\" && head -n 1 top.jsonl\n")
    let ending = try shell("PATH=$HOME/.bin:$PATH; \(try Recipes.recipe("duckdb"))", in: home)
    let lines = ending.output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("SELECT iso_code, sum(capacity) FROM 'top.jsonl'"))
    #expect(lines.last?.contains("\"iso_code\":") == true && ending.errors == "")
  }

  @Test(.needs(.git)) func equalDataIsCommittedOnce() throws {
    let names = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"]
    let identity = Dictionary(uniqueKeysWithValues: names.map { ($0, Optional("cron@example.org")) })
    let recipe = try Recipes.recipe("git")
    let home = try Home()
    _ = try shell("git init -q data", in: home)
    let count = "git -C data rev-list --count HEAD"
    #expect(try run(recipe, in: home, then: count, environment: identity).output == "1\n")
    let changed = identity.merging(["HW_SEED": "7"]) { $1 }
    #expect(try run(recipe, in: home, then: count, environment: changed).output == "2\n")
  }

  @Test(.needs(.flock, .curl)) func successIsReportedToMonitor() throws {
    let monitor = try LoopbackServer { _ in .response() }
    let recipe = try Recipes.recipe("flock")
    let environment = ["PING_URL": "\(monitor.url)/ping"]
    #expect(try run(recipe, in: Home(), environment: environment).status == 0)
    #expect(monitor.requests.map(\.target) == ["/ping", "/ping"])
    // Neither a failure nor a second run at the same time is a success.
    let failing = recipe.replacing("hw nodes", with: "hw nodez")
    #expect(try shell(failing, environment: environment).status == 2)
    #expect(try shell("exec 9>top.lock; flock 9; \(recipe)", environment: environment).status == 1)
    #expect(monitor.requests.count == 2)
  }

  @Test func loopEndsWithConditionOrFailure() throws {
    let recipe = try Recipes.recipe("until")
    #expect(try run(recipe, in: Home()).errors == "")
    #expect(try shell(recipe.replacing("--exit-status", with: "--exit-statuz")).status == 2)
    // The first list is empty, and the second is not.
    let home = try Home()
    try home.install("sleep", "#!/bin/sh\necho $1 >slept\n")
    let waiting = recipe.replacing(
      "--exit-status", with: "--limit $(test -e slept && echo 1 || echo 0) --exit-status")
    let ending = try shell("PATH=$HOME/.bin:$PATH; \(waiting)", in: home)
    #expect(ending.status == 0 && home.text("slept") == "60\n", "\(ending.errors)")
  }
}
