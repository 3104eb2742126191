import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Nothing that comes from outside reaches a trap.
@Suite struct FuzzTests {
  private static let seeds = [
    Sample.get, Sample.post("abc"),
    "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nX: y\r\n\r\n",
    "GET http://a/items/%41?b=%zz&c=+ HTTP/1.1\r\nHost: [::1]:1\r\nConnection: close, x\r\nExpect: 100-continue\r\n\r\n",
  ]

  /// The bytes that mean something to a parser.
  private static let telling: [UInt8] = [0x0D, 0x0A, 0x20, 0x3A, 0x00, 0x2C, 0x3B, 0x66]

  /// A request with bytes changed, doubled, cut and moved.
  private static func spoilt(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    var bytes = Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].utf8)
    for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: place)
      case 2: bytes.removeSubrange(place..<min(place + 5, bytes.count))
      case 3: bytes.insert(contentsOf: bytes[place..<min(place + 20, bytes.count)], at: place)
      case 4: bytes[place] = telling[Int.random(in: 0..<telling.count, using: &random)]
      default: bytes += Array(seeds[Int.random(in: 0..<seeds.count, using: &random)].utf8)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<2)
  func outcomeDoesNotDependOnHowBytesAreCut(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<2000 {
      let bytes = FuzzTests.spoilt(&random)
      let whole = Outcome(bytes)
      let cuts = (0..<4).map { _ in Int.random(in: 0...bytes.count, using: &random) }.sorted()
      #expect(Outcome(bytes, cuts: cuts) == whole, "\(bytes)")
    }
  }

  @Test(arguments: 0..<2)
  func serverSurvivesRandomBytes(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 99)
    let stepped = try SteppedServer()
    for round in 0..<60 {
      let client = try stepped.connect()
      let bytes =
        round % 3 == 0
        ? (0..<300).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        : FuzzTests.spoilt(&random) + FuzzTests.spoilt(&random)
      let cut = Int.random(in: 0...bytes.count, using: &random)
      _ = client.trySending(bytes[..<cut])
      try stepped.step(1)
      _ = client.trySending(bytes[cut...])
      try stepped.step(1)
    }
    #expect(try stepped.exchange(Sample.get).statuses == [200])
  }

  @Test func routerRespondsToEveryPath() {
    var random = SeededGenerator(seed: 7)
    let router = Router([ScriptedBackend("sample", routes: Sample.routes)])
    for _ in 0..<5000 {
      let length = Int.random(in: 0...60, using: &random)
      let path = (0..<length).map { _ in "/aitems%2f%:?&=x".randomElement(using: &random) ?? "/" }
      let url = URL(scheme: .demo, path: "/" + String(path), query: String(path))
      #expect((200...501).contains(router.respond(to: Request(.get, url)).status))
    }
  }
}
