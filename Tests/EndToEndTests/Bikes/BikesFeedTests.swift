import Command
import Foundation
import JSON
import TestSupport
import Testing

/// The General Bikeshare Feed as files and as a server's answers, against the public rules.
@Suite(.ownThread, .needs(.libsqlite3)) struct BikesFeed {
  /// The schemas of the files of the General Bikeshare Feed by version and name of the file without its ending, in
  /// `Tests/ProgramTests/recorded/feed-schemas.jsonl`: every field that the public schemas require, and those beyond that
  /// hw may use.
  private static let rules: [String: [(name: String, schema: String)]] = {
    let file = GeneratedFiles.root.appending(path: "Tests/ProgramTests/recorded/feed-schemas.jsonl")
    var files: [String: [(name: String, schema: String)]] = [:]
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
      guard let entry = try? JSON.parse(String(line)), let version = try? entry["version"].string,
        let name = try? entry["file"].string
      else { return [:] }
      var schema: [UInt8] = []
      entry["schema"].appendRaw(to: &schema)
      files[version, default: []].append((name, String(decoding: schema, as: UTF8.self)))
    }
    return files
  }()

  @Test(arguments: ["3.0", "2.3"])
  func itsFilesAreValidFeed(version: String) throws {
    let home = try Home()
    let ending = try shell(
      "hw bikes export --gbfs feed --gbfs-version \(version) --base https://bikes.example/", in: home)
    #expect(ending.status == 0)
    // For everybody, as mkdir makes it.
    #expect(try shell("umask 022; hw bikes export --gbfs www/feed -q", in: home).status == 0)
    for name in ["www", "www/feed"] { #expect(home.mode(name) == 0o755) }
    let rules = try #require(Self.rules[version])
    #expect(ending.output == rules.map { "feed/\($0.name).json\n" }.joined())
    for rule in rules {
      let text = home.text("feed/\(rule.name).json")
      #expect(JSONSchema.problems(text, rule.schema) == [], "\(rule.name)")
      #expect(!text.contains("pin") && !text.discloses(pin: "1234"))
    }
    let (file, list, id) =
      version == "3.0"
      ? ("vehicle_status", "vehicles", "vehicle_id") : ("free_bike_status", "bikes", "bike_id")
    let status = try JSON.parse(Array(home.text("feed/\(file).json").utf8))
    let ids = try status["data"][list].array.map { try $0[id].string }
    #expect(Set(ids).count == ids.count)
  }

  @Test(arguments: ["3.0", "2.3"])
  func servedFilesAreValid(version: String) throws {
    let server = try Serving.Server()
    let connection = try #require(RawConnection(server.url))
    for rule in try #require(Self.rules[version]) {
      let answer = try #require(connection.ask("GET", "/gbfs/\(version)/\(rule.name).json"))
      #expect(answer.status == 200)
      #expect(answer.head.contains("Content-Type: application/json"))
      #expect(JSONSchema.problems(answer.body, rule.schema) == [], "\(rule.name)")
      guard rule.name == "gbfs" else { continue }
      let json = try JSON.parse(Array(answer.body.utf8))["data"]
      for feed in try (version == "3.0" ? json : json["en"])["feeds"].array {
        let path = try #require(URL(string: feed["url"].string)).path
        #expect(connection.ask("GET", path)?.status == 200, "\(path)")
      }
    }
  }

  @Test(arguments: ["3.0", "2.3"])
  func writtenFeedIsReadBack(version: String) throws {
    let home = try Home()
    func places(_ address: String) throws -> [String] {
      let list = "hw bikes list --url \(address) --where available=1 --tsv --no-header --fields location"
      let ending = try shell(list, in: home)
      #expect(ending.status == 0 && ending.errors == "", "\(ending.errors)")
      return ending.output.split(separator: "\n").map(String.init).sorted()
    }
    // Only the free ones are in a feed.
    let server = try Serving.Server()
    let free = try places(server.url)
    #expect(free.count > 1)
    #expect(try places("gbfs:\(server.url)/gbfs/\(version)/gbfs.json") == free)

    let files = try LoopbackServer { request in
      .response(body: home.text("feed/\(request.target.dropFirst(5))"))
    }
    let export =
      "hw bikes export --gbfs feed --gbfs-version \(version) --base \(files.url) --url \(server.url)"
    #expect(try shell(export, in: home).status == 0)
    #expect(try places("gbfs:\(files.url)/\(version)/gbfs.json") == free)
    #expect(try shell("hw check bikes --url gbfs:\(files.url)/\(version)/gbfs.json", in: home).status == 0)
  }

  @Test(arguments: [("bikes.example:81", "bikes.example:81"), ("", "localhost")])
  func addressesAreThoseOfHostThatWasAsked(asked: String, told: String) throws {
    let server = try Serving.Server(["bikes", "--host", "bikes.example", "--public", "bikes"])
    let connection = try #require(RawConnection(server.url))
    connection.send(Array("GET /gbfs/gbfs.json HTTP/1.1\r\nHost: \(asked)\r\n\r\n".utf8))
    let answer = try #require(connection.answer())
    let url = try JSON.parse(Array(answer.body.utf8))["data"]["feeds"][0]["url"].string
    #expect(url == "http://\(told)/gbfs/3.0/gbfs.json")
  }
}
