import Foundation
import JSON
import TestSupport
import Testing

/// Copies of a ranking, and what lies between two.
@Suite(.ownThread) struct NodesSnapshots {
  /// Ten at once leave whole files. None removes one of the newest three, and the oldest are gone.
  @Test func inParallel() throws {
    let home = try Home()
    let line = """
      f=.local/state/hw/nodes; mkdir -p $f
      for s in 1 2 3 4; do touch $f/connectivity-2001-01-01T00000${s}Z-mainnet-demo%3A.json; done
      for i in 1 2 3 4 5 6 7 8 9 10; do hw nodes snapshot --keep 3 >>paths & done; wait
      hw nodes diff latest
      """
    let ending = try shell(line, in: home)
    #expect(ending.status == 0 && ending.errors == "")
    let left = home.names(".local/state/hw/nodes").map { Substring($0) }
    for name in left where !name.contains("2001") {
      let snapshot = try JSON.parse(home.text(".local/state/hw/nodes/\(name)"))
      #expect(try snapshot["nodes"].array.count == 100, "\(name)")
    }
    let taken = Set(home.text("paths").split(separator: "\n").compactMap { $0.split(separator: "/").last })
    #expect(!taken.isEmpty && taken.count <= 10)
    let end = "Z-mainnet-demo%3A.json"
    let newest = (["connectivity-2001-01-01T000003\(end)", "connectivity-2001-01-01T000004\(end)"] + taken)
      .sorted().suffix(3)
    #expect(newest.allSatisfy { left.contains($0) })
    #expect((3...taken.count + 2).contains(left.count))
    #expect(left.allSatisfy { taken.contains($0) || $0.hasSuffix("3\(end)") || $0.hasSuffix("4\(end)") })
  }

  /// The README's script for cron, with a `mail` that writes to a file.
  @Test func theScriptForCron() throws {
    let readme = try String(contentsOf: GeneratedFiles.root.appending(path: "README.md"), encoding: .utf8)
    let script = try #require(TheReadme.blocks(of: readme).first { $0.text.contains("mail -s") }).text
    let home = try Home()
    try home.install("mail", "#!/bin/sh\necho mail >>mails; cat >>mails\n")
    func run(_ setting: String = "") throws -> String {
      try Data().write(to: URL(filePath: "\(home.path)/mails"))
      _ = try shell("PATH=$PWD/.bin:$PATH\n\(setting)\n\(script)", in: home)
      return home.text("mails")
    }
    // Without a snapshot, and without a change, there is nothing to mail.
    #expect(try run() == "")
    #expect(try run() == "")
    let count = "ls .local/state/hw/nodes | wc -l"
    #expect(try ["1\n", "2\n"].contains(shell(count, in: home).output))
    let edit = """
      cd .local/state/hw/nodes; for f in *; do sed 's/"channels":2923,/"channels":2916,/' $f >../new && mv ../new $f; done
      """
    #expect(try shell(edit, in: home).status == 0)
    let mail = try run().split(separator: "\n")
    #expect(mail.count == 3 && mail.first == "mail")
    #expect(mail.last?.hasPrefix("changed  lunar.dock.com  ") == true)
    #expect(mail.last?.contains("  +7 channels") == true)
    // It is mailed once.
    #expect(try run() == "")
    // An error is no change.
    #expect(try run("export HW_URL=http://127.0.0.1:1") == "")
  }
}
