import JSON
import System

struct RaceRecording: Equatable, Sendable {
  static let format = FileFormat("race-recording")

  var events: [RaceEvent]

  var duration: Duration? { events.lazy.compactMap(\.duration).first }
  var finish: RaceEvent? { events.last { $0.kind == .finish } }

  enum End: String, CaseIterable, Sendable {
    case finished
    case provisional
    case failed
    case interrupted
  }

  /// Reads JSON lines, or the array of `--json`: one or more attempts, each beginning with event 1.
  static func read(_ source: any ByteSource, name: String) throws(Failure) -> [RaceRecording] {
    var attempts: [RaceRecording] = []
    var stream = JSONStream(source)
    do throws(Failure) {
      while let json = try stream.next() {
        try format.check(json, of: name)
        let event = try RaceEvent(json)
        if attempts.isEmpty || event.seq == 1 { attempts.append(RaceRecording(events: [])) }
        let last = attempts.count - 1
        // An edited file must keep the order of times and contain all events.
        if let before = attempts[last].events.last {
          guard event.elapsed >= before.elapsed else {
            throw json["elapsed"].invalid("expected no less than the event before it has")
          }
          guard event.seq &- 1 == before.seq else {
            throw json["seq"].invalid("expected the number after \(before.seq), found \(event.seq)")
          }
        }
        attempts[last].events.append(event)
      }
    } catch {
      guard error.kind == .invalidData else { throw error }
      var failure = error
      failure.message = "'\(name)' is not a recording of a race: \(error.message)"
      throw failure
    }
    guard !attempts.isEmpty else {
      throw Failure(.invalidData, "'\(name)' is not a recording of a race: it is empty")
    }
    return attempts
  }
}
