import JSON
import System

/// Something that happened while a race was watched: a line of `--jsonl`, of a recording and of the history.
struct RaceEvent: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case start
    case standings
    case captcha
    case resumed
    case rateLimited = "rate_limited"
    case retry
    case error
    case finish
  }

  var kind: Kind
  /// From 1, without gaps. Each attempt at a race counts from 1 again.
  var seq = 0
  /// Since the start of the race; zero before it.
  var elapsed = Duration.zero
  /// The time to the finish; nil until the length of the race is known.
  var remaining: Duration?
  /// Of `start`: the length of the race.
  var duration: Duration?
  /// Of `standings` and `finish`: the bees in the order of the race.
  var bees: [Bee]?
  var captchaUrl: String?
  /// Of `rate_limited` and `retry`: the time until the next attempt.
  var wait: Duration?
  var message: String?
  /// Of `start` and `finish`: the id of the race, if the service sends one.
  var race: String?
  /// Of `finish`: the winner; nil without bees, and if `isProvisional`.
  var winner: String?
  /// Of `finish`: the bee in front in the last standings, if any.
  var leader: String?
  /// Of `finish`: the standings may not be those of the finish. `message` is the reason.
  var isProvisional: Bool?

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// How a race ended whose last event is this one; nil for an event in the middle.
  var end: RaceRecording.End? {
    switch kind {
    case .finish: isProvisional == true ? .provisional : .finished
    case .error: .failed
    case .start, .standings, .captcha, .resumed, .rateLimited, .retry: nil
    }
  }
}

// MARK: JSON

extension RaceEvent {
  /// Writes the form of a recording: a member without a value is left out. With `format` it is the first line of a
  /// file and has the version.
  func write(to writer: inout JSONWriter, format: FileFormat? = nil) {
    writer.object { writer in
      writer.member("event", kind.rawValue)
      writer.member("seq", seq)
      format?.write(to: &writer)
      writer.member("elapsed", elapsed.inSeconds)
      func number(_ name: String, _ duration: Duration?) {
        guard let duration else { return }
        writer.member(name, duration.inSeconds)
      }
      func text(_ name: String, _ text: String?) {
        guard let text else { return }
        writer.member(name, text)
      }
      number("remaining", remaining)
      number("duration", duration)
      if let bees {
        writer.member("beeList", bees.write)
      }
      text("captchaUrl", captchaUrl)
      number("wait", wait)
      text("message", message)
      text("race", race)
      text("winner", winner)
      text("leader", leader)
      if let isProvisional {
        writer.member("provisional", isProvisional)
      }
    }
  }

  /// The event as a line of a file. The first of each attempt has the version.
  var line: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer, format: seq == 1 ? RaceRecording.format : nil)
    writer.newline()
    return writer.bytes
  }

  /// Reads the output of `write` and of `--jsonl`, which may have been edited.
  init(_ json: JSON) throws(Failure) {
    let name = json["event"]
    guard let kind = Kind(rawValue: try name.string) else {
      throw name.invalid("expected an event of a race, found '\(try name.string)'")
    }
    func time(_ name: String) throws(Failure) -> Duration? {
      guard let value = json[name].orNull else { return nil }
      guard let duration = Duration(seconds: try value.double) else {
        throw value.invalid("expected 0 to 1000000 seconds")
      }
      return duration
    }
    self.kind = kind
    seq = try json["seq"].int
    elapsed = try time("elapsed") ?? .zero
    remaining = try time("remaining")
    duration = try time("duration")
    if let list = json["beeList"].orNull { bees = try [Bee](list) }
    captchaUrl = try json["captchaUrl"].orNull?.string
    wait = try time("wait")
    message = try json["message"].orNull?.string
    race = try json["race"].orNull?.string
    isProvisional = try json["provisional"].orNull?.bool
    // Former recordings have the leader of a provisional result as its winner.
    let first = try json["winner"].orNull?.string
    winner = isProvisional == true ? nil : first
    leader = try json["leader"].orNull?.string ?? first
  }
}

// MARK: Text

extension RaceEvent {
  /// The line of the result; nil for an event that is reported on standard error only.
  var sentence: String? {
    switch kind {
    case .start: "\(elapsed.tenths)  start: \((remaining ?? duration)?.countdown ?? "?") to go"
    case .standings: "\(elapsed.tenths)  \(bees?.summary ?? "")"
    case .finish: "\(elapsed.tenths)  \(verdict)"
    case .captcha, .resumed, .rateLimited, .retry, .error: nil
    }
  }

  /// `winner: Beech`. The last leader before an unknown finish is not called the winner.
  var verdict: String {
    guard isProvisional != true else {
      return "finish: not observed; \(leader.map { "last leader: \($0)" } ?? "the race had no bees")"
    }
    return winner.map { "winner: \($0)" } ?? "finish: the race had no bees"
  }

  /// The message on standard error, if there is one.
  var note: String? {
    let wait = wait?.tenths ?? ""
    return switch kind {
    case .start, .standings, .error: nil
    case .finish: message
    case .captcha: "the service requires a CAPTCHA: \(captchaUrl ?? "")"
    case .resumed: "the CAPTCHA is solved: the race continues"
    case .rateLimited: "rate limited: next poll in \(wait); the race continues"
    case .retry: "\(message ?? ""); next attempt in \(wait)"
    }
  }
}

// MARK: Durations

extension Duration {
  /// Rounded to the millisecond, as in JSON.
  var inSeconds: Double { Double(milliseconds) / 1000 }

  /// Rounded down.
  var milliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + rest / 1_000_000_000_000_000
  }

  /// For a line of text: `12.5 s`.
  var tenths: String {
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// For a countdown, rounded up to the second: `0:26`, `1:59:03`.
  var countdown: String {
    let whole = max(0, (milliseconds + 999) / 1000)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(seconds))" : "\(minutes):\(padded(seconds))"
  }

  /// Seconds from a service or a recording; nil if negative, or longer than any race.
  init?(seconds: Double) {
    guard (0...1_000_000).contains(seconds) else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}

/// A race as it was watched, from the first event of an attempt to its last. `--jsonl` and `hw race show` write
/// the events of a recording as lines.
struct RaceRecording: Equatable, Sendable {
  static let format = FileFormat("race-recording")

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

  /// Reads JSON lines, or the array that `--json` prints. A file contains a recording for each attempt; each
  /// begins with event number 1. The result is not empty, and neither is any recording in it.
  static func read(_ source: any ByteSource, name: String) throws(Failure) -> [RaceRecording] {
    var attempts: [RaceRecording] = []
    var stream = JSONStream(source)
    do throws(Failure) {
      while let json = try stream.next() {
        try format.check(json, of: name)
        let event = try RaceEvent(json)
        if attempts.isEmpty || event.seq == 1 { attempts.append(RaceRecording(events: [])) }
        let last = attempts.count - 1
        // The file may have been edited, but time runs forward, and no event is missing.
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
