import Foundation
import TestSupport
import Testing

/// The bikes suite as a user has it, against `hw serve` and against the original's routes.
@Suite(.ownThread) struct BikesByHand {
  @Test(
    "What a command line gets wrong, each with its status and words; nothing is asked of a service",
    .needs(.bash),
    arguments: [
      ("list --near 91,8", 2, "'--near': latitude 91 is above 90"),
      ("list --near NaN,8", 2, "'--near' requires LAT,LON"),
      ("list --near 50,11,8,63", 2, "'--near' requires LAT,LON"),
      ("list --near 50.1", 2, "'--near' requires LAT,LON"),
      ("list --radius -1", 2, "'--radius' requires a number of meters"),
      ("list --watch 1 --json", 2, "'--watch' has no end, and '--output json' needs one"),
      ("add --name Wanda --frame-color red --pin 1234 --at 91,8", 2, "'--at': latitude 91 is above 90"),
      ("add --name Wanda --frame-color red --pin 1234 --at NaN,NaN", 2, "'--at' requires LAT,LON"),
      ("add --name Wanda --frame-color red --pin 1234 --at 50,12,8,64", 2, "'--at' requires LAT,LON"),
      ("return 5 --at 50,181", 2, "'--at': longitude 181 is above 180"),
      ("add --name Wanda --frame-color red --pin 12a4 --at 50,8", 2, "'--pin' requires exactly four digits"),
      ("add --name Wanda --frame-color red --pin ١٢٣٤ --at 50,8", 2, "'--pin' requires exactly four digits"),
      ("add --name Wanda --frame-color red --pin 12345 --at 50,8", 2, "'--pin' requires exactly four digits"),
      (
        "add --name '' --frame-color red --pin 1234 --at 50,8", 2,
        "'--name' requires a text that is not empty"
      ),
      ("add --name '  ' --frame-color red --pin 1234 --at 50,8", 2, "'--name': the name is empty"),
      (
        "add --name \"$(printf 'a\\033b')\" --frame-color red --pin 1234 --at 50,8", 2, "control or invisible"
      ),
      (
        "add --name \"$(yes n | head -n 10240 | tr -d '\\n')\" --frame-color red --pin 1234 --at 50,8", 2,
        "10240 bytes"
      ),
      ("add --name Wanda --frame-color reddish --pin 1234 --at 50,8", 2, "'--frame-color' requires a color"),
      ("add --name Wanda --frame-color red --at 50,8", 2, "missing --pin-file"),
      ("add --name Wanda --frame-color red --pin-file /dev/null --at 50,8", 2, "'/dev/null' contains no PIN"),
      ("return 5", 2, "missing the position of the bike"), ("map -i", 2, "'-i' requires a terminal"),
      ("import /dev/null", 2, "the file is empty"), ("import nowhere", 10, "cannot read 'nowhere'"),
    ])
  func refused(words: String, status: Int32, message: String) throws {
    let line = "HW_BIKES_URL=http://127.0.0.1:9 hw bikes \(words)"
    let ending = try shell(line.hasSuffix("| cat") ? "set -o pipefail; \(line)" : line, with: ["bash", "-c"])
    #expect(ending.status == status, "\(ending.errors)")
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(ending.output == "")
    // What is almost a PIN tells most of it.
    for pin in ["12a4", "١٢٣٤", "12345"] { #expect(!ending.errors.contains(pin)) }
  }

  @Test(
    "Ids are texts and compare as numbers",
    arguments: [
      ("bikes list --demo --fields id --sort -id --limit 2", "28 27"),
      ("bikes list --demo --fields id --where 'id>=9' --where 'id<12'", "9 11"),
      ("bikes history --demo --fields bike --sort bike --where 'bike>9' --limit 2", "10 11"),
      ("nba players --demo --fields weight --where 'weight>99' --limit 2", "190 278"),
    ])
  func comparedIDs(words: String, ids: String) throws {
    let ending = try shell("hw \(words) --tsv --no-header")
    #expect(ending.output.split(separator: "\n").joined(separator: " ") == ids, "\(ending.errors)")
  }

  @Test(
    "Files that are not all bikes: nothing is added, and the line is named",
    arguments: [
      ("name,color,pin,latitude\nA,red,1234,50\n", "line 1: there is no column 'longitude'"),
      ("name,color,pin,latitude,longitude\nA,red,1234,50\n", "line 2: expected 5 fields, found 4"),
      (
        "name,color,pin,latitude,longitude\nA,red,1234,50,8\n\"B,red,1234,50,8\n",
        "line 3: a quote is never closed"
      ),
      (
        "name,color,pin,latitude,longitude\nA,red,1234,50,8\nB,red,1234,\"50,1\",8\n",
        "line 3: '50,1' is not a latitude"
      ),
      ("name,color,pin,latitude,longitude\nA,red,1234,50,8\n,red,1234,50,8\n", "line 3: the name is empty"),
      ("name,color,pin,latitude,longitude\nA,red,1234,50,200\n", "line 2: '200' is not a longitude"),
      ("[{\"name\":\"A\",\"color\":\"red\",\"pin\":\"1234\"", "line 1, column"),
      (
        "[{\"name\":\"A\",\"color\":\"red\",\"pin\":\"12\",\"location\":{\"latitude\":1,\"longitude\":1}}]",
        "at [0].pin"
      ),
      ("{\"name\":\"A\"}\n{\"name\":\"B\"}\n", "at color: expected a string, found nothing"),
      ("{\"type\":\"FeatureCollection\",\"features\":[{}]}", "features[0].geometry.type"),
    ])
  func files(text: String, message: String) throws {
    let server = try Serving.Server()
    try text.write(toFile: "\(server.home.path)/file", atomically: true, encoding: .utf8)
    let ending = try shell("hw bikes import file --url \(server.url)", in: server.home)
    #expect(ending.status == 2)
    #expect(ending.errors.contains(message), "\(ending.errors)")
    let left = try shell(
      "hw bikes list --anywhere --tsv --no-header --fields id --url \(server.url)", in: server.home)
    #expect(left.output == "0\n1\n2\n")
  }

  @Test(
    "What is exported comes back",
    arguments: ["", "--json", "--jsonl", "--csv", "--geojson"])
  func roundTrip(format: String) throws {
    let ending = try shell(
      """
      hw bikes export --pins \(format) >file && hw serve --store new -- sh -c 'hw bikes import file -q --json &&
      hw bikes export --pins --tsv --no-header --fields name,color,pin,location | sort | uniq -c | awk "{print \\$1}" | uniq'
      """)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output == "{\"read\":29,\"added\":29,\"present\":0}\n1\n")
  }

