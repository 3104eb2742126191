import JSON
import System

/// Something that happened while a race was watched: a line of `--jsonl`, of a recording, of the history.
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
  /// From 1, without gaps.
  var seq = 0
  /// Since the race began; zero before that.
  var elapsed = Duration.zero
  /// Nil while nobody knows how long the race is.
  var remaining: Duration?
  /// Of `start`: the length of the race.
  var duration: Duration?
  /// Of `standings` and `finish`: the bees in the order of the race.
  var bees: [Bee]?
  var captchaUrl: String?
  /// Of `rate_limited` and `retry`: how long until the next attempt.
  var wait: Duration?
  var message: String?
  /// Of `finish`: nil when nobody was in the race.
  var winner: String?
  /// Of `finish`: the standings are not those of the finish.
  var isProvisional: Bool?

  init(_ kind: Kind) {
    self.kind = kind
  }
}

extension RaceEvent {
  /// As a recording keeps it: what an event does not have is left out.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("event", kind.rawValue)
      writer.member("seq", seq)
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
      text("winner", winner)
      if let isProvisional {
        writer.member("provisional", isProvisional)
      }
    }
  }

  var line: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.newline()
    return writer.bytes
  }

  /// Reads what `write` and `--jsonl` made; a person may have edited it.
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
    winner = try json["winner"].orNull?.string
    isProvisional = try json["provisional"].orNull?.bool
  }
}
