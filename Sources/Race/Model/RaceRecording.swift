import JSON
import System

/// A race as it was watched, from the first event of an attempt to its last. `--save`, `--jsonl` and `hw race show`
/// write the events of a recording as lines.
struct RaceRecording: Equatable, Sendable {
  var events: [RaceEvent]

  var duration: Duration? { events.lazy.compactMap(\.duration).first }
  var finish: RaceEvent? { events.last { $0.kind == .finish } }

  /// How a race ended.
  enum End: String, CaseIterable, Sendable {
    case finished
    case provisional
    case failed
    case interrupted
  }

  /// Reads JSON lines, or the array that `--json` prints. A file of `--save` contains a recording for each attempt; each
  /// begins with event number 1. The result is not empty, and neither is any recording in it.
  static func read(_ source: any ByteSource, name: String) throws(Failure) -> [RaceRecording] {
    var attempts: [RaceRecording] = []
    var stream = JSONStream(source)
    do throws(Failure) {
      while let json = try stream.next() {
        let event = try RaceEvent(json)
        if attempts.isEmpty || event.seq == 1 { attempts.append(RaceRecording(events: [])) }
        let last = attempts.count - 1
        // The file may have been edited, but time runs forward.
        guard event.elapsed >= attempts[last].events.last?.elapsed ?? .zero else {
          throw json["elapsed"].invalid("expected no less than the event before it has")
        }
        attempts[last].events.append(event)
      }
    } catch {
      var failure = error
      failure.message = "'\(name)' is no recording of a race: \(error.message)"
      throw failure
    }
    guard !attempts.isEmpty else {
      throw Failure(.invalidData, "'\(name)' is no recording of a race: it is empty")
    }
    return attempts
  }
}
