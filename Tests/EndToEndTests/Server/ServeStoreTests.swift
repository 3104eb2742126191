import Foundation
import TestSupport
import Testing

/// Where `hw serve` keeps its databases, and how it stops.
@Suite(.ownThread, .needs(.libsqlite3)) struct ServeStore {
  /// Another user owns the directory, and does not let everybody write there or even look.
  @Test(.enabled(if: geteuid() == 0, "needs root"), .needs(.setpriv), arguments: ["755", "700"])
  func unwritableStoreIsRefused(_ mode: String) throws {
    let home = try Home()
    let ending = try shell(
      """
      cp "$(command -v hw)" hw && chmod 755 . hw && hw serve --samples --store store -- true && chmod \(mode) store || exit 99
      exec setpriv --reuid 65534 --regid 65534 --clear-groups ./hw serve --samples --store store -- true
      """, in: home)
    #expect(ending.status == 10, "\(ending.errors)")
    #expect(ending.errors.contains("'store/") && ending.errors.contains("permission denied"))
    // Nothing was added, and the owner can go on.
    #expect(try shell("chmod 755 store && hw serve --samples --store store -- true", in: home).status == 0)
  }

  /// Root runs a server once on the directory of another user.
  @Test(.enabled(if: geteuid() == 0, "needs root"), .needs(.setpriv))
  func ownerOfStoreServesAfterRoot() throws {
    let ending = try shell(
      """
      cp "$(command -v hw)" hw && mkdir d && chown 65534:65534 d && chmod 755 . hw && hw serve bikes --store d -- true || exit 99
      exec setpriv --reuid 65534 --regid 65534 --clear-groups ./hw serve bikes --store d -- true
      """)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// A server would begin anew without the bikes, and be open to everybody without the users.
  @Test func lostDatabaseIsNotCreatedAnew() throws {
    let ending = try shell(
      """
      hw users add mia --store d -q >mia && hw serve bikes --store d -- true || exit 99
      for name in bikes users; do
        mv d/$name.db saved; hw serve bikes --store d -- true; echo $?; test ! -e d/$name.db || exit 98
        hw store verify --store d >/dev/null; echo $?; hw store copy --from d --to copy; echo $?; mv saved d/$name.db
      done
      mv d/users.db saved; hw users list --store d; echo $?
      hw serve bikes --store d --public-url https://a.example; echo $?; mv saved d/users.db
      mv d/bikes.db saved; echo 1234 | hw bikes add --name A --frame-color red --pin-file - --at 1,1 --url embedded:d; echo $?
      rm d/databases; hw serve bikes --store d -- true; echo $?
      """)
    #expect(ending.output == String(repeating: "10\n", count: 9) + "0\n", "\(ending)")
    #expect(
      ending.errors.hasPrefix(
        "hw: database 'd/bikes.db' is missing\n    a server has used it: put a copy back, or delete 'd/databases'"
      ))
  }

  /// What root adds must not keep the server, which is another user, from its store.
  @Test(.enabled(if: geteuid() == 0, "needs root"), .needs(.bash, .setpriv))
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
