import JSON
import System
import TestSupport
import Testing

@testable import Bikes

@Suite struct FilesOfBlanks {
  @Test(arguments: [
    (100, "the file is empty"), (1 << 20, "the file is empty"),
    ((1 << 20) + 1, "the file begins with a megabyte of blanks"),
  ])
  func areRefused(count: Int, message: String) {
    let source = MemorySource([UInt8](repeating: 0x20, count: count))
    let failure = #expect(throws: Failure.self) { try BikeFile.each(source) { _ throws(Failure) in } }
    #expect(failure == Failure(.usage, message))
  }
}

/// What is read of a file: `line 2: Wanda #D8433A 0420 50.12,8.64`, or where and why not.
private func rows(_ bytes: [UInt8], chunk: Int = .max) throws(Failure) -> [String] {
  var rows: [String] = []
  try BikeFile.each(MemorySource(bytes, chunk: chunk)) { row in
    switch row.bike {
    case .success(let imported):
      let bike = imported.profile
      rows.append("\(row.place): \(bike.name) \(bike.color) \(bike.pin.digits) \(bike.place)")
    case .failure(let failure):
      rows.append(
        "\(failure.message.hasPrefix("line ") ? "" : "\(row.place): ")\(failure.message) (\(failure.kind))")
    }
  }
  return rows
}

private func feature(
  _ name: String, color: String = "red", longitude: String = "8.64", latitude: String = "50.12"
) -> String {
  """
  {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},\
  "properties":{"name":"\(name)","color":"\(color)","pin":"0420"}}
  """
}

@Suite struct FilesOfBikes {
  private static let columns = "name,color,pin,latitude,longitude\n"

  /// The same bike in each format, with this color and latitude.
  private static func formats(color: String, latitude: String) -> [String] {
    let bike = body(color: "\"\(color)\"", latitude: latitude)
    let point = feature("Wanda", color: color, latitude: latitude)
    return [
      "[\(bike)]", "\(bike)\n", columns + "Wanda,\(color),0420,\(latitude),8.64\n",
      #"{"type":"FeatureCollection","features":[\#(point)]}"#,
      #"{"features":[\#(point)],"type":"FeatureCollection"}"#, "\(point)\n", "[\(point)]",
      "\nname\tcolor\tpin\tlatitude\tlongitude\nWanda\t\(color)\t0420\t\(latitude)\t8.64\n",
      // As the last two formats of a single line, without its end.
      "longitude\tlatitude\tpin\tcolor\tname\r\n8.64\t\(latitude)\t0420\t\(color)\tWanda",
    ]
  }

  @Test(
    arguments: [("#00c8e6", "00C8E6"), ("00c8e6", "00C8E6"), ("red", "D8433A")])
  func colorIsReadAsSixDigitsInEveryFormat(color: String, kept: String) throws {
    for text in FilesOfBikes.formats(color: color, latitude: "50.12") {
      let read = try rows(Array(text.utf8))
      #expect(read.count == 1 && read[0].hasSuffix(": Wanda \(kept) 0420 50.12,8.64"), "\(read)")
    }
  }

  @Test(
    arguments: [("1e-05", "0.00001"), ("5E1", "50"), ("-1.5e+1", "-15"), ("0.00005", "0.00005")])
  func numberMayHaveExponentInEveryFormat(text: String, latitude: String) throws {
    for text in FilesOfBikes.formats(color: "red", latitude: text) {
      let read = try rows(Array(text.utf8))
      #expect(read.count == 1 && read[0].hasSuffix(" \(latitude),8.64"), "\(read)")
    }
  }

  @Test(arguments: [1, 2, 1000])
  func byteOrderMarkIsPassedOverInEveryFormat(chunk: Int) throws {
    for text in FilesOfBikes.formats(color: "red", latitude: "50.12") {
      let marked = try rows(Array("\u{FEFF}\(text)".utf8), chunk: chunk)
      #expect(try marked == rows(Array(text.utf8)))
      #expect(marked.count == 1 && marked[0].contains("Wanda"), "\(marked)")
    }
    #expect(throws: Failure(.usage, "the file is empty")) { try rows([0xEF, 0xBB, 0xBF], chunk: chunk) }
    // There is one at most.
    #expect(throws: Failure.self) { try rows(Array("\u{FEFF}\u{FEFF}[\(body())]".utf8), chunk: 3) }
  }

