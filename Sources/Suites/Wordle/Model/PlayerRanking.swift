struct PlayerRanking: Equatable, Sendable {
  private(set) var places: [Place] = []

  enum Order: String, CaseIterable, Sendable {
    /// The fewest tries. A lost game counts seven.
    case mean
    case solved
    case wins
    case streak
  }

  struct Place: Equatable, Sendable {
    var rank: Int
    var name: String
    var statistics: Statistics
    /// Games of the period in which this player alone had the best result.
    var wins: Int
    /// The streak of all games, because a period would cut it.
    var streak: Int
    var hard: Int
  }

  init(_ players: [PlayerResults], _ order: Order, in period: Period, today: Int) {
    let parts = players.map { $0.playing(in: period) }
    for (index, total) in Comparison(parts).totals.enumerated() {
      let (player, part) = (players[index], parts[index])
      guard part.statistics.played > 0 else { continue }
      places.append(
        Place(
          rank: 1, name: player.name, statistics: part.statistics, wins: total.wins,
          streak: player.statistics(today: today).currentStreak, hard: part.hardGames.count))
    }
    // Equal players are ordered by name.
    places.sort { a, b in
      let (first, second) = (PlayerRanking.key(a, order), PlayerRanking.key(b, order))
      return first == second ? a.name < b.name : first.lexicographicallyPrecedes(second)
    }
    for index in places.indices.dropFirst() {
      let isTied = PlayerRanking.key(places[index - 1], order) == PlayerRanking.key(places[index], order)
      places[index].rank = isTied ? places[index - 1].rank : index + 1
    }
  }

  /// Smaller keys are better.
  private static func key(_ place: Place, _ order: Order) -> [Double] {
    let (mean, solved) = (place.statistics.mean ?? .infinity, -Double(place.statistics.solved))
    let first =
      switch order {
      case .mean: mean
      case .solved: solved
      case .wins: -Double(place.wins)
      case .streak: -Double(place.streak)
      }
    return [first, mean, solved]
  }
}
