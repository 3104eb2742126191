import Foundation
import System
import Testing

@Suite struct RemovingAFolder {
  @Test func takesAllThatIsInItAndNothingThatItPointsTo() throws {
    let files = FileManager.default
    let root = files.temporaryDirectory.appending(path: "hw-test-\(UUID().uuidString)").path
    defer { try? files.removeItem(atPath: root) }
    for folder in ["gone/deep/deeper", "kept"] { try Folder.make("\(root)/\(folder)") }
    for file in ["gone/a", "gone/deep/.b", "kept/c"] { try File.replace("\(root)/\(file)", with: [1]) }
    try files.createSymbolicLink(atPath: "\(root)/gone/link", withDestinationPath: "\(root)/kept")
    try files.createSymbolicLink(atPath: "\(root)/gone/nowhere", withDestinationPath: "/nowhere/at/all")
    try Folder.remove("\(root)/gone")
    #expect(try files.contentsOfDirectory(atPath: root) == ["kept"])
    #expect(File.exists("\(root)/kept/c"))
    // And again: it is gone already.
    try Folder.remove("\(root)/gone")
  }
}
