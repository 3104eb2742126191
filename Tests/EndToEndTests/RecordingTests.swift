import Foundation
import TestSupport
import Testing

/// `--record` and `--replay` of whole commands.
@Suite(.ownThread) struct RecordingsOfCommands {
  /// Made on 2025-11-23 at 03:51 in Tokyo, with a key.
  private static let folder = GeneratedFiles.root.appending(path: "Tests/ProgramTests/recorded/recording")
    .path

  @Test(
    "A recording is replayed on another day, in another place, without a key and a service",
    arguments: [
      (
        "hw nba games --on today --tsv --no-header --fields date,home_team.abbreviation",
        """
        2025-11-22\tWAS
        2025-11-22\tORL
        2025-11-22\tTOR
        2025-11-22\tCHI
        2025-11-22\tGSW
        2025-11-22\tDAL
        2025-11-22\tDET

        """
      ),
      ("hw nba games LAL -n 2 --tsv --no-header --fields date", "2025-11-21\n2025-11-20\n"),
      ("hw nba games LAL --upcoming -n 2 --tsv --no-header --fields date", "2025-11-24\n2025-11-25\n"),
      ("hw wordle stats --tsv --no-header --fields played,currentStreak", "34\t0\n"),
      // The time of the recording, with its offset; the PIN is there.
      ("hw bikes rent 2 -o table --no-header --fields since,pin", "2025-11-23 03:51+09:00  1111\n"),
    ])
  func replay(line: String, output: String) throws {
    for zone in ["UTC", "America/Los_Angeles"] {
      let ending = try shell(
        "\(line) --replay '\(RecordingsOfCommands.folder)' --no-config",
        environment: ["HW_URL": nil, "TZ": zone])
      #expect(ending == Ending(status: 0, output: output), "\(line)")
    }
  }

  /// The answer of a server that repeats the token, from the network to the file.
  @Test func whatWasSentIsMaskedInEveryFile() throws {
    let home = try Home()
    let line = """
      printf 'tok-1234567890\\n' >token
      hw serve --demo -- sh -c '
        hw wordle scores --record r --token-file token >first
        hw wordle score 264 --record r >second
        HW_NBA_KEY=tok-1234567890 hw nba team LAL --record r >/dev/null
        hw bikes rent 2 --record r -q --json >rented' 2>errors
      rm -f .local/state/hw/bikes-rented.jsonl
      hw bikes rent 2 --replay r -q --tsv --no-header --fields pin
      """
    // The token is one of no user: the server refuses it.
    let ending = try shell(line, in: home)
    let folder = "\(home.path)/r"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasSuffix(".exchange")
    }
    #expect(names.count == 4, "\(names) \(home.text("errors"))")
    for name in names {
      #expect(home.mode("r/\(name)") == 0o600, "\(name)")
      #expect(!home.text("r/\(name)").contains("tok-1234567890"), "\(name)")
    }
    #expect(ending.output.count == 5, "\(ending)")
    #expect(!FileManager.default.fileExists(atPath: "\(home.path)/.local/state/hw/bikes-rented.jsonl"))
  }
}
