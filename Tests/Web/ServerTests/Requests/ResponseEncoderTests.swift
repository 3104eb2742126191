import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// The bytes of a response.
@Suite struct ResponseEncoderTests {
  private func encode(
    _ response: Response, _ change: (inout QueuedResponse) -> Void = { _ in }
  ) -> (text: String, isSplit: Bool) {
    var encoder = ResponseEncoder()
    encoder.setDate(Timestamp(seconds: 0))
    var queued = QueuedResponse(response)
    change(&queued)
    var bytes: [UInt8] = []
    let isSplit = encoder.encode(queued, into: &bytes)
    return (String(decoding: bytes, as: UTF8.self), isSplit)
  }

  @Test func statusLines() throws {
    let lines = (200...599).map { status in
      let text = encode(Response(status, body: [0x61])).text
      return String(text.prefix { $0 != "\r\n" }) + (text.hasSuffix("a") ? "" : ", without a body")
    }
    // Most have no name.
    let named = lines.filter { !$0.hasSuffix(" Status") }
    try RecordedText.hold("statuses.txt", to: named.map { "\($0)\n" }.joined())
    #expect(named.count < 60 && lines.count == 400)
    #expect(encode(.init(100)).text == "HTTP/1.1 100 Continue\r\n\r\n")
  }

  @Test(arguments: [0, 1, 9, 10, 99, 100, 65_535, 65_536, 65_537, 100_000])
  func largeBodyIsSplitFromHead(count: Int) {
    let encoded = encode(Response(200, body: [UInt8](repeating: 0x61, count: count)))
    #expect(encoded.text.contains("Content-Length: \(count)\r\n"))
    #expect(encoded.isSplit == (count > 65_536))
    #expect(encoded.text.hasSuffix(encoded.isSplit || count == 0 ? "\r\n\r\n" : "aa") || count == 1)
    let head = encode(Response(200, body: [UInt8](repeating: 0x61, count: count))) { $0.omitsBody = true }
    #expect(head.text.hasSuffix("Content-Length: \(count)\r\n\r\n") && !head.isSplit)
  }
}
