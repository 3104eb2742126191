import Command
import Output
import System

/// What `ID` names: the race of a number, or the latest one.
enum RaceReference: Equatable, Sendable {
  case number(Int)
  case latest

  func id(in history: RaceHistory) throws(Failure) -> Int {
    switch self {
    case .number(let id): id
    case .latest: try history.latest()
    }
  }
}

extension ValueKind where Value == RaceReference {
  static var raceReference: ValueKind {
    ValueKind(
      "ID", wants: "a whole number, 1 or more, or 'latest'",
      show: { if case .number(let id) = $0 { "\(id)" } else { "latest" } }
    ) { text in
      if text == "latest" { return .latest }
      guard text.utf8.allSatisfy(\.isASCIIDigit), let id = Int(text), id > 0 else { return nil }
      return .number(id)
    }
  }
}

extension Race {
  static let forgotten = Operand(
    rest: "ID", ValueKind<RaceReference>.raceReference, "The number of a race, or several, or 'latest'")
  static let keep = Option("keep", .count(0 ... .max), "Remove all but the latest N races")

  static let forget = Command(
    "forget", "Forget races of the history",
    discussion: """
      Those that are named, or all but the latest N with --keep; it shows what it removed. When one of the numbers is \
      not there, nothing is removed. On a terminal it asks before.
      """,
    usage: ["ID...", "--keep N"],
    operands: [forgotten], options: [keep, Confirmation.yes, Confirmation.dryRun],
    output: .rows(WatchedRace.self),
    needs: [.store, .loss],
    examples: [
      Example("hw race forget --keep 100 --yes", "the latest hundred stay"),
      Example("hw race forget 999", "one that is not there", exits: 3),
    ],
    failures: [.notFound, .no]
  ) { call, context throws(Failure) in
    let history = try RaceHistory(context.raceStore)
    let races = try racesToForget(call, history)
    let (rows, time) = (races, context.time)
    let count = races.count == 1 ? "race \(races[0].id)" : "\(races.count) races"
    if !call[Confirmation.dryRun], !races.isEmpty {
      try context.confirmIfInteractive("Forget \(count)?")
      try history.forget(races.map(\.id))
    }
    try context.output.write(rows.map { WatchedRace(race: $0, time: time) })
  }

  private static func racesToForget(
    _ call: Invocation, _ history: RaceHistory
  ) throws(Failure) -> [RaceHistory.Entry] {
    let named = try call[forgotten]
    let entries = try history.entries()
    if let count = call[keep] {
      guard named.isEmpty else { throw Failure(.usage, "'--keep' and ID exclude each other") }
      return Array(entries.dropFirst(count))
    }
    guard !named.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "or say '--keep N'")
    }
    var ids: Set<Int> = []
    for race in named { ids.insert(try race.id(in: history)) }
    let missing = ids.subtracting(entries.map(\.id)).sorted()
    guard missing.isEmpty else {
      throw Failure(
        .notFound, "race \(missing.map(String.init).joined(separator: ", ")) is not in the history",
        hint: "nothing was removed; 'hw race history' lists them")
    }
    return entries.filter { ids.contains($0.id) }
  }
}
