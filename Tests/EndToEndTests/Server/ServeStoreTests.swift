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
}
