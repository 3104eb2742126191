import System

struct TileRow: Equatable, Sendable {
  let guess: String
  let word: String
  let tiles: Tiles
}

extension TileRow {
  init(guess: String, word: String) throws(Failure) {
    self.init(guess: guess, word: word, tiles: try Tiles(guess: guess, word: word))
  }

  /// Parses `guess word`. A failure contains the number of the line.
  init(line: Span<UInt8>, number: Int) throws(Failure) {
    do throws(Failure) {
      let words = Words(of: line)
      guard words.count == 2 else {
        throw Failure(
          .usage,
          "expected a guess and a word, found \(words.count == 1 ? "1 word" : "\(words.count) words")",
          hint: "give one pair per line, blanks between the two words")
      }
      try self.init(guess: text(line.extracting(words.guess)), word: text(line.extracting(words.word)))
    } catch {
      var failure = error
      failure.message = "line \(number): \(failure.message)"
      failure.details.append(.init("line", .integer(number)))
      throw failure
    }
  }
}

/// The number of words in a line, and the ranges of the first two.
struct Words {
  private(set) var guess = 0..<0
  private(set) var word = 0..<0
  private(set) var count = 0

  init(of line: Span<UInt8>) {
    var start = 0
    for index in 0...line.count {
      guard index == line.count || line[index] == UInt8(ascii: " ") || line[index] == UInt8(ascii: "\t")
      else { continue }
      if start < index {
        count += 1
        if count == 1 { guess = start..<index }
        if count == 2 { word = start..<index }
      }
      start = index + 1
    }
  }
}

private func text(_ bytes: Span<UInt8>) throws(Failure) -> String {
  guard let text = String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) else {
    throw Failure(.usage, "invalid UTF-8", hint: "convert the input to UTF-8, with iconv for example")
  }
  return text
}
