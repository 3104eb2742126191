import System
import TestSupport
import Testing

@Suite("User folders")
struct FoldersTests {
  /// HOME is not needed where all folders have a variable.
  @Test(arguments: [
    (
      ["HOME": "/home/ann"],
      [
        "/home/ann/.config/hw", "/home/ann/.local/share/hw", "/home/ann/.local/state/hw",
        "/home/ann/.cache/hw",
      ]
    ),
    (
      ["XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k"],
      ["/c/hw", "/d/hw", "/s/hw", "/k/hw"]
    ),
  ])
  func foldersFollowVariables(_ variables: [String: String], _ expected: [String]) throws {
    let folders = UserFolders(Environment(variables))
    #expect(try [folders.config, folders.data, folders.state, folders.cache] == expected)
  }

  @Test(arguments: ["data", "./data", "~/data", ""])
  func relativeOrEmptyXDGFolderIsIgnored(_ value: String) throws {
    #expect(
      try UserFolders(Environment(["HOME": "/home/ann", "XDG_DATA_HOME": value])).data
        == "/home/ann/.local/share/hw")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "ann"]])
  func noUsableHOMESaysWhatToSet(_ variables: [String: String]) {
    let failure = failure { try UserFolders(Environment(variables)).cache }
    #expect(failure?.kind == .storage && failure?.hint == "set HOME or XDG_CACHE_HOME")
  }
}
