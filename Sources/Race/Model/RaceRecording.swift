import JSON
import System

/// A race as it was watched: its events, one on each line of a file. `--save`, `--jsonl` and `hw race show` write it.
struct RaceRecording: Equatable, Sendable {
  var events: [RaceEvent]

  var duration: Duration? { events.lazy.compactMap(\.duration).first }
  var finish: RaceEvent? { events.last { $0.kind == .finish } }

  /// How the race ended.
  enum End: String, CaseIterable, Sendable {
    case finished
    case provisional
    case failed
    case interrupted
  }

  var end: End {
    let failed = events.contains { $0.kind == .error }
    guard let finish else { return failed ? .failed : .interrupted }
    return finish.isProvisional == true ? .provisional : .finished
  }

  init(events: [RaceEvent]) {
    self.events = events
  }

  /// Reads JSON lines, or the array that `--json` prints.
  init(reading source: any ByteSource, name: String) throws(Failure) {
    events = []
    var stream = JSONStream(source)
    do throws(Failure) {
      while let json = try stream.next() {
        let event = try RaceEvent(json)
        // The file may have been edited, but time runs forward.
        guard event.elapsed >= events.last?.elapsed ?? .zero else {
          throw json["elapsed"].complaint("expected no less than the event before it has")
        }
        events.append(event)
      }
    } catch {
      var failure = error
      failure.message = "'\(name)' is no recording of a race: \(error.message)"
      throw failure
    }
    guard !events.isEmpty else {
      throw Failure(.invalidData, "'\(name)' is no recording of a race: it is empty")
    }
  }
}
