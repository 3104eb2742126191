import JSON
import System

/// A race as it was watched: its events, one a line. `--save` and `export` write it, `--jsonl` prints the same.
struct RaceRecording: Equatable, Sendable {
  var events: [RaceEvent]

  var duration: Duration? { events.lazy.compactMap(\.duration).first }
  var finish: RaceEvent? { events.last { $0.kind == .finish } }

  /// How it ended, in a word.
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

  /// Reads one from JSON lines, or from the array that `--json` makes.
  init(reading source: any ByteSource, name: String) throws(Failure) {
    events = []
    var stream = JSONStream(source)
    do throws(Failure) {
      while let json = try stream.next() {
        let event = try RaceEvent(json)
        // Time runs forward, also in a file that somebody has edited.
        guard event.elapsed >= events.last?.elapsed ?? .zero else {
          throw json["elapsed"].invalid("expected no less than the event before it has")
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

/// Writes events to a file as they happen: whatever ends the program, what it saw is there.
final class RaceTape {
  private let file: FileDescriptor
  private let name: String

  /// A file of that name is not written over.
  init(_ name: String) throws(Failure) {
    self.name = name
    do throws(SystemError) {
      file = try File.open(name, .createNew, mode: .shared)
    } catch .fileExists {
      throw Failure(.usage, "'\(name)' exists already", hint: "name another file, or remove it")
    } catch {
      throw error.failure("write", name)
    }
  }

  deinit { file.close() }

  func write(_ events: [RaceEvent]) throws(Failure) {
    guard !events.isEmpty else { return }
    do throws(SystemError) {
      try file.writeAll(events.flatMap(\.line))
    } catch {
      throw error.failure("write", name)
    }
  }
}