  @Test func aRideThroughTheEmbeddedStore() throws {
    let home = try Home()
    func hw(_ words: String, _ status: Int32 = 0) throws -> Ending {
      let ending = try shell(
        "hw bikes \(words)", in: home, environment: ["HW_URL": nil, "HW_LOCATION": "50.13,8.65"])
      #expect(ending.status == status, "hw bikes \(words): \(ending.errors)")
      return ending
    }
    #expect(try hw("rent 1 --tsv --no-header --fields pin").output == "5678\n")
    #expect(try hw("rent 1", 4).errors.contains("bike 1 is rented already, by you: noted since"))
    let other = try shell(
      "hw bikes rent 1", in: home, environment: ["HW_URL": nil, "XDG_STATE_HOME": "\(home.path)/other"])
    #expect(other.status == 4)
    #expect(other.errors.contains("the nearest free one: 'hw bikes rent 0' (Henry, 138 m away)"))
    #expect(try hw("rented --tsv --no-header --fields id,pin").output == "1\t5678\n")
    #expect(home.mode(".local/state/hw/bikes-rented.jsonl") == 0o600)
    #expect(try hw("delete 1 --yes", 4).errors.contains("bike 1 is rented"))
    #expect(try hw("return --tsv --no-header --fields id,location").output == "1\t50.13\t8.65\n")
    #expect(try hw("rented --tsv --no-header").output == "")
    #expect(try hw("return", 3).errors.contains("you have no bike out here"))
    #expect(try hw("return 1", 4).errors.contains("bike 1 is not rented"))
    _ = try hw("rent 0")
    _ = try hw("rent 2")
    #expect(try hw("return", 4).errors.contains("you have 2 bikes out: 0, 2"))
    #expect(try hw("history --tsv --no-header --fields bike,distance").output == "2\t\n0\t\n1\t1394\n")
    #expect(try hw("show ../1", 3).errors.contains("bike '../1' doesn't exist"))
    #expect(try hw("show 'a b'", 3).errors.contains("bike 'a b' doesn't exist"))
  }

  @Test func aPinStandsInNoListAndNoLog() throws {
    let ending = try shell(
      """
      for format in table json jsonl csv tsv; do hw bikes list --anywhere -o $format; hw bikes show 1 -o $format; done
      hw bikes map --geojson; hw bikes export; hw bikes export --gbfs feed; cat feed/*
      echo 5678 | hw bikes add -vv --name W --frame-color red --pin-file - --at 1,1
      echo 5678 | hw bikes add --explain --name W --frame-color red --pin-file - --at 1,1 --url http://localhost
      """)
    #expect(ending.status == 0)
    // The ids of a feed are random: 16 digits, any of which may follow each other.
    let text = (ending.output + ending.errors).replacing(/[0-9a-f]{16}/, with: "ID")
    #expect(!text.contains("5678"))
  }

