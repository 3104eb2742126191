import Command
import Foundation
import JSON
import TestSupport
import Testing

/// Bikes in files, in and out, as a user moves them.
@Suite(.ownThread) struct BikesInFiles {
  /// Names and places that a format might trip over, with and without a '#' before the colour.
  private static let odd = [
    ##"{"name":"Müller, \"Rosi\" 🚲","color":"#00C8E6","pin":"0007","location":{"latitude":0.00001,"longitude":-0.0000002}}"##,
    ##"{"name":" leads with a blank","color":"D8433A","pin":"9999","location":{"latitude":-90,"longitude":180}}"##,
    ##"{"name":"'=1+1;\\|","color":"#1C1C1C","pin":"1234","location":{"latitude":50.119504,"longitude":-179.9999999}}"##,
    ##"{"name":"null","color":"F4F4F4","pin":"0000","location":{"latitude":0,"longitude":0}}"##,
  ]

  @Test("Odd bikes come back as they were", arguments: ["--json", "--jsonl", "--csv", "--geojson"])
  func roundTrip(format: String) throws {
    let home = try Home()
    try BikesInFiles.odd.joined(separator: "\n").write(
      toFile: "\(home.path)/odd", atomically: true, encoding: .utf8)
    let ending = try shell(
      """
      all() { hw bikes export --pins --jsonl --fields name,color,pin,location,rented --url embedded:$1; }
      hw bikes import odd --json --url embedded:a && all a >a.rows &&
      hw bikes export --pins \(format) --url embedded:a >file && hw bikes import file --json --url embedded:b &&
      all b >b.rows && diff a.rows b.rows && head -n 5 a.rows | tail -n 2
      """, in: home)
    #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    // Both have the three that a new store begins with, under the same ids.
    #expect(
      ending.output == """
        {"read":4,"added":4,"present":0}
        {"read":7,"added":4,"present":3}
        {"name":"Müller, \\"Rosi\\" 🚲","color":"#00C8E6","pin":"0007","location":{"latitude":1e-05,"longitude":-2e-07},"rented":false}
        {"name":" leads with a blank","color":"D8433A","pin":"9999","location":{"latitude":-90,"longitude":180},"rented":false}

        """)
  }

  @Test("A dry run reads everything and changes nothing, whatever is in the file")
  func dryRun() throws {
    let server = try Serving.Server()
    let before = RawConnection(server.url)?.ask("GET", "/bikes")
    let ending = try shell(
      """
      printf 'name,color,pin,latitude,longitude\\nA,red,1234,50,8\\nB,red,12,50,8\\n' >f; head -n 2 f >g
      hw bikes import g --dry-run --jsonl; echo $?; hw bikes import f --dry-run; echo $?
      """, in: server.home, environment: ["HW_URL": server.url])
    #expect(
      ending.output == """
        {"read":1,"added":0,"present":0}
        0
        2

        """, "\(ending.errors)")
    #expect(ending.errors.contains("1 of 2 bikes are invalid"))
    let after = RawConnection(server.url)?.ask("GET", "/bikes")
    #expect(before != nil && after?.body == before?.body)
  }

  @Test func fileWithInvalidLinesIsRefused() throws {
    let ending = try shell(
      """
      good='{"name":"A","color":"red","pin":"1234","location":{"latitude":50,"longitude":8}}'
      printf '%s\\n{"name":"B",\\n%s\\n{"name":"\\377"}\\n%s\\n' "$good" "$good" "$good" >lines
      printf 'name,color,pin,latitude,longitude\\nA,red,1234,50,8\\nB,red,1234,50\\n\\377,red,1234,50,8\\nC,red,1234,50,8\\n' >table
      hw serve -- sh -c 'for file in lines table; do hw bikes import $file --jsonl; echo $?
      hw bikes list --anywhere --jsonl | wc -l; done'
      """)
    #expect(ending.output == "2\n24\n2\n24\n", "\(ending.errors)")
    for words in [
      "hw: line 2: the value that begins here goes wrong: line 3, column 1",
      "hw: line 4, column 10, at name: invalid UTF-8",
      "2 of 5 bikes are invalid, the first at line 2", "hw: line 3: expected 5 fields, found 4",
      "hw: line 4: invalid UTF-8", "2 of 4 bikes are invalid, the first at line 3",
    ] { #expect(ending.errors.contains(words), "\(words) in \(ending.errors)") }
  }

  @Test(
    "Very small and very large numbers are taken, by a server and by the store",
    arguments: ["", "hw serve --"])
  func numbers(server: String) throws {
    let ending = try shell(
      """
      \(server) sh -c '
      hw bikes add --name A --frame-color red --pin 1234 --at 0.000001,8.6 -q --jsonl --fields location
      hw bikes list --near 0.00005,8.6 --jsonl --fields id --radius 99999999999999999 | wc -l
      hw bikes list --near 0.000001,8.6 --radius 0.00001 --tsv --no-header --fields location
      hw bikes map --open --near 0.00001,8 --radius 100'
      """, environment: ["BROWSER": "true", "HW_URL": server.isEmpty ? "embedded:" : nil])
    #expect(ending.status == 0, "\(ending.errors)")
    let lines = ending.output.split(separator: "\n").map { String($0) }
    try #require(lines.count == 4, "\(ending.output) \(ending.errors)")
    #expect(lines[0] == #"{"location":{"latitude":1e-06,"longitude":8.6}}"#)
    #expect(Int(lines[1].trimmingCharacters(in: .whitespaces)) ?? 0 >= 4)
    #expect(lines[2] == "0.000001\t8.6")
    #expect(lines[3] == "https://www.openstreetmap.org/?mlat=0.00001&mlon=8#map=16/0.00001/8")
  }
}

