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

  /// The reason why the standings at the finish may be those of another race. Equal ids exclude that, but the bees of a
  /// race do not disappear.
  func doubt(about standings: RaceStandings) -> String? {
    guard let name = standings.bees.first?.name else {
      return names.isEmpty ? nil : "the last standings have no bees, and earlier ones had"
    }
    guard name.contains(where: { !$0.isWhitespace }) else { return "the first bee has no name" }
    guard id == nil || standings.moment.race == nil, !names.contains(name) else { return nil }
    return "'\(name)' was in no earlier standings of this race"
  }
}