  @Test(.needs(.setsid)) func aFormOnATerminal() throws {
    let home = try Home()
    let terminal = try Terminal(columns: 100)
    let started = try Started(
      ["setsid", "-cw", "hw", "bikes", "add"], in: home,
      environment: ["HW_LOCATION": "50.12,8.64", "TERM": "xterm"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    func wait(_ text: String) { #expect(terminal.see(text) != nil, "'\(text)', but: \(terminal.text)") }
    wait("Name: ")
    terminal.type("\n")
    wait("the name is empty")
    terminal.type("Wanda\n")
    wait("Color: ")
    terminal.type("red\n")
    wait("not shown): ")
    terminal.type("12a4\n")
    wait("exactly four digits")
    terminal.type("4711\n")
    wait("Place (LAT,LON) [50.12,8.64]: ")
    terminal.type("\n")
    wait("Add 'Wanda', red, at 50.12,8.64? [y/N] ")
    terminal.type("y\n")
    wait("29  Wanda")
    #expect(started.end().status == 0)
  }
}

/// Against the original's routes, re-created.
@Suite(.ownThread, .needs(.express, .node))
struct BikesOriginal {
  private final class Original {
    let home: Home
    let started: Started

    init() throws {
      let home = try Home()
      self.home = home
      let script = GeneratedFiles.root.appending(path: "Tests/bench/bikes-original.js").path
      started = try Started(["node", script], in: home, environment: ["NODE_PATH": "/usr/share/nodejs"])
      try home.wait(for: ".1") { $0.hasSuffix("\n") }
    }

    func hw(_ words: String, _ status: Int32 = 0, by user: String = "u") throws -> Ending {
      // In a home beside it: the server's own output has the usual names.
      let line = "mkdir -p \(user) && HOME=$PWD/\(user) HW_URL=$(head -n 1 .1) hw bikes \(words)"
      let ending = try Started(["sh", "-c", "cd '\(home.path)' && \(line)"], in: Home()).end()
      #expect(ending.status == status, "hw bikes \(words): \(ending.errors)")
      return ending
    }
  }

  @Test func aWholeRide() throws {
    let original = try Original()
    #expect(
      try original.hw("list --near 50.119504,8.638137 --radius 200 --tsv --no-header --fields id").output
        == "0\n1\n")
    #expect(try original.hw("rent 1 --tsv --no-header --fields pin").output == "5678\n")
    #expect(try original.hw("rent 1", 4).errors.contains("bike 1 is rented already, by you: noted since"))
    #expect(
      try original.hw("rent 1", 4, by: "other").errors.contains(
        "bike 1 is rented\n"))
    #expect(try original.hw("list --anywhere --tsv --no-header --fields id").output == "0\n2\n")
    #expect(try original.hw("return --at 50.2,8.7 --tsv --no-header --fields id").output == "1\n")
    #expect(
      try original.hw("show 1 --tsv --no-header --fields location,rented").output == "50.2\t8.7\tfalse\n")
    #expect(try original.hw("return 1 --at 50.2,8.7", 4).errors.contains("bike 1 is not rented"))
    #expect(try original.hw("show 77", 3).errors.contains("bike '77' doesn't exist"))
    #expect(try original.hw("rent 77", 3).errors.contains("doesn't exist"))
  }

  @Test func whatIsAddedIsFoundByListingAgain() throws {
    let original = try Original()
    let add = "add --name Wanda --frame-color red --pin 0420 --tsv --no-header --fields id"
    #expect(try original.hw("\(add) --at 50.12,8.64").output == "3\n")
    #expect(try original.hw("\(add) --at 50.12,8.64").output == "4\n")
    #expect(
      try original.hw("\(add) --at 0,8.64", 2).errors.contains(
        "takes a coordinate of exactly 0 for a missing one"))
    #expect(try original.hw("rent 0 -q").output != "")
    let refused = try original.hw("return 0 --at 0,8.64", 2).errors
    #expect(
      refused.contains("bike 0 stays where it was, and rented: this server takes a coordinate of exactly 0"))
    #expect(try original.hw("rent 4 --tsv --no-header --fields pin").output == "0420\n")
  }

  /// It takes no notice of a place with a 0 in it; the client chooses again.
  @Test func aPlaceWithAZeroIsAPlace() throws {
    #expect(try Original().hw("list --near 0,8.6 --tsv --no-header").output == "")
  }

  @Test func whatItCannotDoIsSaid() throws {
    let original = try Original()
    #expect(try original.hw("delete 1 --yes", 3).errors.contains("no way to delete a bike"))
    #expect(try original.hw("history", 3).errors.contains("keeps no history"))
    let file = "printf 'name,color,pin,latitude,longitude\\nA,red,1234,50,8\\nB,red,1234,0,8\\n' |"
    func hw(_ words: String, _ status: Int32) throws -> Ending {
      let ending = try shell("\(file) HW_URL=$(head -n 1 '\(original.home.path)/.1') hw bikes \(words)")
      #expect(ending.status == status, "\(ending.errors)")
      return ending
    }
    for _ in 1...2 { #expect(try hw("import -", 2).errors.contains("; 1 of 2 bikes are stored")) }
    #expect(try original.hw("list --anywhere --jsonl --fields id").output.contains("\"3\""))
  }
}
