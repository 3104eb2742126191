import Command
import JSON
import Output
import System

/// Reads files of bikes: JSON, JSON Lines, CSV, TSV or GeoJSON. The first byte determines the format: `[` is an array,
/// `{` is JSON Lines or, with features, GeoJSON. Other files are CSV, or TSV if the first line has tabs and no commas.
enum BikeFile {
  typealias Entry = (position: String, bike: Result<ImportedBike, Failure>)

  /// Calls `body` with each bike or invalid line, and its position. Throws if the file as a whole is invalid.
  static func each(_ source: any ByteSource, _ body: (Entry) throws(Failure) -> Void) throws(Failure) {
    let peeked = try PeekedSource(source)
    switch peeked.first {
    case nil: throw Failure(.usage, "the file is empty")
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      try eachJSON(peeked, isArray: peeked.first == UInt8(ascii: "["), body)
    default:
      if try peeked.beginsWithTabs() {
        try eachRecord(TSVReader(peeked), body)
      } else {
        try eachRecord(CSVReader(peeked), body)
      }
    }
  }

  private static func eachJSON(
    _ source: PeekedSource, isArray: Bool, _ body: (Entry) throws(Failure) -> Void
  ) throws(Failure) {
    var stream = JSONStream(source, elementsOf: "features")
    var number = 0
    while true {
      let json: JSON?
      do throws(Failure) {
        json = try stream.next()
      } catch {
        guard let line = try stream.skipLine() else { throw error.asInput }
        var failure = error.asInput
        if failure.cause != .input(line: line) {
          failure.message = "line \(line): the value that begins here goes wrong: \(failure.message)"
          failure.cause = .input(line: line)
        }
        try body(("line \(line)", .failure(failure)))
        number += 1
        continue
      }
      guard let json else { return }
      let isInCollection = stream.isInMember
      let position = isInCollection ? "features[\(number)]" : isArray ? "[\(number)]" : "value \(number + 1)"
      let isFeature = isInCollection || (try? json["type"].string) == "Feature"
      let bike = bike { () throws(Failure) in
        isFeature ? try ImportedBike(feature: json) : try ImportedBike(json)
      }
      try body((position, bike))
      number += 1
    }
  }

  private static func eachRecord<Reader: RecordReader & ~Copyable>(
    _ reader: consuming Reader, _ body: (Entry) throws(Failure) -> Void
  ) throws(Failure) {
    guard let head = try reader.next() else { throw Failure(.usage, "the file is empty") }
    let columns = try Columns(head)
    while true {
      let record: DelimitedRecord?
      do throws(Failure) {
        record = try reader.next()
      } catch {
        guard case .input(let line) = error.cause, reader.canContinue else { throw error }
        try body(("line \(line)", .failure(error)))
        continue
      }
      guard let record else { return }
      try body(("line \(record.line)", bike { () throws(Failure) in try columns.bike(record) }))
    }
  }

  private static func bike(_ read: () throws(Failure) -> ImportedBike) -> Result<ImportedBike, Failure> {
    Result(catching: read).mapError(\.asInput)
  }

  private struct Columns {
    private let name, color, pin, latitude, longitude: Int
    private let id, owner, state: Int?

    init(_ head: DelimitedRecord) throws(Failure) {
      func optional(_ names: String...) throws(Failure) -> Int? {
        let found = head.fields.indices.filter { names.contains(head.fields[$0].lowercased()) }
        guard found.count < 2 else {
          throw Failure(
            .usage,
            "line 1: columns '\(head.fields[found[0]])' and '\(head.fields[found[1]])' are the same field",
            hint: "remove one of them")
        }
        return found.first
      }
      func required(_ index: Int?, _ name: String) throws(Failure) -> Int {
        if let index { return index }
        throw Failure(
          .usage, "line 1: there is no column '\(name)'",
          hint: "the first line names the columns: name,color,pin,latitude,longitude")
      }
      name = try required(optional("name"), "name")
      color = try required(optional("color"), "color")
      pin = try required(optional("pin"), "pin")
      latitude = try required(optional("latitude", "location.latitude"), "latitude")
      longitude = try required(optional("longitude", "location.longitude"), "longitude")
      id = try optional("id")
      owner = try optional("owner")
      state = try optional("state")
    }

    func bike(_ record: DelimitedRecord) throws(Failure) -> ImportedBike {
      let fields = record.fields
      func error(_ message: String) -> Failure { Failure(.usage, message) }
      if let problem = BikeName.problem(fields[name]) { throw error(problem) }
      guard let color = FrameColor(fields[color])?.hex else {
        throw error("'\(fields[color])' is not \(FrameColor.expected)")
      }
      guard !fields[pin].isEmpty else { throw ImportedBike.withoutPIN }
      guard let pin = Pin(fields[pin]) else { throw error("a PIN is \(Pin.expected)") }
      guard let north = Place.number(fields[latitude]), Place.latitudes.contains(north) else {
        throw error("'\(fields[latitude])' is not a latitude: a number from -90 to 90 with a decimal point")
      }
      guard let east = Place.number(fields[longitude]), let place = Place(latitude: north, longitude: east)
      else {
        throw error(
          "'\(fields[longitude])' is not a longitude: a number from -180 to 180 with a decimal point")
      }
      var bike = try ImportedBike(
        BikeProfile(name: fields[name], color: color, pin: pin, place: place),
        id: id.map { fields[$0] }, owner: owner.map { fields[$0] })
      if let state, !fields[state].isEmpty {
        guard let known = BikeState(rawValue: fields[state]) else {
          throw error("'\(fields[state])' is not a state: available, withdrawn or missing")
        }
        bike.state = known
      }
      return bike
    }
  }
}

/// A source without byte order mark, with lookahead to the first non-blank byte.
private final class PeekedSource: ByteSource {
  private let source: any ByteSource
  private var begin: [UInt8] = []
  private(set) var first: UInt8?

  private static let longestStart = 1 << 20
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ source: any ByteSource) throws(Failure) {
    self.source = source
    // The byte order mark can arrive in pieces.
    while begin.count < PeekedSource.mark.count, try readBlock() {}
    if begin.starts(with: PeekedSource.mark) { begin.removeFirst(PeekedSource.mark.count) }
    first = begin.first { $0 > 0x20 }
    var searched = begin.count
    while first == nil, try readBlock() {
      guard begin.count <= PeekedSource.longestStart else {
        throw Failure(.usage, "the file begins with a megabyte of blanks")
      }
      first = begin[searched...].first { $0 > 0x20 }
      searched = begin.count
    }
  }

  /// Returns false at the end of the source.
  private func readBlock() throws(Failure) -> Bool {
    let block = try source.read(atMost: 4096)
    begin += block
    return !block.isEmpty
  }

  func beginsWithTabs() throws(Failure) -> Bool {
    func line() -> ArraySlice<UInt8> { begin.drop { $0 <= 0x20 }.prefix { $0 != UInt8(ascii: "\n") } }
    while line().endIndex == begin.endIndex, begin.count <= PeekedSource.longestStart, try readBlock() {}
    return line().contains(UInt8(ascii: "\t")) && !line().contains(UInt8(ascii: ","))
  }

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    guard !begin.isEmpty else { return try source.read(into: &buffer) }
    let count = min(begin.count, buffer.byteCount)
    for offset in 0..<count { buffer.storeBytes(of: begin[offset], toByteOffset: offset, as: UInt8.self) }
    begin.removeFirst(count)
    return count
  }
}