/// GeoJSON as RFC 7946 has it, nothing more.
@Suite(.ownThread) struct BikesGeoJSON {
  private static let shape: Contract = .object([
    "type": .choice(["FeatureCollection"]),
    "features": .list(
      .object([
        "type": .choice(["Feature"]), "id": .string,
        "geometry": .object(["type": .choice(["Point"]), "coordinates": .list(.number, count: 2...2)]),
        "properties": .object([
          "name": .string, "color": .string, "rented": .bool, "distance": .orAbsent(.int(0 ... .max)),
          "pin": .orAbsent(.text("four digits") { $0.count == 4 }),
          "marker-color": .orAbsent(.text("a colour") { $0.count == 7 && $0.hasPrefix("#") }),
        ]),
      ])),
  ])

  @Test(
    "What is written is a collection of points, longitude first",
    arguments: [
      ("export --geojson", false), ("export --geojson --pins", true),
      ("map --geojson --anywhere --include-rented", false),
      ("map --geojson --near 50.119504,8.638137", false),
    ])
  func written(words: String, hasPins: Bool) throws {
    let ending = try shell("hw bikes \(words)")
    #expect(ending.status == 0)
    #expect(ending.output.hasSuffix("}\n") && !ending.output.hasSuffix("\n\n"))
    let json = try JSON.parse(Array(ending.output.utf8))
    #expect(BikesGeoJSON.shape.findings(in: json).map(\.text) == [])
    var ids: Set<String> = []
    for feature in try json["features"].array {
      #expect(ids.insert(try feature["id"].string).inserted)
      let coordinates = feature["geometry"]["coordinates"]
      #expect(
        try (8.6...8.7).contains(coordinates[0].double) && (50.0...50.2).contains(coordinates[1].double))
      #expect((feature["properties"]["pin"].kind == .string) == hasPins)
    }
    #expect(ids.contains("0"))
    let henry = try #require(try json["features"].array.first { try $0["id"].string == "0" })
    #expect(henry["geometry"]["coordinates"].isWritten(Array("[8.638137,50.119504]".utf8)))
  }

  @Test func nothingIsAnEmptyCollection() throws {
    let ending = try shell("hw bikes map --geojson --near 0,0 --radius 1")
    #expect(ending.output == "{\"type\":\"FeatureCollection\",\"features\":[]}\n")
  }
}
