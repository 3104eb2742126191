import Foundation
import TestSupport
import Testing

/// `hw config`: the file that people edit by hand as well.
@Suite(.ownThread) struct ConfigurationFileAccess {
  /// As under su: HOME is somebody else's, and may not even be entered.
  @Test(.enabled(if: geteuid() == 0), .needs(.setpriv))
  func unreadableHomeIsIgnored() throws {
    let home = try Home()
    let line = """
      mkdir -m 755 open && cp "$(command -v hw)" open/hw && mkdir -p shut/.config/hw && chmod 700 shut && chmod 755 .
      HOME=$PWD/shut setpriv --reuid=65534 --clear-groups ./open/hw nodes top -n 1 --demo --tsv
      """
    let ending = try shell(line, in: home)
    // In a folder that others may not reach, there is nothing to see.
    if ending.status == 126 || ending.status == 127 { return }
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Root may read everything, so it becomes another user.
  @Test(arguments: [
    ("nodes top -n 1 --demo", 10), ("nodes top -n 1 --demo --no-config", 0), ("config list", 10),
    ("config list --origin", 10), ("config get timeout", 10), ("config set timeout 6", 10),
  ])
  func unreadableConfigurationIsReported(words: String, status: Int32) throws {
    let line = """
      mkdir -m 755 open && cp "$(command -v hw)" open/hw && mkdir -p own/.config/hw || exit
      echo timeout = 5 >own/.config/hw/config; chmod 755 . own own/.config; chmod 000 own/.config/hw
      HOME=$PWD/own \(geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups" : "") ./open/hw \(words)
      status=$?; chmod 755 own/.config/hw; exit $status
      """
    let ending = try shell(line)
    // In a folder that others may not reach, there is nothing to see.
    if ending.status == 126 || ending.status == 127 { return }
    #expect(ending.status == status, "\(ending)")
    if status == 10 {
      #expect(ending.output == "")
      #expect(ending.errors.hasPrefix("hw: cannot "), "\(ending.errors)")
      #expect(ending.errors.contains("/own/.config/hw/config"), "\(ending.errors)")
      #expect(ending.errors.contains("permission denied"), "\(ending.errors)")
    }
  }

  /// Eight at once: no setting is lost.
  @Test func parallelChangesAreAllStored() throws {
    let line = """
      for s in timeout deadline retries max-age nodes.timeout nodes.retries wordle.timeout wordle.retries; do
      hw config set $s 3 & done; wait; hw config list --tsv --no-header | wc -l
      """
    #expect(try shell(line).output.split(separator: " ").joined() == "9\n")
  }

  /// What the running program asks the kernel to write to the disk.
  @Test(.needs(.strace)) func replacedFileIsSynced() throws {
    let home = try Home()
    let result = try shell(
      "strace -f -y -o trace -e trace=fsync,fdatasync,rename,renameat,renameat2 hw config set timeout 5",
      in: home)
    #expect(result == Ending(status: 0))
    let calls = home.text("trace").split(separator: "\n").filter { $0.contains("/.config/hw") }
    try #require(calls.count == 3)
    #expect(calls[0].contains("fsync(") && calls[0].contains(".tmp>"))
    #expect(calls[1].contains("rename") && calls[1].contains(".tmp\""))
    #expect(calls[2].contains("fsync(") && calls[2].contains("/.config/hw>"))
  }
}
