import System
import TestSupport
import Testing

@testable import HTTP

/// `HW_META=on` and `User-Agent`.
@Suite struct SourceReportedTests {
  private let scratch: ScratchDirectory
  private let time = FakeClock()
  private let notes = RecordedMessages()

  init() throws { scratch = try ScratchDirectory() }

  private func reported(_ inner: any Transport, _ origin: SourceReportingTransport.Origin = .network)
    -> SourceReportingTransport
  {
    SourceReportingTransport(inner, from: origin, time: time, report: notes.add)
  }

  private func cached(_ inner: any Transport) -> CachingTransport {
    CachingTransport(inner, folder: scratch.path, time: time, report: { _ in })
  }

  @Test func aCachedResponseKeepsItsTime() throws {
    let start = time.now().seconds
    let service = ScriptedTransport(.text(200, "1", headers: ["Cache-Control": "max-age=60", "Age": "5"]))
    let transport = reported(cached(service))
    _ = try transport.send(.get("https://host/x?key=abc&page=1"))
    time.advance(by: .seconds(30))
    _ = try transport.send(.get("https://host/x?key=abc&page=1"))
    let source = #"{"source":"https://host/x?key=•••&page=1","asOf":\#(start - 5),"from":"#
    #expect(notes.lines == [source + #""network","status":200}"#, source + #""cache","status":200}"#])
  }

  @Test func aRecordingHasTheTimeOfItsResponse() throws {
    let dated = Response(200, headers: ["Date": "Mon, 01 Jan 2024 00:00:07 GMT"])
    let transport = reported(ScriptedTransport(dated, Response(404)), .recording)
    for _ in 1...2 { _ = try transport.send(.get("https://host/")) }
    #expect(
      notes.lines == [
        #"{"source":"https://host/","asOf":1704067207,"from":"recording","status":200}"#,
        #"{"source":"https://host/","asOf":null,"from":"recording","status":404}"#,
      ])
  }

  @Test func responseWithoutAgeIsDatedNow() throws {
    let start = time.now().seconds
    for origin in [SourceReportingTransport.Origin.network, .embedded] {
      _ = try reported(ScriptedTransport(Response(204)), origin).send(.get("https://host/"))
    }
    #expect(
      notes.lines
        == ["network", "embedded"].map {
          #"{"source":"https://host/","asOf":\#(start),"from":"\#($0)","status":204}"#
        })
  }

  @Test func aResponseThatIsDiscardedIsPassedOn() throws {
    let service = ScriptedTransport(Response(200))
    reported(service).discard(.get("https://host/a"))
    #expect(service.discarded == ["/a"])
  }

  @Test func theClientIsNamedOnce() throws {
    let service = ScriptedTransport(Response(200))
    let transport = IdentifyingTransport(service, as: "hw/1.0.0")
    _ = try transport.send(.get("https://host/"))
    _ = try transport.send(.get("https://host/", headers: ["User-Agent": "mine"]))
    #expect(service.requests.map { $0.headers.values("User-Agent") } == [["hw/1.0.0"], ["mine"]])
  }
}
