import Command
import JSON
import System

/// Scores as JSON: a sequence of objects, an array, or a response of the service.
enum ScoreFile {
  /// Whether a text is an object, or an array of objects. A chat can begin with `[12/03/22, 12:05] Eve: …`.
  static func isScores(_ text: [UInt8]) -> Bool {
    let start = Array(text.lazy.filter { $0 > 0x20 }.prefix(6))
    return ["{", "[{", "[]", "[null,", "[null]"].contains { start.starts(with: $0.utf8) }
  }

  static func scores(in source: any ByteSource) throws(Failure) -> [Score] {
    var stream = JSONStream(source)
    var scores: [Score] = []
    do throws(Failure) {
      while let json = try stream.next() {
        guard json.kind == .object, let list = json["scores"].orNull else {
          scores.append(try Score(json))
          continue
        }
        for score in try list.array { scores.append(try Score(score)) }
      }
    } catch {
      throw error.asInput
    }
    return scores
  }
}
