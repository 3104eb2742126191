import JSON
import System

/// Race of a response, and the time to its finish. `hw serve` sends both; the original service sends neither.
struct RaceMoment: Equatable, Sendable {
  var race: String?
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
    if let remaining { writer.member("remainingSeconds", remaining.seconds) }
  }
}

struct RaceStart: Equatable, Sendable {
  var length: Duration
  var moment = RaceMoment()

  /// Time to the finish. If the service does not send it, the whole length.
  var remaining: Duration { moment.remaining ?? length }
}

struct RaceStandings: Equatable, Sendable {
  var bees: [Bee]
  var moment = RaceMoment()
  /// The age of a cached response (`Age`).
  var age = Duration.zero
}

extension RaceStart {
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

/// Checks that standings belong to the watched race. A service can start the next race before the last standings were
/// requested, and the leader of that race is not the winner.
struct RaceAttribution: Equatable, Sendable {
  /// Unknown until the service sends an id.
  var id: String?
  private var names: Set<String> = []

  mutating func add(_ standings: RaceStandings) {
    names.formUnion(standings.bees.map(\.name))
    id = id ?? standings.moment.race
  }

  func isOther(_ moment: RaceMoment) -> Bool { id != nil && moment.race != nil && moment.race != id }

  /// Why the standings at the finish may be of another race; nil if there is no doubt. Without ids, the first bee must
  /// be in earlier standings, since no bee joins a race later.
  func doubt(about standings: RaceStandings) -> String? {
    guard let name = standings.bees.first?.name else {
      return names.isEmpty ? nil : "the last standings have no bees, and earlier ones had"
    }
    guard name.contains(where: { !$0.isWhitespace }) else { return "the first bee has no name" }
    guard id == nil || standings.moment.race == nil, !names.contains(name) else { return nil }
    return "'\(name)' was in no earlier standings of this race"
  }
}
