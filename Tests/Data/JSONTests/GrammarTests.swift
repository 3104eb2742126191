import System
import TestSupport
import Testing

@testable import JSON

/// The reader accepts and refuses exactly what RFC 8259 says, all at once and in pieces.
@Suite struct GrammarTests {
  @Test func textsAreReadAsRecorded() throws {
    try RecordedText.holdTexts("grammar.txt") { text in
      do throws(Failure) {
        #expect(rawText(try JSON.parse(text)) == text.trimmed)
        return ["= JSON"]
      } catch {
        #expect(error.kind == .invalidData)
        let message = error.message.replacing("\u{FEFF}", with: "{U+FEFF}")
        return ["! \(message.replacing("\u{85}", with: "{U+0085}"))"]
      }
    }
  }

  /// Inside an element of an array everything is accepted or refused as it is by itself.
  @Test func validTextIsParsedAsStream() throws {
    for text in Grammar.accepted {
      for chunk in [1, 2, 3, 7, 64, .max] {
        #expect(try elements("[\(text)]", chunk: chunk) == [text.trimmed])
        #expect(try elements("[0,\(text), 1]", chunk: chunk) == ["0", text.trimmed, "1"])
        if !text.trimmed.hasPrefix("[") {
          #expect(try elements("\(text)\n\(text)\n", chunk: chunk) == [text.trimmed, text.trimmed])
        }
      }
    }
  }

  /// What makes no value by itself may make two, or none, in a list. A fault in an array reads the same when its elements
  /// come one by one.
  @Test func invalidTextIsRefusedAsStream() {
    for text in Grammar.refused {
      let whole = failure { try JSON.parse("[\(text)]") }
      let alone = failure { try JSON.parse(text) }
      let isArray = text.first == "[" && alone?.message.contains("expected the end") == false
      for chunk in [1, 2, 3, 7, .max] {
        #expect((failure { try elements("[\(text)]", chunk: chunk) } == nil) == (whole == nil), "[\(text)]")
        if isArray { #expect(failure { try elements(text, chunk: chunk) }?.message == alone?.message) }
      }
    }
  }

  @Test(arguments: Grammar.notUTF8, [0, 1, 13, 14, 15, 16, 17, 35, 50, 59, 60, 61, 62, 63, 64, 65, 200])
  func invalidUTF8InStringIsRefused(_ bytes: [UInt8], after count: Int) throws {
    let before = Array("[\"".utf8) + Array(repeating: UInt8(ascii: "x"), count: count)
    for after in [0, 80] {
      let text = before + bytes + Array(repeating: UInt8(ascii: "y"), count: after) + Array("\"]".utf8)
      // The first byte of the sequence that cannot be one; what is valid before it is passed.
      let valid = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
      let message = "line 1, column \(before.count + valid.count + 1), at [0]: invalid UTF-8"
      let failure = #expect(throws: Failure.self) { try JSON.parse(text) }
      #expect(failure?.message == message)
      for chunk in [1, 3, .max] {
        let failure = #expect(throws: Failure.self) { try elements(text, chunk: chunk) }
        #expect(failure?.message == message)
      }
    }
  }

  @Test func invalidUTF8OutsideStringsIsRefused() {
    for text in [[0xFF], Array("[] ".utf8) + [0xC3], Array("12".utf8) + [0xFF], Array("[1,".utf8) + [0x80]] {
      let failure = #expect(throws: Failure.self) { try JSON.parse(text) }
      #expect(failure?.message.hasSuffix("invalid UTF-8") == true)
    }
  }

  @Test func tooDeepNestingIsRefused() throws {
    let limit = 1024
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let deepest = String(repeating: open, count: limit - 1)
      let inner = open == "[" ? "[]" : "{}"
      _ = try JSON.parse(deepest + inner + String(repeating: close, count: limit - 1))
      let failure = #expect(throws: Failure.self) { try JSON.parse(deepest + open + inner) }
      #expect(failure?.message.hasSuffix(": nested deeper than 1024 levels") == true)
      #expect(failure?.message.hasPrefix("line 1, column \(open.count * limit + 1), at ") == true)
    }
    for text in ["[", "{\"a\":", "[{\"a\":"] {
      let deep = String(repeating: text, count: 100_000)
      #expect(throws: Failure.self) { try JSON.parse(deep) }
      #expect(throws: Failure.self) { try elements(deep, chunk: 4096) }
    }
    let closed = String(repeating: "[", count: 1025) + String(repeating: "]", count: 1025)
    #expect(throws: Failure.self) { try elements(closed) }
    #expect(try elements(String(closed.dropFirst().dropLast())).count == 1)
    // A line has no array around it.
    let line = String(repeating: "{\"a\":", count: limit) + "1" + String(repeating: "}", count: limit)
    #expect(try elements(line).count == 1)
    #expect(throws: Failure.self) { try elements("{\"a\":\(line)}") }
  }
}

/// The raw texts of a stream's elements.
func elements(_ text: String, chunk: Int = .max) throws -> [String] {
  try elements(Array(text.utf8), chunk: chunk)
}

func elements(_ bytes: [UInt8], chunk: Int = .max) throws -> [String] {
  var stream = JSONStream(MemorySource(bytes, chunk: chunk))
  var texts: [String] = []
  while let element = try stream.next() { texts.append(rawText(element)) }
  return texts
}
