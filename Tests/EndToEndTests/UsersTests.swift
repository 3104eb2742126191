import Foundation
import TestSupport
import Testing

/// The users of `hw serve`, their tokens, and the files they are in.
@Suite(.ownThread) struct Users {
  /// A command of each suite that asks its service.
  static let readers = [
    "race duration", "nba teams", "bikes list --anywhere", "wordle scores", "nodes top -n 1",
  ]

  @Test("Every suite sends the token of a user, from a file or a variable", arguments: readers)
  func token(_ command: String) throws {
    let suite = String(command.prefix { $0 != " " })
    let variable = "HW_\(suite.uppercased())_TOKEN"
    let ending = try shell(
      """
      hw users add eve --store data >key || exit 99
      hw serve --store data -- sh -c '
        unset HW_TOKEN HW_\(suite.uppercased())_KEY
        hw \(command) -q >/dev/null 2>&1; echo without $?
        hw \(command) -q --token-file key >/dev/null; echo file $?
        hw \(command) -q --token-file - <key >/dev/null; echo input $?
        \(variable)=$(cat key) hw \(command) -q >/dev/null; echo suite $?
        HW_TOKEN=$(cat key) hw \(command) -q >/dev/null; echo all $?
        HW_TOKEN=another hw \(command) -q >/dev/null 2>&1; echo wrong $?'
      """)
    #expect(ending.output == "without 7\nfile 0\ninput 0\nsuite 0\nall 0\nwrong 7\n", "\(ending.errors)")
  }

  @Test("A token goes to no live service that was not named", arguments: ["race duration", "nodes top -n 1"])
  func noTokenForLiveServices(_ command: String) throws {
    let variable = "HW_\(command.prefix { $0 != " " }.uppercased())_TOKEN"
    let ending = try shell(
      """
      unset HW_URL; export \(variable)=suite HW_TOKEN=all
      hw \(command) --explain --no-cache | grep -ci authorization
      hw \(command) --explain --no-cache --url http://127.0.0.1:1 | grep -ci x-authorization
      echo file >key; hw \(command) --token-file key --explain
      """)
    #expect(ending.output == "0\n1\n", "\(ending.errors)")
    #expect(ending.status == 2)
    #expect(ending.errors.contains("'--token-file' requires '--url'"))
  }

  @Test("A key and a token go together")
  func keyAndToken() throws {
    let ending = try shell(
      """
      HW_NBA_KEY=k HW_NBA_TOKEN=t hw nba teams --url http://127.0.0.1:1 --explain --no-cache
      """)
    #expect(ending.output.contains("Authorization: "))
    #expect(ending.output.contains("X-Authorization: "))
  }

  /// What root adds must not keep the server, which is another user, from its store.
  @Test(
    "Root leaves the files of a store to its owner",
    .enabled(if: geteuid() == 0, "needs root"), .needs(.bash, .setpriv))
  func ownerOfFiles() throws {
    let home = try Home()
    // A shell has no event for the file of another process, so it polls.
    let ending = try shell(
      """
      chmod 755 . && cp "$(command -v hw)" hw && chmod 755 hw && mkdir store && chown 65534:65534 store
      as_owner() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$@"; }
      owners() { find store ! -user 65534 -o ! -group 65534; }
      hw users add before --store store >before && owners || exit 98
      as_owner ./hw serve wordle --store store -- sh -c '
        while [ ! -e go ]; do sleep 0.01; done
        HW_TOKEN=$(cat before) ./hw wordle scores -q >/dev/null && HW_TOKEN=$(cat during) ./hw wordle scores -q' \\
        >scores & server=$!
      while [ -z "$(ls store/wordle.db* 2>/dev/null)" ]; do kill -0 $server || exit 97; sleep 0.01; done
      hw users add during --store store >during && hw users rotate before --store store >new
      hw users list --store store --tsv --no-header --fields name
      mv new before; chmod 644 before during; touch go; wait $server; echo status $?
      owners
      """, in: home, with: ["bash", "-c"])
    #expect(ending.output == "before\nduring\nstatus 0\n", "\(ending.errors)")
  }
}
