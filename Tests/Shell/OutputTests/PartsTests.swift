import System
import Testing

@testable import Output

/// A producer that has to wait for more can put out what there is.
@Suite struct PartialOutputTests {
  private final class Reader: ByteSink {
    var text = ""
    var waits: [String] = []
    var isGone = false
    func write(_ bytes: RawSpan) {
      var all: [UInt8] = []
      unsafe bytes.withUnsafeBytes { unsafe all.append(contentsOf: $0) }
      text += String(decoding: all, as: UTF8.self)
    }
    func awaitReader() throws(Failure) {
      waits.append(text)
      if isGone { throw Failure(.closedPipe, "gone") }
    }
  }

  @Test func laterPartsKeepOrWidenColumns() throws {
    let reader = Reader()
    let output = Output(settings(.table, fields: "name,id"), Outlet(reader))
    try output.write(each: Bike.self) { rows throws(Failure) in
      try rows.write(Bike(name: "a longer name"))
      try rows.pause()
      #expect(reader.text == "Name           Id\na longer name   1\n")
      try rows.write(Bike(name: "short"))
      try rows.pause()
      try rows.pause()
      try rows.write(Bike(id: 12345, name: "b"))
    }
    try output.outlet.flush()
    #expect(reader.text == "Name           Id\na longer name   1\nshort           1\nb              12345\n")
  }

  @Test func headerIsWrittenOnceEvenWithoutRows() throws {
    let reader = Reader()
    let output = Output(settings(.table, fields: "id"), Outlet(reader))
    try output.write(each: Bike.self) { rows throws(Failure) in try rows.pause() }
    try output.outlet.flush()
    #expect(reader.text == "Id\n")
  }

  /// The first page of a list can have no row that meets the conditions.
  @Test func headerWaitsForFirstRows() throws {
    let reader = Reader()
    let output = Output(settings(.table, fields: "name,id"), Outlet(reader))
    try output.write(each: Bike.self) { rows throws(Failure) in
      try rows.pause()
      #expect(reader.text == "")
      try rows.write(Bike(name: "a longer name"))
      try rows.pause()
      #expect(reader.text == "Name           Id\na longer name   1\n")
    }
  }

  @Test(arguments: [Format.table, .jsonl, .csv])
  func outputIsFlushedBeforeWaitingForReader(format: Format) throws {
    let reader = Reader()
    let output = Output(settings(format, fields: "id"), Outlet(reader))
    try output.write(each: Bike.self) { rows throws(Failure) in
      try rows.write(Bike(id: 77))
      try rows.awaitReader()
    }
    #expect(reader.waits.count == 1 && reader.waits[0].contains("77"))
  }

  @Test func closedReaderEndsOutput() throws {
    let reader = Reader()
    reader.isGone = true
    let output = Output(settings(.jsonl), Outlet(reader))
    #expect(throws: Failure(.closedPipe, "gone")) {
      try output.write(each: Bike.self) { rows throws(Failure) in try rows.awaitReader() }
    }
  }
}
