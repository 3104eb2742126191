import Foundation
import TestSupport
import Testing

/// The users of `hw serve`, their tokens, and the files they are in.
@Suite(.ownThread) struct StoreOwnership {
  /// A command of each suite that asks its service.
  static let readers = [
    "race duration", "nba teams", "bikes list --anywhere", "wordle scores", "nodes top -n 1",
  ]

  /// What root adds must not keep the server, which is another user, from its store.
  @Test(
    .enabled(if: geteuid() == 0, "needs root"), .needs(.bash, .setpriv))
  func rootKeepsOwnerOfStoreFiles() throws {
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
