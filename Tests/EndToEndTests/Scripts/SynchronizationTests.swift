import Foundation
import TestSupport
import Testing

/// What the running program asks the kernel to write to the disk.
@Suite(.ownThread, .needs(.strace))
struct Synchronization {
  @Test func replacedFileIsSynced() throws {
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
