import Store
import System
import Testing

@Suite("Folders")
struct FoldersTests {
  func all(_ variables: [String: String]) throws(Failure) -> [String] {
    let folders = Folders(Environment(variables))
    return [try folders.config, try folders.data, try folders.state, try folders.cache]
  }

  @Test func belowHOMEWhenNothingElseIsSaid() throws {
    #expect(
      try all(["HOME": "/home/ann"]) == [
        "/home/ann/.config/hw", "/home/ann/.local/share/hw", "/home/ann/.local/state/hw",
        "/home/ann/.cache/hw",
      ])
  }

  @Test func whereXDGSaysAndThenHOMEIsNotAskedFor() throws {
    let variables = [
      "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k",
    ]
    #expect(try all(variables) == ["/c/hw", "/d/hw", "/s/hw", "/k/hw"])
  }

  @Test(arguments: ["data", "./data", "~/data", ""])
  func relativeOrEmptyXDGFolderIsIgnored(_ value: String) throws {
    #expect(
      try Folders(Environment(["HOME": "/home/ann", "XDG_DATA_HOME": value])).data
        == "/home/ann/.local/share/hw")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "ann"]])
  func noUsableHOMESaysWhatToSet(_ variables: [String: String]) {
    #expect {
      try Folders(Environment(variables)).cache
    } throws: {
      let failure = $0 as? Failure
      return failure?.kind == .storage && failure?.hint == "set HOME or XDG_CACHE_HOME"
    }
  }
}
