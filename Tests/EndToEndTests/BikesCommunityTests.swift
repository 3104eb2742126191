import Foundation
import JSON
import TestSupport
import Testing

/// A community on one server: users, edits, several operands, imports and a feed for others.
@Suite(.ownThread) struct BikesCommunity {
  private let home: Home
  private let server: Serving.Server

  init() throws {
    home = try Home()
    let made = try shell(
      "for name in carla emil; do hw users add $name --store data >$name; done; hw users add ada --admin --store data >ada",
      in: home)
    #expect(made.status == 0)
    server = try Serving.Server(
      [
        "bikes", "--samples", "--store", "data", "--public-url", "https://bikes.example/town/",
      ], in: home,
      environment: [
        "HW_SERVE_FEED_NAME": "Town bikes", "HW_SERVE_FEED_ID": "town_bikes",
        "HW_SERVE_FEED_OPERATOR": "The town", "HW_SERVE_FEED_TIMEZONE": "Europe/Berlin",
        "HW_SERVE_FEED_LICENSE": "https://bikes.example/license",
        "HW_SERVE_FEED_EMAIL": "feed@bikes.example", "HW_SERVE_RENTALS_PER_USER": "2",
      ])
  }

  /// A machine of a user: a home of its own, and the same token.
  private func hw(_ user: String, _ words: String, machine: String = "laptop") throws -> Ending {
    try shell(
      "T=$PWD/\(user); mkdir -p \(user)-\(machine) && cd \(user)-\(machine) && HOME=$PWD HW_TOKEN=$(cat $T) sh -c \(quoted(words))",
      in: home, environment: ["HW_URL": server.url])
  }

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  @Test func anotherMachineReturnsWhatOneHasRented() throws {
    #expect(
      try hw("emil", "hw bikes rent 1 2 --jsonl --fields id,pin").output == """
        {"id":"1","pin":"5678"}
        {"id":"2","pin":"1111"}

        """)
    for machine in ["laptop", "phone"] {
      let rented = try hw("emil", "hw bikes rented --tsv --no-header --fields id,pin", machine: machine)
      #expect(rented.output == "1\t5678\n2\t1111\n", "\(rented)")
    }
    let again = try hw("emil", "hw bikes rent 1", machine: "phone")
    #expect(again.status == 4 && again.errors.contains("is rented already, by you"), "\(again)")
    #expect(try hw("emil", "hw bikes rent 0").errors.contains("at most 2 bikes"))
    // Nobody else returns it, and the PIN is still there for the renter.
    #expect(try hw("carla", "hw bikes return 1 --at 50.12,8.64").status == 7)
    let edited = try hw("ada", "hw bikes edit 1 --pin 4711 --json")
    #expect(try JSON.parse(Array(edited.output.utf8))["id"].string == "1")
    #expect(try hw("emil", "hw bikes rented --tsv --no-header --fields pin").output == "4711\n1111\n")
    #expect(try hw("emil", "hw bikes return 1 2 --at 50.12,8.64", machine: "phone").status == 0)
    #expect(try hw("emil", "hw bikes rented --json").output == "[]\n")
    #expect(
      !FileManager.default.fileExists(atPath: home.file("emil-laptop/.local/state/hw/bikes-rented.jsonl")))
    let audit = try hw("ada", "hw bikes history --all --tsv --no-header --fields bike,action,by,changed")
    #expect(audit.output == "1\tedit\tada\tpin\n2\trent\temil\t\n1\trent\temil\t\n")
    #expect(try hw("carla", "hw bikes history --json").output == "[]\n")
  }

  /// All operands are processed, each failure is reported, and the first decides the status.
  @Test func severalBikes() throws {
    let shown = try hw("emil", "printf '2\\n\\n77\\n' | hw bikes show 0 78 - --jsonl --fields id")
    #expect(shown.output == "{\"id\":\"0\"}\n{\"id\":\"2\"}\n" && shown.status == 3, "\(shown)")
    #expect(shown.errors.contains("'78'") && shown.errors.contains("'77'"))
    let rented = try hw("emil", "hw bikes rent 1 99 1 2 -q --jsonl --fields id")
    #expect(rented.status == 3 && rented.output == "{\"id\":\"1\"}\n{\"id\":\"2\"}\n", "\(rented)")
    let deleted = try hw("ada", "hw bikes delete 1 0 --yes")
    #expect(deleted.status == 4 && deleted.output == "bike 0 is deleted\n", "\(deleted)")
    let dry = try hw("ada", "hw bikes delete 1 2 --dry-run")
    #expect(dry.output == "bike 1, Hans, would be deleted\nbike 2, Thomas, would be deleted\n")
    #expect(try hw("emil", "hw bikes show").status == 2)
    let returned = try hw("emil", "hw bikes return 1 98 2 --at 50.12,8.64 --jsonl --fields id")
    #expect(returned.status == 3 && returned.output == "{\"id\":\"1\"}\n{\"id\":\"2\"}\n", "\(returned)")
  }

  @Test func anExportIsImportedOnce() throws {
    #expect(
      try hw("carla", "hw bikes add --name Wanda --frame-color red --pin 0420 --at 50.12,8.64").status == 0)
    #expect(try hw("ada", "hw bikes export --pins > all && hw bikes delete 3 --yes").status == 0)
    let back = try hw("ada", "hw bikes import all --json")
    #expect(back.output == #"{"read":4,"added":1,"present":3}"# + "\n", "\(back)")
    let again = try hw("ada", "hw bikes import all --json")
    #expect(again.output == #"{"read":4,"added":0,"present":4}"# + "\n" && again.status == 0)
    let shown = try hw("carla", "hw bikes show 3 --tsv --no-header --fields name,owner")
    #expect(shown.output == "Wanda\tcarla\n")
  }

  @Test("The published feed is valid", arguments: ["3.0", "2.3"])
  func feed(version: String) throws {
    let connection = try #require(RawConnection(server.url))
    let token = home.text("emil").trimmingCharacters(in: .whitespacesAndNewlines)
    func file(_ name: String) throws -> (json: JSON, head: String) {
      let answer = try #require(
        connection.ask(
          "GET", "/gbfs/\(version)/\(name).json", "", headers: ["Authorization: Bearer \(token)"]))
      #expect(answer.status == 200, "\(answer)")
      return (try JSON.parse(Array(answer.body.utf8)), answer.head)
    }
    for rule in try #require(BikesFeedRules.files[version]) {
      let (json, head) = try file(rule.name)
      #expect(BikesFeedRules.file(version, rule.data).findings(in: json).map(\.text) == [], "\(rule.name)")
      #expect(try json["ttl"].int >= 60)
      #expect(head.contains("Cache-Control: private, max-age=\(try json["ttl"].int)"))
    }
    let discovery = try file("gbfs").json["data"]
    let feeds = try (version == "3.0" ? discovery : discovery["en"])["feeds"].array
    #expect(
      try feeds.allSatisfy { try $0["url"].string.hasPrefix("https://bikes.example/town/gbfs/\(version)/") })
    let system = try file("system_information").json["data"]
    #expect(try system["system_id"].string == "town_bikes")
    #expect(try system["timezone"].string == "Europe/Berlin")
    #expect(try system["license_url"].string == "https://bikes.example/license")
    #expect(try system["feed_contact_email"].string == "feed@bikes.example")
    let (name, operatorName) = (system["name"], system["operator"])
    #expect(try (version == "3.0" ? name[0]["text"] : name).string == "Town bikes")
    #expect(try (version == "3.0" ? operatorName[0]["text"] : operatorName).string == "The town")
  }

  @Test(
    "A feed that would be invalid is refused",
    arguments: [
      ("FEED_TIMEZONE", "Berlin"), ("FEED_TIMEZONE", "Europe/Berln"), ("FEED_LICENSE", "nowhere"),
      ("FEED_EMAIL", "nobody"), ("FEED_EMAIL", "a@b..c"), ("FEED_NAME", " "), ("BIKES_PER_OWNER", "-1"),
      ("RENTALS_PER_USER", "x"),
    ])
  func settings(name: String, text: String) throws {
    #expect(try shell("hw serve -- true", environment: ["HW_SERVE_\(name)": text]).status == 2)
  }
}
