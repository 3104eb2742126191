import JSON
import System
import TestSupport
import Testing

@testable import Bikes

/// What is read of a file: `line 2: Wanda #D8433A 0420 50.12,8.64`, or where and why not.
private func rows(_ bytes: [UInt8], chunk: Int = .max) throws(Failure) -> [String] {
  var rows: [String] = []
  try BikeFile.each(MemorySource(bytes, chunk: chunk)) { row in
    switch row.bike {
    case .success(let imported):
      let bike = imported.profile
      let facts = [
        imported.number.map { "number \($0)" }, imported.owner.map { "of \($0)" },
      ]
      rows.append(
        (["\(row.position): \(bike.name) \(bike.color) \(bike.pin.digits) \(bike.place)"]
          + facts.compactMap(\.self))
          .joined(separator: ", "))
    case .failure(let failure):
      rows.append(
        "\(failure.message.hasPrefix("line ") ? "" : "\(row.position): ")\(failure.message) (\(failure.kind))"
      )
    }
  }
  return rows
}

@Suite struct FilesOfBikes {
  private static let columns = "name,color,pin,latitude,longitude\n"

  @Test func filesAreReadAsRecorded() throws {
    try RecordedText.holdTexts("files.txt") { text in
      func read(_ text: String, chunk: Int) -> [String] {
        do throws(Failure) {
          return try rows(Array(text.utf8), chunk: chunk).map { "= \($0)" }
        } catch {
          return ["! \(error.kind): \(error.message)"]
        }
      }
      let whole = read(text, chunk: .max)
      for chunk in [1, 7, 1000] { #expect(read(text, chunk: chunk) == whole, "\(text)") }
      if !text.hasPrefix("\u{FEFF}") {
        #expect(read("\u{FEFF}\(text)", chunk: 2).count == whole.count, "\(text)")
      }
      return whole
    }
  }

  @Test(arguments: [
    (100, "the file is empty"), (1 << 20, "the file is empty"),
    ((1 << 20) + 1, "the file begins with a megabyte of blanks"),
  ])
  func fileOfBlanksIsRefused(count: Int, message: String) {
    let source = MemorySource([UInt8](repeating: 0x20, count: count))
    let failure = #expect(throws: Failure.self) { try BikeFile.each(source) { _ throws(Failure) in } }
    #expect(failure == Failure(.usage, message))
  }

  @Test func lineOfInvalidBytesIsARow() throws {
    let broken =
      Array((FilesOfBikes.columns + "A").utf8) + [0xFF] + Array(",red,1234,50,8\nB,red,1234,50,8\n".utf8)
    #expect(try rows(broken) == ["line 2: invalid UTF-8 (usage)", "line 3: B D8433A 1234 50,8"])
  }

  /// It has no end that could be found.
  @Test func lineThatIsTooLongIsAFailure() {
    let long =
      "name\tcolor\tpin\tlatitude\tlongitude\n" + String(repeating: "x", count: (1 << 20) + 2) + "\nA"
    #expect(throws: Failure.self) { try rows(Array(long.utf8)) }
  }

  @Test func aFileThatBreaksOffIsAFailure() {
    var names: [String] = []
    let source = BrokenSource(FilesOfBikes.columns + "Wanda,red,0420,50.12,8.64\n")
    let found = failure {
      try BikeFile.each(source) { row throws(Failure) in names.append(try row.bike.get().profile.name) }
    }
    #expect(found == BrokenSource.failure && names == ["Wanda"])
  }

  /// A collection is read feature by feature: as one document it would fill the memory, and each of its features would
  /// be looked for from the first on.
  @Test func aFeatureIsARowBeforeTheNextAreRead() throws {
    let features = (0..<20_000).map {
      #"{"geometry":{"type":"Point","coordinates":[8.64,50.12]},"properties":{"name":"B\#($0)","color":"red","pin":"0420"}}"#
    }.joined(separator: ",\n")
    let source = Counted(Array(#"{"features":[\#(features)]}"#.utf8))
    var count = 0
    try BikeFile.each(source) { row in
      #expect(row.position == "features[\(count)]")
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