  @Test func aBadLineOfCSVIsARow() throws {
    let text =
      FilesOfBikes.columns
      + "A,red,1234,50,8\nB,red,1234,50\nC,red,1234,91,8\n,red,1234,50,8\nD,red,1234,50,8\n"
    #expect(
      try rows(Array(text.utf8)) == [
        "line 2: A D8433A 1234 50,8", "line 3: expected 5 fields, found 4 (usage)",
        "line 4: '91' is not a latitude: a number from -90 to 90 with a decimal point (usage)",
        "line 5: the name is empty (usage)", "line 6: D D8433A 1234 50,8",
      ])
    let broken =
      Array((FilesOfBikes.columns + "A").utf8) + [0xFF] + Array(",red,1234,50,8\nB,red,1234,50,8\n".utf8)
    #expect(try rows(broken) == ["line 2: invalid UTF-8 (usage)", "line 3: B D8433A 1234 50,8"])
    // Without its columns a file says nothing.
    #expect(throws: Failure.self) { try rows(Array("name,\"color\"x\nA,red\n".utf8)) }
  }

  @Test func aBadLineOfTSVIsARow() throws {
    let text =
      "name\tcolor\tpin\tlatitude\tlongitude\nA, or \\\\B\tred\t1234\t50\t8\nB,red,1234,50,8\nC\tred\t1\t50\t8\n"
    #expect(
      try rows(Array(text.utf8), chunk: 7) == [
        "line 2: A, or \\B D8433A 1234 50,8", "line 3: expected 5 fields, found 1 (usage)",
        "line 4: a PIN is \(Pin.expected) (usage)",
      ])
    // A comma in the first line: then it is CSV.
    #expect(throws: Failure.self) { try rows(Array("name\tcolor,pin\tlatitude\tlongitude\n".utf8)) }
    // A line that is too long has no end that could be found.
    let long =
      "name\tcolor\tpin\tlatitude\tlongitude\n" + String(repeating: "x", count: (1 << 20) + 2) + "\nA"
    #expect(throws: Failure.self) { try rows(Array(long.utf8)) }
  }

  @Test func linesOfGeoJSONAreBikes() throws {
    let text = feature("A") + "\n" + feature("B", latitude: "91") + "\n" + feature("C") + "\n"
    let read = try rows(Array(text.utf8))
    #expect(read.count == 3 && read[0] == "value 1: A D8433A 0420 50.12,8.64")
    #expect(read[1].hasPrefix("line 2, ") && read[2].hasPrefix("value 3: C "))
  }

  @Test func columnsOfAnExport() throws {
    let text =
      "id,Name,color,pin,location.latitude,location.longitude,rented,owner\n"
      + "7,Wanda,red,0420,50.12,8.64,false,ada\n,Otto,blue,0421,50.13,8.65,true,\n"
    var read: [ImportedBike] = []
    try BikeFile.each(MemorySource(Array(text.utf8))) { row throws(Failure) in read.append(try row.bike.get())
    }
    #expect(read.map(\.number) == [7, nil] && read.map(\.owner) == ["ada", nil])
    #expect(read.map(\.profile.name) == ["Wanda", "Otto"])
    #expect(read.map(\.profile.place) == [place(50.12, 8.64), place(50.13, 8.65)])
    read = []
    let plain = FilesOfBikes.columns + "Wanda,red,0420,50.12,8.64\n"
    try BikeFile.each(MemorySource(Array(plain.utf8))) { row throws(Failure) in
      read.append(try row.bike.get())
    }
    #expect(read.map(\.number) == [nil] && read.map(\.owner) == [nil])
  }

  @Test func aFileThatBreaksOffIsAFailure() {
    var names: [String] = []
    let source = BrokenSource(FilesOfBikes.columns + "Wanda,red,0420,50.12,8.64\n")
    let found = failure {
      try BikeFile.each(source) { row throws(Failure) in names.append(try row.bike.get().profile.name) }
    }
    #expect(found == BrokenSource.failure && names == ["Wanda"])
  }

  @Test func aBadLineOfJSONIsARow() throws {
    let lines = [
      body(), #"{"name":"A","color"#, body(name: "\"B\""), #"{"name":"C","#, body(name: "\"D\""), "x", "{}",
    ]
    #expect(
      try rows(Array(lines.joined(separator: "\n").utf8)) == [
        "value 1: Wanda D8433A 0420 50.12,8.64",
        "line 2, column 19: a string holds the control character U+000A: write it as an escape (usage)",
        "value 3: B D8433A 0420 50.12,8.64",
        "line 4: the value that begins here goes wrong: line 5, column 1: expected a name in quotes, found '{' (usage)",
        "value 5: D D8433A 0420 50.12,8.64", "line 6, column 1: expected a value, found 'x' (usage)",
        "line 7, column 1, at name: expected a string, found nothing (usage)",
      ])
  }

  @Test func bikesOfAnArrayHaveTheirPlaces() throws {
    #expect(
      try rows(Array("[\(body()),\(body(name: "\"B\""))]".utf8)) == [
        "[0]: Wanda D8433A 0420 50.12,8.64", "[1]: B D8433A 0420 50.12,8.64",
      ])
  }

  @Test func featuresHaveTheirPlaces() throws {
    let text =
      #"{"type":"FeatureCollection","features":[\#(feature("A")),{},\#(feature("B"))],"bbox":[8,50]}"#
    #expect(
      try rows(Array(text.utf8), chunk: 100) == [
        "features[0]: A D8433A 0420 50.12,8.64",
        "line 1, column 168, at features[1].geometry.type: expected a string, found nothing (usage)",
        "features[2]: B D8433A 0420 50.12,8.64",
      ])
    #expect(throws: Failure.self) { try rows(Array(text.utf8.dropLast(1))) }
  }

  /// A collection is read feature by feature: as one document it would fill the memory, and each of its features would
  /// be looked for from the first on.
  @Test func aFeatureIsARowBeforeTheNextAreRead() throws {
    let features = (0..<20_000).map { feature("B\($0)") }.joined(separator: ",\n")
    let source = Counted(Array(#"{"features":[\#(features)]}"#.utf8))
    var count = 0
    try BikeFile.each(source) { row in
      #expect(row.place == "features[\(count)]")
      if count == 0 { #expect(source.handedOut < 1 << 20) }
      count += 1
    }
    #expect(count == 20_000 && source.handedOut > 2 << 20)
  }

  private final class Counted: ByteSource {
    private let source: MemorySource
    private(set) var handedOut = 0

    init(_ bytes: [UInt8]) { source = MemorySource(bytes, chunk: 65_536) }

    func read(into buffer: inout MutableRawSpan) -> Int {
      let count = source.read(into: &buffer)
      handedOut += count
      return count
    }
  }
}
