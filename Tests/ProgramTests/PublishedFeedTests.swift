import JSON
import System
import TestSupport
import Testing

@testable import hw

/// Feeds of other operators (`--url gbfs:URL`), each written by hand and served on this machine.
@Suite(.ownThread) struct PublishedFeeds {
  /// A feed, the end of a command on it, and what the command printed.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let files: [String: String]
    var words: [String] = []
    /// Id, name, kind, available, docks, rented.
    var rows: [String] = []
    /// Parts of the messages, in order; none for no message at all.
    var messages: [String] = []
    var status: Int32 = 0

    init(
      _ title: String, _ files: [String: String], _ words: [String] = [], rows: [String] = [],
      messages: [String] = [], status: Int32 = 0
    ) {
      testDescription = title
      self.files = files
      self.words = words
      self.rows = rows
      self.messages = messages
      self.status = status
    }
  }

  static func file(_ data: String, updated: String = "1704067170", ttl: String = "60") -> String {
    #"{"last_updated":\#(updated),"ttl":\#(ttl),"version":"2.3","data":\#(data)}"#
  }

  private static func feeds(_ names: [String], in folder: String = "") -> String {
    let feeds = names.map { #"{"name":"\#($0)","url":"http://HOST/\#(folder)\#($0)"}"# }
    return #"{"feeds":[\#(feeds.joined(separator: ","))]}"#
  }

  /// A feed of version 3 with these files.
  static func feed(_ data: KeyValuePairs<String, String>) -> [String: String] {
    var files = ["gbfs.json": file(feeds(data.map(\.key)))]
    for (name, data) in data { files[name] = file(data) }
    return files
  }

  static let station =
    #"{"stations":[{"station_id":"s","name":[{"text":"Gare","language":"fr"},{"text":"Bahnhof","language":"de-CH"}],"#
    + #""lat":50.1,"lon":8.6,"rental_uris":{"ios":"app://s","web":"https://a\nb","android":"https://rent.example/s"}}]}"#

  private static func stations(_ ids: String...) -> String {
    let stations = ids.map { #"{"station_id":"\#($0)","name":"\#($0.uppercased())","lat":50.1,"lon":8.6}"# }
    return #"{"stations":[\#(stations.joined(separator: ","))]}"#
  }

  private static func status(_ members: String, id: String = "s") -> String {
    #"{"stations":[{"station_id":"\#(id)",\#(members)}]}"#
  }

  private static func vehicles(_ members: String...) -> String {
    #"{"vehicles":[\#(members.map { "{\($0)}" }.joined(separator: ","))]}"#
  }

  private static let free = #""vehicle_id":"v","lat":50.1,"lon":8.6,"is_reserved":false,"is_disabled":false"#

  static let cases = [
    Case(
      "stations and vehicles of version 3",
      feed([
        "station_information": station,
        "station_status": status(#""num_vehicles_available":4,"num_docks_available":6,"is_renting":true"#),
        "vehicle_status": vehicles(free),
      ]), rows: ["s|Gare|station|4|6|false", "v||bike|1||false"]),
    Case(
      "the variant of a language", feed(["station_information": station]), ["--lang", "de"],
      rows: ["s|Bahnhof|station|||false"]),
    Case(
      "version 2, without English: the first language",
      [
        "gbfs.json": file(
          #"{"fr":\#(feeds(["station_information"], in: "fr/")),"de":\#(feeds(["free_bike_status"]))}"#),
        "fr/station_information": file(stations("a")),
      ], rows: ["a|A|station|||false"]),
    Case(
      "version 2 in another language",
      [
        "gbfs.json": file(#"{"fr":\#(feeds(["x"])),"de":\#(feeds(["free_bike_status"]))}"#),
        "free_bike_status": file(#"{"bikes":[{"bike_id":7,"lat":"50.1","lon":"8.6"}]}"#),
      ], ["--lang", "DE"], rows: ["7||bike|1||false"]),
    Case(
      "numbers and flags as text or number",
      feed([
        "station_information": #"{"stations":[{"station_id":5,"name":"Five","lat":"50.1","lon":"8.6e0"}]}"#,
        "station_status":
          #"{"stations":[{"station_id":5,"num_bikes_available":"3","num_docks_available":"0","is_renting":1}]}"#,
        "vehicle_status": vehicles(#""vehicle_id":"v","lat":50,"lon":8,"is_reserved":"0","is_disabled":"1""#),
      ]), ["--include-rented"], rows: ["5|Five|station|3|0|false", "v||bike|0||true"]),
    Case(
      "a station without status, a status without station",
      feed([
        "station_information": stations("s", "t"),
        "station_status":
          #"{"stations":[{"station_id":"u","num_docks_available":1},{"station_id":"t","num_docks_available":2}]}"#,
      ]), rows: ["s|S|station|||false", "t|T|station||2|false"],
      messages: ["left out, without a position: 1 of the feed's stations and vehicles"]),
    Case(
      "a status without any station",
      feed(["station_status": status(#""num_bikes_available":1"#), "vehicle_status": vehicles(free)]),
      rows: ["v||bike|1||false"], messages: ["left out, without a position: 1 "]),
    Case(
      "positions that are null, missing, out of range, or those of a station",
      feed([
        "station_information":
          #"{"stations":[{"station_id":"n","name":"N","lat":null,"lon":null},{"station_id":"s","name":"S","lat":1,"lon":2}]}"#,
        "station_status": status(#""num_bikes_available":1"#, id: "n"),
        "vehicle_status": vehicles(
          #""vehicle_id":"a","lat":null,"lon":8"#, #""vehicle_id":"b","lat":91,"lon":8"#,
          #""vehicle_id":"c""#,
          #""vehicle_id":"d","station_id":"s""#, #""vehicle_id":"e","station_id":"x""#,
          #""vehicle_id":"f","lat":1,"lon":2,"station_id":"s""#),
      ]), rows: ["s|S|station|||false"], messages: ["left out, without a position: 5 "]),
    Case(
      "reserved and disabled vehicles are not free",
      feed([
        "vehicle_status": vehicles(
          free, #""vehicle_id":"a","lat":5,"lon":8,"is_reserved":true"#,
          #""vehicle_id":"b","lat":5,"lon":8,"is_disabled":true"#)
      ]), rows: ["v||bike|1||false"]),
    Case(
      "closed stations have nothing",
      feed([
        "station_information": stations("s", "t"),
        "station_status":
          #"{"stations":[{"station_id":"s","num_bikes_available":3,"num_docks_available":4,"is_renting":false,"is_returning":true},"#
          + #"{"station_id":"t","num_bikes_available":3,"num_docks_available":4,"is_installed":false}]}"#,
      ]), rows: ["s|S|station|0|4|false", "t|T|station|0|0|false"]),
    Case(
      "a vehicle with the id of a station",
      feed(["station_information": stations("v"), "vehicle_status": vehicles(free)]),
      rows: ["v|V|station|||false", "bike:v||bike|1||false"]),
    Case(
      "a condition",
      feed([
        "station_information": stations("s", "t"), "station_status": status(#""num_bikes_available":2"#),
        "vehicle_status": vehicles(free),
      ]), ["--where", "available>0", "--sort", "-available"],
      rows: ["s|S|station|2||false", "v||bike|1||false"]),
    Case(
      "an area",
      feed([
        "station_information": stations("s"),
        "vehicle_status": vehicles(#""vehicle_id":"a","lat":5,"lon":8"#),
      ]),
      ["--near", "50.1,8.6"], rows: ["s|S|station|||false"]),
    Case(
      "a redirect and another path",
      feed(["vehicle_status": vehicles(free)]).merging(["moved": "302 /gbfs.json"]) { $1 }, ["moved"],
      rows: ["v||bike|1||false"]),
    Case(
      "a file that is listed and missing",
      [
        "gbfs.json": file(feeds(["station_information", "vehicle_status"])),
        "vehicle_status": file(vehicles(free)),
      ],
      rows: ["v||bike|1||false"],
      messages: ["the feed lists station_information, but its operator has no such file"]),
    Case(
      "no file of stations or vehicles", feed(["system_information": "{}"]),
      messages: ["has neither stations nor vehicles"], status: 6),
    Case(
      "only missing files", ["gbfs.json": file(feeds(["vehicle_status"]))],
      messages: ["no such file", "neither"], status: 6),
    Case(
      "a file of a feed that is not gbfs.json", feed(["vehicle_status": vehicles(free)]), ["vehicle_status"],
      messages: ["at data: expected the files of a GBFS feed"], status: 6),
    Case(
      "JSON that is no feed", ["gbfs.json": "[1]"], messages: ["expected a file of a GBFS feed"], status: 6),
    Case(
      "a page", ["gbfs.json": "<title>Home</title>"], messages: ["expected JSON, got HTML: Home"], status: 6),
    Case("no feed", [:], messages: ["returned 404"], status: 3),
    Case(
      "vehicles without ids", feed(["vehicle_status": vehicles(#""lat":50,"lon":8"#)]),
      messages: ["vehicle_status': line 1, column 73, at data.vehicles[0].bike_id: expected a string"],
      status: 6),
    Case(
      "a file on this machine",
      ["gbfs.json": file(#"{"feeds":[{"name":"vehicle_status","url":"unix:/run/x"}]}"#)],
      messages: ["'unix:/run/x', which is not an address on a network"], status: 6),
    Case(
      "a file at no address", ["gbfs.json": file(#"{"feeds":[{"name":"vehicle_status","url":"x"}]}"#)],
      messages: ["vehicle_status at an invalid address"], status: 6),
    Case(
      "data of five minutes ago and older",
      [
        "gbfs.json": file(feeds(["station_information", "station_status", "vehicle_status"])),
        "station_information": file(stations("s"), updated: "1600000000"),
        "station_status": file(status(#""num_bikes_available":1"#), updated: #""2024-01-01T01:55:01+02:00""#),
        "vehicle_status": file(vehicles(free), updated: #""2023-12-31T19:54:59-04:00""#),
      ], rows: ["s|S|station|1||false", "v||bike|1||false"],
      messages: ["vehicle_status is of 2023-12-31 23:54: the operator has not updated it since"]),
    Case(
      "old data with a long lifetime, or without a time",
      [
        "gbfs.json": file(feeds(["vehicle_status", "station_status"]), updated: "null", ttl: "null"),
        "vehicle_status": file(vehicles(free), updated: "1704063600", ttl: "\"7200\""),
        "station_status": file(#"{"stations":[]}"#, updated: "\"yesterday\""),
      ], rows: ["v||bike|1||false"]),
  ]

  // MARK: Commands

  private let home: ScratchDirectory
  private let time = FakeClock()

  init() throws { home = try ScratchDirectory() }

  /// An operator's server. A file that is `302 PATH` redirects.
  private func serve(_ files: [String: String]) throws -> ScriptedServer {
    try ScriptedServer { peer in
      while let head = peer.read() {
        let words = head.split(whereSeparator: \.isWhitespace)
        let host = words.firstIndex(of: "Host:").map { words[$0 + 1] } ?? ""
        let file = files[String(words[1].dropFirst())]?.replacing("HOST", with: host)
        let isMoved = file?.hasPrefix("302 ") == true
        let body = file ?? "none"
        peer.write(
          "HTTP/1.1 \(isMoved ? 302 : file == nil ? 404 : 200) Scripted\r\nContent-Length: \(body.utf8.count)\r\n"
            + "\(isMoved ? "Location: \(body.dropFirst(4))\r\n" : "")Cache-Control: no-store\r\n\r\n\(body)")
      }
    }
  }

  private func run(_ words: [String], on server: ScriptedServer, file: String = "gbfs.json") -> Ran {
    Ran(
      .hw, words + ["--url", "gbfs:http://127.0.0.1:\(server.port)/\(file)"],
      environment: [
        "HOME": home.path, "HW_BIKES_TOKEN": "geheim", "HW_TOKEN": "geheim", "HW_URL": "https://hw.example",
      ],
      time: time)
  }

  private static let list = [
    "bikes", "list", "--tsv", "--no-header", "--fields", "id,name,kind,available,docks,rented",
  ]

  @Test(arguments: cases) func listHasWhatFeedHas(row: Case) throws {
    let server = try serve(row.files)
    defer { server.stop() }
    var words = row.words
    let file = words.first.flatMap { row.files[$0] == nil ? nil : $0 }
    if file != nil { words.removeFirst() }
    let ran = run(PublishedFeeds.list + words, on: server, file: file ?? "gbfs.json")
    #expect(ran.status == row.status, "\(ran.errors)")
    #expect(ran.lines.map { $0.replacing("\t", with: "|") } == row.rows)
    if row.messages.isEmpty { #expect(ran.errors == "") }
    var rest = ran.errors[...]
    for message in row.messages {
      let found = try #require(rest.range(of: message), "\(ran.errors)")
      rest = rest[found.upperBound...]
    }
    #expect(
      server.requests.allSatisfy { !$0.contains("geheim") && !$0.lowercased().contains("authorization") })
  }

  private static let whole = feed([
    "system_information": #"{"url":"https://operator.example"}"#, "station_information": station,
    "station_status": status(
      #""num_vehicles_available":4,"num_docks_available":6,"is_installed":true,"is_renting":true,"is_returning":true"#
    ),
    "vehicle_status": vehicles(free),
  ])

  @Test func fileIsNotRequestedBeforeItChanges() throws {
    let server = try serve(PublishedFeeds.whole)
    defer { server.stop() }
    func requests(after seconds: Int, _ options: String...) -> Int {
      time.advance(by: .seconds(seconds))
      let before = server.requests.count
      #expect(run(["bikes", "list"] + options, on: server).status == 0)
      return server.requests.count - before
    }
    // The files are half a minute old, and change every minute.
    #expect(requests(after: 0) == 4)
    #expect(requests(after: 29) == 0)
    #expect(requests(after: 1) == 4)
    #expect(requests(after: 0, "--no-cache") == 4)
    #expect(requests(after: 30, "--max-age", "600") == 0)
    // Completion sends nothing, and has the ids of before.
    let words = Ran(
      .hw,
      ["__complete", "--", "bikes", "show", ""],
      environment: ["HOME": home.path, "HW_URL": "gbfs:http://127.0.0.1:\(server.port)/gbfs.json"], time: time
    )
    #expect(words.output.contains("\ns\tGare\nv") && server.requests.count == 12)
  }

  @Test(
    arguments: [
      ("add --name a --frame-color red --pin 1234 --at 1,1", "https://operator.example"),
      ("rent s", "https://rent.example/s"), ("rent v", "https://operator.example"),
      ("return s --at 1,1", "https://rent.example/s"), ("return --at 1,1", "https://operator.example"),
      ("edit s --name b", "https://operator.example"), ("delete s --yes", "https://operator.example"),
      ("history", "https://operator.example"), ("export --gbfs ~/x", "https://operator.example"),
    ])
  func changeIsRefusedWithLink(line: String, link: String) throws {
    let server = try serve(PublishedFeeds.whole)
    defer { server.stop() }
    let words = line.replacing("~", with: home.path).split(separator: " ").map(String.init)
    let ran = run(["bikes"] + words, on: server)
    #expect(ran.status == 2 && ran.output == "")
    #expect(
      ran.complaint
        == "hw: 'gbfs:http://127.0.0.1:\(server.port)/gbfs.json' is read-only | its operator rents, returns and adds the bikes: \(link)"
    )
    #expect(server.requests.allSatisfy { $0.hasPrefix("GET ") })
  }

  @Test func keyInAddressIsMasked() throws {
    let address = "gbfs.json?api_key=geheim"
    let server = try serve([address: PublishedFeeds.whole["gbfs.json"] ?? ""])
    defer { server.stop() }
    for words in [["bikes", "rent", "s"], ["bikes", "list"], ["check", "bikes", "--json"]] {
      let ran = run(words, on: server, file: address)
      #expect(ran.status != 0 && !(ran.output + ran.errors).contains("geheim"), "\(ran)")
    }
    #expect(server.requests.contains { $0.hasPrefix("GET /gbfs.json?api_key=geheim ") })
  }

  @Test func refusalNeedsNoFeed() throws {
    let server = try serve([:])
    defer { server.stop() }
    let ran = run(["bikes", "rent", "s"], on: server)
    #expect(ran.status == 2 && ran.errors.contains("the link could not be read: "))
  }

  @Test func tableHasColumnsOfFeed() throws {
    let server = try serve(PublishedFeeds.whole)
    defer { server.stop() }
    #expect(
      run(["bikes", "list", "--near", "50.1,8.6"], on: server).output == """
        Id  Name  Distance  Kind     Available  Docks  Latitude  Longitude
        s   Gare       0 m  station          4      6  50.10000    8.60000
        v              0 m  bike             1      -  50.10000    8.60000

        """)
    #expect(
      run(["bikes", "show", "s", "--csv"], on: server).output == """
        id,name,distance,kind,available,docks,location.latitude,location.longitude
        s,Gare,,station,4,6,50.1,8.6

        """)
    let shown = try JSON.parse(run(["bikes", "show", "s", "--json"], on: server).output)
    #expect(try shown[0]["rentalURL"].string == "https://rent.example/s")
    let map = try JSON.parse(run(["bikes", "map", "--geojson"], on: server).output)
    #expect(try map["features"][0]["properties"]["available"].int == 4)
    let unknown = run(["bikes", "show", "x"], on: server)
    #expect(unknown.status == 3 && unknown.errors.contains("the feed has no bike or station 'x'"))
  }

  @Test func emptyStationIsRingOnMap() throws {
    var files = PublishedFeeds.whole
    files["vehicle_status"] = nil
    files["station_status"] = PublishedFeeds.file(PublishedFeeds.status(#""num_bikes_available":0"#))
    let server = try serve(files)
    defer { server.stop() }
    let map = run(["bikes", "map"], on: server).output
    #expect(map.contains("○s") && !map.contains("●"))
  }

  @Test func checkComparesFiles() throws {
    let server = try serve(PublishedFeeds.whole)
    defer { server.stop() }
    let good = run(["check", "bikes"], on: server)
    #expect(
      good.status == 0 && good.lines.allSatisfy { $0.hasPrefix("ok ") } && good.lines.count == 6, "\(good)")
    let odd = try serve(
      PublishedFeeds.whole.merging(
        ["vehicle_status": PublishedFeeds.file(#"{"vehicles":[{"vehicle_id":true,"lat":5,"lon":8}]}"#)]) {
          $1
        })
    defer { odd.stop() }
    let ran = run(["check", "bikes"], on: odd)
    #expect(ran.status == 1)
    #expect(ran.output.contains("FAIL  bikes: the vehicles\n"))
    #expect(
      ran.output.contains("data.vehicles[0].vehicle_id: expected a string, found true or false"), "\(ran)")
  }

  @Test func explanationSendsNothing() throws {
    let server = try serve(PublishedFeeds.whole)
    defer { server.stop() }
    let ran = run(["bikes", "list", "--explain"], on: server)
    #expect(ran.lines.first == "curl http://127.0.0.1:\(server.port)/gbfs.json" && ran.lines.count == 2)
    #expect(server.requests.isEmpty)
  }

  @Test func otherSuitesReadNoFeed() {
    let ran = Ran(
      .hw, ["nodes", "top", "--url", "gbfs:https://operator.example/gbfs.json"],
      environment: ["HOME": home.path])
    #expect(
      ran.status == 2
        && ran.complaint
          == "hw: 'nodes' reads no feed, and 'gbfs:https://operator.example/gbfs.json' is one | suites that read one: bikes"
    )
  }
}
