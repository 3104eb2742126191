import Glibc
import JSON
import System
import TestSupport
import Testing

@testable import HTTP

/// What may be stored, what must not stay, and which files are the cache's own.
extension CachedTests {
  private var page: Request { .get("https://host/v1/number") }

  private func texts(_ bodies: String..., control: String = "") -> ScriptedTransport {
    let responses = bodies.map { Response.text(200, $0, headers: ["Cache-Control": control]) }
    return ScriptedTransport(.success(responses[0]), .success(responses[responses.count - 1]))
  }

  // MARK: --max-age 0

  @Test(arguments: ["", "max-age=3600"])
  func maxAgeZeroReplacesCachedResponse(control: String) throws {
    let service = texts("1", "2", control: control)
    _ = try cached(service, maxAge: 3600).send(page)
    #expect(try cached(service, maxAge: 0).send(page).body == Array("2".utf8))
    #expect(try cached(service, maxAge: 3600).send(page).body == Array("2".utf8))
    #expect(service.requests.count == 2)
  }

  // MARK: no-store

  @Test func noStoreIsRespectedDespiteMaxAge() throws {
    var lasting = page
    lasting.maxAge = .seconds(3600)
    for (page, maxAge) in [(page, 3600), (lasting, nil), (lasting, 3600)] as [(Request, Int64?)] {
      let service = texts("1", "2", control: "no-store, max-age=60")
      for _ in 0..<2 { _ = try cached(service, maxAge: maxAge).send(page) }
      #expect(service.requests.count == 2)
      #expect(files.isEmpty)
    }
  }

  // MARK: Violations of the contract

  private func number(_ service: ScriptedTransport, maxAge: Duration? = nil) throws -> Int {
    let endpoint = Endpoint(try HTTP.URL("https://host/v1"), cached(service))
    return try endpoint.get("/number", maxAge: maxAge, isCacheable: { $0 > 0 }) { json throws(Failure) in
      try json.int
    }
  }

  @Test(arguments: ["<html>", "", "{", "\"x\"", "null"], ["", "max-age=86400"])
  func aResponseThatViolatesTheContractIsNotStored(bad: String, control: String) throws {
    let service = texts(bad, "2", control: control)
    let maxAge: Duration? = control.isEmpty ? .seconds(60) : nil
    #expect(throws: Failure.self) { try number(service, maxAge: maxAge) }
    #expect(files.isEmpty)
    for _ in 0..<2 { #expect(try number(service, maxAge: maxAge) == 2) }
    #expect(service.requests.count == 2)
  }

  @Test func aResultThatIsNotCacheableIsReturnedButNotStored() throws {
    let service = texts("0", "2", control: "max-age=86400")
    #expect(try number(service) == 0)
    #expect(files.isEmpty)
    for _ in 0..<2 { #expect(try number(service) == 2) }
    #expect(service.requests.count == 2)
  }

  @Test func aStoredResultThatIsNotCacheableIsReplaced() throws {
    let service = texts("0", "2", control: "max-age=86400")
    _ = try cached(service).send(page)
    for _ in 0..<2 { #expect(try number(service) == 2) }
    #expect(service.requests.count == 2)
  }

  @Test func aRecordingPassesItOnToTheCache() throws {
    let service = texts("1", control: "max-age=60")
    let recorded = RecordingTransport(cached(service), folder: "\(scratch.path)/recording")
    _ = try recorded.send(page)
    recorded.discard(page)
    #expect(files.isEmpty)
  }

  // MARK: The cache's own files

  @Test func cacheFileNamesAreRecognized() {
    let name = CacheEntry.fileName(for: page)
    for own in [name, name + ".123.4567.tmp"] { #expect(CacheEntry.isFileName(own)) }
    let others = [
      "", "film.mp4", ".hidden", name + "x", name + ".tmp", name + ".1.tmp", name + ".1.2.txt",
      name + ".1.x.tmp", name + ".x.1.tmp", name + "..1.tmp", name + ".1..tmp", name + "x.1.2.tmp",
      String(name.dropLast()), name.uppercased(), name.replacing("-", with: "_"), "x" + name.dropFirst(),
    ]
    for other in others { #expect(!CacheEntry.isFileName(other), "\(other)") }
    for place in name.utf8.indices {
      let other = "\(name[..<place])g\(name[name.index(after: place)...])"
      #expect(!CacheEntry.isFileName(other), "\(other)")
    }
  }

  /// Another process may have removed it since the folder was read. A link to nowhere is as little to be found.
  @Test func missingCacheFileHasNoSize() throws {
    #expect(try CacheFolder(folder).total() == (0, 0))
    try scratch.write("mine", to: "cache/notes.txt")
    #expect(symlink("nowhere", "\(folder)/\(CacheEntry.fileName(for: page))") == 0)
    let total = try CacheFolder(folder).total()
    #expect(total.files == 1 && total.bytes == 0)
    try CacheFolder(folder).clear()
    #expect(files == ["notes.txt"])
  }

  @Test func foreignFilesAreNotRemoved() throws {
    try Folder.make(folder)
    let prefix = CacheEntry.namePrefix(for: page.url)
    for name in ["film.mp4", ".hidden", prefix + "notes"] {
      try File.replace("\(folder)/\(name)", with: Array(repeating: 0, count: 5000))
    }
    let dead = CacheEntry.fileName(for: page) + ".1.2.tmp"
    try File.replace("\(folder)/\(dead)", with: Array(repeating: 0, count: 5000))
    let service = texts("1", control: "max-age=60")
    time.advance(by: .seconds(1))
    for number in 0..<3 {
      _ = try cached(service, sizeLimit: 4000).send(.get("https://host/\(number)"))
    }
    #expect(!files.contains(dead))
    _ = try cached(service).send(Request(.post, page.url))
    #expect(files == [".hidden", prefix + "notes", "film.mp4"].sorted())
  }
}
