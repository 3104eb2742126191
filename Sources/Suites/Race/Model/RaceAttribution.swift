/// Attributes standings to the race that is watched. A service may start the next race before the last standings of
/// this one were requested, and the bee in front of that is no winner.
struct RaceAttribution: Equatable, Sendable {
  /// The id of the race; nil until the service sends one.
  var id: String?
  /// The bees of the standings that were requested before the finish.
  private var names: Set<String> = []

  /// Adds standings from before the finish.
  mutating func add(_ standings: RaceStandings) {
    names.formUnion(standings.bees.map(\.name))
    id = id ?? standings.moment.race
  }

  /// Whether the service names another race.
  func isOther(_ moment: RaceMoment) -> Bool { id != nil && moment.race != nil && moment.race != id }

  /// Why the first bee at the finish may be none of the race. An id rules out that it is of another one.
  func doubt(about standings: RaceStandings) -> String? {
    guard let name = standings.bees.first?.name else { return nil }
    guard name.contains(where: { !$0.isWhitespace }) else { return "the first bee has no name" }
    guard id == nil || standings.moment.race == nil, !names.contains(name) else { return nil }
    return "'\(name)' was in no earlier standings of this race"
  }
}
