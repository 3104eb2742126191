import JSON
import System

/// The race that a response belongs to. `hw serve` sends both members; the original service sends neither.
struct RaceMoment: Equatable, Sendable {
  /// The id of the race.
  var race: String?
  /// The time to its finish.
  var remaining: Duration?
}

extension RaceMoment {
  init(_ json: JSON) throws(Failure) {
    race = try json["race"].orNull?.string
    guard let seconds = json["remainingSeconds"].orNull else { return }
    let number = try seconds.double
    remaining = Duration(seconds: number)
    if remaining == nil { throw seconds.invalid("expected 0 to 1000000 seconds, found \(number)") }
  }

  func write(to writer: inout JSONWriter) {
    if let race { writer.member("race", race) }
    if let remaining { writer.member("remainingSeconds", remaining.inSeconds) }
  }
}

/// The response of the service at the start of a watch.
struct RaceStart: Equatable, Sendable {
  /// From the start of the race to its finish.
  var length: Duration
  var moment = RaceMoment()

  /// The time to the finish: the whole length if the service does not send it.
  var remaining: Duration { moment.remaining ?? length }
}

/// The bees in the order of the race.
struct RaceStandings: Equatable, Sendable {
  var bees: [Bee]
  var moment = RaceMoment()
  /// How long a cache on the way kept them (`Age`).
  var age = Duration.zero
}

extension RaceStart {
  /// A race lasts a second to a day.
  init(_ json: JSON) throws(Failure) {
    let seconds = try json["timeInSeconds"].int
    guard (1...86_400).contains(seconds) else {
      throw json["timeInSeconds"].invalid("expected 1 to 86400 seconds, found \(seconds)")
    }
    self.init(length: .seconds(seconds), moment: try RaceMoment(json))
    guard remaining <= length else {
      throw json["remainingSeconds"].invalid("expected no more than 'timeInSeconds'")
    }
  }
}

extension RaceStandings {
  init(_ json: JSON) throws(Failure) {
    self.init(bees: try [Bee](json["beeList"]), moment: try RaceMoment(json))
  }
}
