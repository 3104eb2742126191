import JSON
import System

/// An event of a watched race: a line of `--jsonl`, of a recording and of the history.
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
  /// Counts from 1 in each attempt, without gaps.
  var seq = 0
  var elapsed = Duration.zero
  var remaining: Duration?
  /// `start`: the length of the race.
  var duration: Duration?
  /// `standings`, `finish`: the bees, leader first.
  var bees: [Bee]?
  var captchaUrl: String?
  /// `rate_limited`, `retry`: the time until the next attempt.
  var wait: Duration?
  var message: String?
  /// `start`, `finish`: the id of the race, if the service sends one.
  var race: String?
  /// `finish`: the winner; nil without bees, and if `isProvisional`.
  var winner: String?
  /// `finish`: the leader of the last standings.
  var leader: String?
  /// `finish`: the last standings may not be final; `message` is the reason.
  var isProvisional: Bool?

  var end: RaceRecording.End? {
    switch kind {
    case .finish: isProvisional == true ? .provisional : .finished
    case .error: .failed
    case .start, .standings, .captcha, .resumed, .rateLimited, .retry: nil
    }
  }
}

extension RaceEvent {
  /// Writes an event without the members that have no value.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("event", kind.rawValue)
      writer.member("seq", seq)
      writer.member("elapsed", elapsed.seconds)
      if let remaining { writer.member("remaining", remaining.seconds) }
      if let duration { writer.member("duration", duration.seconds) }
      if let bees { writer.member("beeList", bees.write) }
      if let captchaUrl { writer.member("captchaUrl", captchaUrl) }
      if let wait { writer.member("wait", wait.seconds) }
      if let message { writer.member("message", message) }
      if let race { writer.member("race", race) }
      if let winner { writer.member("winner", winner) }
      if let leader { writer.member("leader", leader) }
      if let isProvisional { writer.member("provisional", isProvisional) }
    }
  }

  /// Reads output of `write` and `--jsonl`, which may have been edited.
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
    // In earlier recordings `winner` is the leader of a provisional result.
    let first = try json["winner"].orNull?.string
    winner = isProvisional == true ? nil : first
    leader = try json["leader"].orNull?.string ?? first
  }

  // MARK: Text

  /// A line of standard output; nil for events that are only reported on standard error.
  var sentence: String? {
    switch kind {
    case .start: "\(elapsed.tenths)  start: \((remaining ?? duration)?.countdown ?? "?") to go"
    case .standings: "\(elapsed.tenths)  \(bees?.summary ?? "")"
    case .finish: "\(elapsed.tenths)  \(verdict)"
    case .captcha, .resumed, .rateLimited, .retry, .error: nil
    }
  }

  /// `winner: Beech`. The leader before an unknown finish is not called the winner.
  var verdict: String {
    guard isProvisional != true else {
      return
        "finish: not observed; \(leader.map { "last leader: \($0)" } ?? "the last standings had no bees")"
    }
    return winner.map { "winner: \($0)" } ?? "finish: the race had no bees"
  }

  /// A line of standard error; nil for events without one.
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

extension Duration {
  /// Milliseconds are the precision of JSON.
  var seconds: Double { Double(milliseconds) / 1000 }

  var milliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + rest / 1_000_000_000_000_000
  }

  /// `12.5 s`.
  var tenths: String {
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// Rounds up to the second: `0:26`, `1:59:03`.
  var countdown: String {
    let whole = max(0, (milliseconds + 999) / 1000)
    let (hours, minutes) = (whole / 3600, "\(whole / 60 % 60)")
    let seconds = "\(whole % 60)".zeroPadded(to: 2)
    return hours > 0 ? "\(hours):\(minutes.zeroPadded(to: 2)):\(seconds)" : "\(minutes):\(seconds)"
  }

  /// Converts seconds from a service or a recording; nil for negative numbers, and for more than any race has.
  init?(seconds: Double) {
    guard (0...1_000_000).contains(seconds) else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
