import Command
import JSON
import System

/// Scores as JSON: a sequence of objects, an array, or a response of the service.
enum ScoreFile {
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
