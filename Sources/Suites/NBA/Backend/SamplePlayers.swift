import System

/// Generated players: 17 per team, and 30 without a team.
enum SamplePlayers {
  static func all(seed: UInt64) -> [Player] {
    var random = SplitMix64(seed: seed ^ 0x504C_4159)
    var id = 1_000_000
    return (0..<540).map { number in
      id += 1 + random.next(below: 4000)
      func pick(_ words: [String]) -> String { words[random.next(below: words.count)] }
      let inches = 70 + random.next(below: 17)
      let isDrafted = random.next(below: 5) > 0
      let isKnown = random.next(below: 12) > 0
      return Player(
        id: id, firstName: pick(firstNames), lastName: pick(lastNames),
        position: isKnown ? pick(["G", "F", "C", "G-F", "F-C"]) : nil,
        height: isKnown ? "\(inches / 12)-\(inches % 12)" : nil,
        weight: isKnown ? String(170 + random.next(below: 110)) : nil,
        jerseyNumber: isKnown ? String(random.next(below: 56)) : nil,
        college: random.next(below: 4) > 0 ? pick(colleges) : nil,
        country: isKnown ? pick(countries) : nil,
        draftYear: isDrafted ? 2008 + random.next(below: 17) : nil,
        draftRound: isDrafted ? 1 + random.next(below: 2) : nil,
        draftNumber: isDrafted ? 1 + random.next(below: 60) : nil,
        team: number < 510 ? League.current[number % 30] : nil)
    }
  }

  private static let firstNames = [
    "James", "Marcus", "Luc", "Andre", "Jaylen", "Nikola", "Isaiah", "Terrence", "Karl-Anthony", "Malik",
    "Goran", "Darius", "Élie", "Kenji", "Moses", "Tobias", "Jalen", "Dennis", "Obi", "Ricky", "Caleb",
    "Jonas", "Theo", "Bruno",
  ]
  private static let lastNames = [
    "Stone", "Okafor", "Mbah a Moute", "Petrović", "Walker", "Banks", "O'Neal", "James", "Rivers", "Mensah",
    "Lindqvist", "Carter Jr.", "Dubois", "Nakamura", "Hollis", "Grant", "Vuković", "Abara", "Reyes",
    "Whitfield", "Santos", "Kowalski", "Bell", "Fontaine", "Ames", "Tatum-Hill",
  ]
  private static let colleges = [
    "Kentucky", "Duke", "Kansas", "Gonzaga", "UCLA", "Arizona", "Villanova", "Baylor",
  ]
  private static let countries = [
    "USA", "USA", "USA", "France", "Serbia", "Canada", "Nigeria", "Japan", "Brazil",
  ]
}
