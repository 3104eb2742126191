import Foundation
import TestSupport
import Testing

/// Where `hw serve` keeps its databases, and how it stops.
@Suite(.ownThread, .needs(.libsqlite3)) struct ServeStore {
  /// Another user owns the directory, and does not let everybody write there or even look.
  @Test(
    .enabled(if: geteuid() == 0, "needs root"), .needs(.setpriv),
    arguments: ["755", "700"])
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
  @Test(.enabled(if: geteuid() == 0, "needs root"), .needs(.setpriv)) func ownerOfStoreServesAfterRoot()
    throws
  {
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
}
