import Foundation
import TestSupport
import Testing

/// What `hw users` leaves in a store, on both engines.
@Suite(.ownThread, .eachEngine) struct UsersOfStores {
  private static func store(_ home: Home) throws -> String {
    try StorageEngine.address(for: nil) ?? home.file("data")
  }

  @Test("A token belongs to one user")
  func uniqueTokens() throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      echo aaaaaaaaaaaaaaaa >a; echo bbbbbbbbbbbbbbbb >b
      hw users add ann --token-file a -q >&2 && hw users add bob --token-file b -q >&2 || exit 99
      hw users rotate bob --token-file a; echo $?
      hw users add eve --token-file a; echo $?
      hw users rotate nobody --token-file a; echo $?
      hw users rotate bob --token-file b; echo $?
      hw users list --tsv --no-header --fields name
      """, in: home)
    #expect(ending.output == "4\n4\n3\nbbbbbbbbbbbbbbbb\n0\nann\nbob\n", "\(ending.errors)")
    #expect(ending.errors.components(separatedBy: "hw: another user has this token\n").count == 3)
  }

  @Test("A token that could not be printed is no token", arguments: [">/dev/full", ">&-"])
  func unprintedTokens(_ redirection: String) throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      echo aaaaaaaaaaaaaaaa >a; echo bbbbbbbbbbbbbbbb >b
      hw users add ann --token-file a >&2 || exit 99
      (hw users add bob \(redirection)); echo $?
      (hw users rotate ann --token-file b \(redirection)); echo $?
      hw users list --tsv --no-header --fields name
      hw serve --ready-file ready -- sh -c '
        HW_TOKEN=aaaaaaaaaaaaaaaa hw wordle scores -q >/dev/null; echo $?
        HW_TOKEN=bbbbbbbbbbbbbbbb hw wordle scores -q >/dev/null 2>&1; echo $?'
      """, in: home)
    #expect(ending.output == "10\n10\nann\n0\n7\n", "\(ending.errors)")
  }

  @Test("Without a token a public list is not everything, and an export would look complete")
  func strangers() throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      hw users add ann -q >/dev/null
      hw serve bikes --store "$HW_STORE" --samples --public bikes -- sh -c '
        hw bikes rent 0 -q >/dev/null && unset HW_TOKEN
        hw bikes export; echo $?
        hw bikes list --include-rented --fields name --tsv --no-header; echo $?
        hw bikes list --fields rented --tsv --no-header'
      """, in: home)
    #expect(ending.output == "7\n\n\n0\nfalse\nfalse\n", "\(ending.errors)")
    #expect(
      ending.errors.contains("hw: the server exports all bikes only to its users\n    set HW_TOKEN; ")
        && ending.errors.contains("hw: without a token the server lists only free bikes\n"))
  }

  @Test("A command that only reads makes no tables")
  func readersOfAnEmptyStore() throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      hw users list --no-header; echo $?
      hw users delete ann --dry-run; echo $?
      hw users rotate ann; echo $?
      hw store verify; echo $?
      hw users add ann -q >/dev/null; hw users list --tsv --no-header --fields name
      """, in: home)
    #expect(ending.output == "0\n3\n3\n3\nann\n", "\(ending.errors)")
    #expect(
      ending.errors.hasPrefix("hw: the store has no database of users\nhw: the store has no users\n"),
      "\(ending.errors)")
  }
}

/// Commands that only read, and those that have nothing to remove, in a home without data.
@Suite(.ownThread) struct ReadersOfNothing {
  @Test(arguments: [
    ("users list", 0), ("users list --store typo", 0), ("users delete ann --yes --store typo", 3),
    ("users delete ann --dry-run", 3), ("users rotate ann --store typo", 3), ("store verify --store typo", 3),
    ("store migrate --store typo", 0), ("store migrate --dry-run", 0), ("race history", 0), ("race stats", 0),
    ("race show latest", 3), ("race show 1", 3), ("race show --play latest", 3),
    ("race delete 1 --yes", 3), ("race delete --keep 1 --yes", 0), ("nodes snapshots", 0),
    ("nodes diff latest", 3), ("bikes rented", 0), ("config list", 0),
  ])
  func makeNothing(_ line: String, _ status: Int32) throws {
    let home = try Home()
    let ending = try shell("hw \(line)", in: home)
    #expect(ending.status == status, "\(ending.errors)")
    // Those two have the output of the run.
    let made = try FileManager.default.subpathsOfDirectory(atPath: home.path).filter {
      ![".1", ".2"].contains($0)
    }
    #expect(made.isEmpty, "\(made)")
  }
}
