import TestSupport
import Testing

/// What `hw users` leaves in a store, on both engines.
@Suite(.ownThread, .needs(.libsqlite3), .eachEngine) struct UsersOfStores {
  private static func store(_ home: Home) throws -> String {
    try StorageEngine.address(for: nil) ?? home.file("data")
  }

  @Test(arguments: [">/dev/full", ">&-"])
  func unprintedTokenIsNotStored(_ redirection: String) throws {
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

  /// Otherwise the next person of that name would have them after a pruning.
  @Test func scoresKeepANameReserved() throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      hw users add ann --admin -q >/dev/null; hw users add ben -q >token
      hw serve wordle --store "$HW_STORE" -- sh -c '
        HW_TOKEN=$(cat token) hw wordle add --id 300 --date 2022-04-15 --word sweet --tries sweet -q >/dev/null'
      hw users delete ben --yes 2>&1 >/dev/null | grep scores
      hw store prune --older-than 0d --yes -q >/dev/null 2>&1; hw users add ben -q >/dev/null 2>&1; echo $?
      """, in: home)
    #expect(
      ending.output == "hw: the scores of 'ben' stay, for a user who gets this name with --again\n4\n",
      "\(ending)")
  }

  @Test func listWithoutTokenIsMarkedIncomplete() throws {
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

  @Test func readingCreatesNoTables() throws {
    let home = try Home()
    let ending = try shell(
      """
      export HW_STORE='\(try Self.store(home))'
      hw users list --no-header; echo $?
      hw users delete ann --dry-run; echo $?
      hw users rotate ann; echo $?
      hw store verify; echo $?
      hw users add ann >/dev/null; hw users add bob >/dev/null; hw users list --tsv --no-header --fields name
      """, in: home)
    #expect(ending.output == "3\n3\n3\n3\nann\nbob\n", "\(ending.errors)")
    // The name of the store may be mistyped.
    #expect(
      ending.errors.split(separator: "\n").filter { $0 == "hw: the store is new: it had no users" }.count == 1
    )
    #expect(
      ending.errors.hasPrefix("hw: the store has no users\n    --store names a directory"),
      "\(ending.errors)")
  }
}
