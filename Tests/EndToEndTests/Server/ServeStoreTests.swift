import Foundation
import TestSupport
import Testing

/// Where `hw serve` keeps its databases, and how it stops.
@Suite(.ownThread) struct ServeStore {
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

  /// A server would begin anew without the bikes, and be open to everybody without the users.
  @Test func lostDatabaseIsNotCreatedAnew() throws {
    let ending = try shell(
      """
      hw users add mia --store d >mia && hw serve bikes --store d -- true || exit 99
      for name in bikes users; do
        mv d/$name.db saved; hw serve bikes --store d -- true; echo $?; test ! -e d/$name.db || exit 98; mv saved d/$name.db
      done
      mv d/bikes.db saved; echo 1234 | hw bikes add --name A --frame-color red --pin-file - --at 1,1 --url embedded:d; echo $?
      rm d/databases; hw serve bikes --store d -- true; echo $?
      """)
    #expect(ending.output == "10\n10\n10\n0\n", "\(ending)")
    #expect(
      ending.errors.hasPrefix(
        "hw: database 'd/bikes.db' is missing\n    a server has used it: put a copy back, or delete 'd/databases'"
      ))
  }
}
