/// Players in the order of what they achieved.
struct PlayerRanking: Equatable, Sendable {
  /// The players who have played, the best first.
  private(set) var places: [Place] = []

  enum Order: String, CaseIterable, Sendable {
    /// The fewest tries, of which a lost game has seven.
    case mean
    case solved
    /// The most games with the best result of all players.
    case wins
    /// The longest current streak.
    case streak
  }

  struct Place: Equatable, Sendable {
    /// From 1; players who achieved the same have the same rank.
    var rank: Int
    var name: String
    /// Of the period.
    var statistics: Statistics
    /// Games of the period in which this player alone had the best result.
    var wins: Int
    /// Of all games: a period would cut it.
    var streak: Int
    /// Games of the period that were played in hard mode.
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
          streak: player.statistics.asOf(today).currentStreak, hard: part.hardGames.count))
    }
    // Players who are equal in this order keep that of their names.
    places.sort { a, b in
      let (first, second) = (PlayerRanking.key(a, order), PlayerRanking.key(b, order))
      return first == second ? a.name < b.name : first.lexicographicallyPrecedes(second)
    }
    for index in places.indices.dropFirst() {
      let isTied = PlayerRanking.key(places[index - 1], order) == PlayerRanking.key(places[index], order)
      places[index].rank = isTied ? places[index - 1].rank : index + 1
    }
  }

  /// Smaller is better.
  private static func key(_ place: Place, _ order: Order) -> [Double] {
    let (mean, solved) = (place.statistics.mean ?? .infinity, -Double(place.statistics.solved))
    return switch order {
    case .mean: [mean, solved]
    case .solved: [solved, mean]
    case .wins: [-Double(place.wins), mean, solved]
    case .streak: [-Double(place.streak), solved, mean]
    }
  }
}
