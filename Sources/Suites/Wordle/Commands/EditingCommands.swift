import Command
import HTTP
import Output
import System
import Terminal

extension Wordle {
  static let source = Operand(
    optional: "FILE", ValueKind<String>.inputFile,
    "Scores as JSON or JSON Lines; '-' is standard input")
  static let newID = Option(
    "id", ValueKind<Int>.count(0 ... .max), "The number of the game", details: "By default that of --date.")
  static let newDate = Option(
    "date", ValueKind<DayValue>.day, "The day of the game", details: "By default that of --id.")
  static let newWord = Option("word", ValueKind<String>.text("WORD"), "The solution")
  static let newTries = Option(
    "tries",
    ValueKind<[String]>("LIST", expects: "words separated by commas") { text in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return words.contains("") ? nil : words
    }, "The guesses in order, comma-separated")
  static let hard = Option("hard", "Mark the game as hard mode")
  static let replace = Option("replace", "Replace an existing score")
  static let force = Option(
    "force", "Accept an --id that does not match --date",
    details: "For scores of other games, also of the future. Game 0 of Wordle was on 2021-06-19.")

  static let add = Command(
    "add", "Add scores",
    discussion: """
      Adds one score from the options, or scores as JSON, in the format of --json. --id and --date are those of one \
      game of Wordle, unless --force is given. A score has 1 to 6 guesses of the length of the solution, none after \
      it, in lower case. In hard mode each guess has the letters that were found; the original service does not store \
      that it was on.

      All scores are checked before the first is sent. If a score with the same id exists, the command changes \
      nothing; --replace replaces it.
      """,
    usage: ["{--id N | --date DAY} --word WORD --tries LIST", "FILE | -"],
    operands: [source],
    options: [newID, newDate, newWord, newTries, hard, force, replace, Confirmation.dryRun, tokenFile],
    exclusions: [Exclusion(source, from: newID, newDate, newWord, newTries, hard)],
    output: .rows(Score.self).schemaVersion(2),
    needs: [.network, .writes],
    examples: [
      Example("hw wordle add --id 261 --word watch --tries stair,patch,watch", "a game with three guesses"),
      Example(
        "echo '{\"id\":261,\"date\":\"2022-03-07\",\"word\":\"watch\",\"tries\":[\"watch\"]}' | hw wordle add -",
        "a score as JSON"),
    ]
  ) { call, context throws(Failure) in
    let scores = try scoresToAdd(call, context).map { score throws(Failure) in try ScoreRules.checked(score) }
    try checkNoneRepeated(scores)
    for score in scores where !call[force] {
      // Time zones to the east already have tomorrow's game.
      guard score.id <= context.today.wordle + 1 else {
        throw Failure(.usage, "game \(score.id) is of the future", hint: "use '--force' for another game")
      }
      guard score.date.wordle == score.id else {
        throw Failure(
          .usage, "game \(score.id) was on \(CalendarDay(wordle: score.id)), not on \(score.date)",
          hint: "correct the number or the day, or use '--force' for another game")
      }
    }
    let client = try client(context)
    let found = try context.response { () throws(Failure) in
      try client.scores(next: call[replace] ? "DELETE /scores/ID of each that is replaced" : nil)
    }
    let list = found ?? ScoreList()
    let known = Dictionary(list.valid.map { ($0.id, $0) }) { $1 }
    let invalid = Set(list.invalid.compactMap(\.id))
    let clashes = scores.map(\.id).filter { known[$0] != nil || invalid.contains($0) }
    guard clashes.isEmpty || call[replace] else {
      throw Failure(
        .conflict, "\(numbered(clashes)) already \(clashes.count == 1 ? "exists" : "exist")",
        hint: "use '--replace' to replace \(clashes.count == 1 ? "it" : "them")")
    }
    guard !call[Confirmation.dryRun] else { return try context.output.write(scores) }
    try apply(to: scores, "added", as: \.self, context) { score throws(Failure) in
      if invalid.contains(score.id) { try delete(score.id, client) }
      let stored =
        if let old = known[score.id] {
          try exchange(old, for: score, client, context)
        } else {
          try change("score \(score.id) may have been added", shownBy: "score \(score.id)") {
            () throws(Failure) in
            try client.add(score)
          }
        }
      if score.isHard, !stored.isHard {
        context.messages.report("score \(score.id): the service does not store hard mode")
      }
      return stored
    }
  }

  /// Deletes the old score first: the service cannot replace a score. Restores it if it may be deleted and the new one is
  /// refused.
  private static func exchange(
    _ old: Score, for score: Score, _ client: WordleClient, _ context: Context
  ) throws(Failure) -> Score {
    var isDeleted = false
    var failure: Failure
    do throws(Failure) {
      try client.delete(old.id)
      isDeleted = true
      return try client.add(score)
    } catch {
      guard isDeleted || error.outcomeUnknown else { throw error }
      failure = error
    }
    // A request may have succeeded although its response was lost.
    var stored = try? client.score(old.id)
    var fate = "is still there"
    if stored == nil {
      do throws(Failure) {
        stored = try client.add(old)
        fate = "was restored"
      } catch {
        stored = try? client.score(old.id)
        if stored == nil {
          fate = "\(isDeleted ? "is" : "may be") deleted and cannot be restored: \(error.message)"
        }
      }
    }
    if let stored, stored.tries == score.tries, stored.word == score.word { return stored }
    guard stored == nil else {
      throw failure.appending("the old score \(old.id) \(fate)", hint: failure.hint)
    }
    failure = failure.appending(
      "the old score \(old.id) \(fate)",
      hint: "add it again with: printf '%s\\n' \(ShellWord(old.json).quoted) | hw wordle add --force -")
    failure.details.append(.init("lost", .text(old.json)))
    throw failure
  }

  static let idsToDelete = Operand(
    rest: "ID", ValueKind<Int>.anyScoreID.completed(with: scoreIDs),
    "The numbers of games; write '--' before a negative number")
  static let playerToDelete = Option(
    "player", ValueKind<String>.playerOrAccount, "Delete the imported games of NAME",
    details: "'\(you)' names the games of 'hw wordle import --me'.")

  static let delete = Command(
    "delete", "Delete scores, or the imported games of a player",
    discussion: """
      Prints the deleted games; 'hw wordle add' accepts scores of the --json output. If an id does not exist, \
      nothing is deleted. On a terminal the command asks for confirmation. An invalid score is reported on standard \
      error.
      """,
    usage: ["ID...", "--player NAME"],
    operands: [idsToDelete],
    options: [playerToDelete, Confirmation.yes, Confirmation.dryRun, tokenFile],
    exclusions: [Exclusion(playerToDelete, idsToDelete)],
    output: .rows(Deleted<DeletedGame>.self, text: "One line per game.").schemaVersion(2),
    needs: [.network, .store, .writes, .loss],
    examples: [
      Example("hw wordle delete 262 263 --yes", "delete two scores without confirmation"),
      Example("hw wordle delete --player Ann --dry-run --demo", "print the imported games of a player"),
    ]
  ) { call, context throws(Failure) in
    if let name = call[playerToDelete] { return try deleteGames(of: name, call, context) }
    let ids = try call[idsToDelete]
    guard !ids.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "'hw wordle scores -o table' lists the ids")
    }
    let client = try client(context)
    guard let list = try context.response({ () throws(Failure) in try client.scores() }) else {
      for id in ids { _ = try context.response { () throws(Failure) in try client.delete(id) } }
      return
    }
    let invalid = Set(list.invalid.compactMap(\.id))
    let valid = Set(list.valid.map(\.id))
    let missing = ids.filter { !valid.contains($0) && !invalid.contains($0) }
    guard missing.isEmpty else {
      throw Failure(
        .notFound, "there \(missing.count == 1 ? "is" : "are") no \(numbered(missing))",
        hint: "nothing was deleted; 'hw wordle scores -o table' lists the scores")
    }
    let named = Set(ids)
    let scores = list.valid.filter { named.contains($0.id) }
    let invalidIDs = invalid.intersection(named).sorted()
    let isDryRun = call[Confirmation.dryRun]
    if !isDryRun { try context.confirmIfInteractive("Delete \(numbered(scores.map(\.id) + invalidIDs))?") }
    for id in invalidIDs {
      if !isDryRun { try context.reportingInterruption { () throws(Failure) in try delete(id, client) } }
      context.messages.report("\(isDryRun ? "would delete" : "deleted") the invalid score \(id)")
    }
    let row = { Deleted(DeletedGame($0), "score \($0.id), \($0.word),", isDryRun: isDryRun) }
    guard !isDryRun else { return try context.output.write(scores.map(row)) }
    try apply(to: scores, "deleted", as: row, context) { score throws(Failure) in
      try delete(score.id, client)
      return score
    }
  }

  private static func deleteGames(of name: String, _ call: Invocation, _ context: Context) throws(Failure) {
    guard !context.isExplaining else { return }
    let players = try players(call, context)
    guard let player = try players.player(name) else { throw noImportedGames(of: name) }
    if !call[Confirmation.dryRun] {
      let count = player.results.count
      try context.confirmIfInteractive(
        "Delete \(count) \(count == 1 ? "game" : "games") of \(player.name.terminalSafe)?")
      try players.delete(name)
    }
    try context.output.write(
      player.results.sorted { $0.key < $1.key }.map { id, result in
        Deleted(
          DeletedGame(id: id, result, isHard: player.hardGames.contains(id), of: player.name),
          "game \(id) of \(player.name)", isDryRun: call[Confirmation.dryRun])
      })
  }

  private static func delete(_ id: Int, _ client: WordleClient) throws(Failure) {
    try change("score \(id) may have been deleted", shownBy: "score \(id)") { () throws(Failure) in
      try client.delete(id)
    }
  }

  static let reset = Command(
    "reset", "Reset the account to its three initial scores",
    discussion: """
      Deletes all scores, restores the three initial ones and prints them. On a terminal the command asks for \
      confirmation; otherwise it requires --yes. --dry-run prints the scores that would be deleted.
      """,
    options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self).schemaVersion(2),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw wordle reset --yes", "reset without confirmation"),
      Example("hw wordle reset --dry-run --json >scores.json", "save the scores that would be deleted"),
    ]
  ) { call, context throws(Failure) in
    let client = try client(context)
    let isDryRun = call[Confirmation.dryRun]
    if !isDryRun {
      try context.confirm("Delete every score, and go back to the three initial ones?")
      _ = try context.reportingInterruption { () throws(Failure) in
        try context.response { () throws(Failure) in
          try change("the account may have been reset", shownBy: "scores") { () throws(Failure) in
            try client.reset()
          }
        }
      }
    }
    let list = try client.scores()
    try context.output.write(list.valid.filter { !isDryRun || !$0.isInitial })
    if let failure = list.invalidScores { throw failure }
  }

  /// Applies `change` to each score and prints its results. A failure contains their number.
  private static func apply(
    to scores: [Score], _ done: String, as row: (Score) -> some Row, _ context: Context,
    _ change: (Score) throws(Failure) -> Score
  ) throws(Failure) {
    var finished: [Score] = []
    do throws(Failure) {
      for score in scores {
        finished.append(try context.response { () throws(Failure) in try change(score) } ?? score)
      }
    } catch {
      var failure = error
      if scores.count > 1 {
        failure = failure.describing(
          "\(failure.message) (\(finished.count) of \(scores.count) \(done))", hint: failure.hint)
        failure.details.append(.init(done, .integer(finished.count)))
      }
      failure = failure.reportingInterruption(context.reportInterruption)
      do throws(Failure) {
        if !finished.isEmpty { try context.output.write(finished.map(row)) }
      } catch {
        // A failed print is less important than the state of the scores.
        if error.kind != .interrupted, error.kind != .closedPipe { context.messages.report(error.message) }
      }
      throw failure
    }
    try context.output.write(finished.map(row))
  }

  /// Makes a change. If its outcome is unknown, the failure explains how to check it.
  private static func change<Result>(
    _ state: String, shownBy command: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      return try body()
    } catch {
      guard error.outcomeUnknown else { throw error }
      throw error.prefixing(state, hint: "'hw wordle \(command)' shows whether it was")
    }
  }

  private static func scoresToAdd(_ call: Invocation, _ context: Context) throws(Failure) -> [Score] {
    if call.isGiven(newID) || call.isGiven(newDate), let word = call[newWord], let tries = call[newTries] {
      if let text = tries.first(where: { $0.contains(" ") }) {
        throw Failure(
          .usage, "'--tries' requires words separated by commas, not '\(text)'",
          hint: "use '--tries \(text.split(separator: " ").joined(separator: ","))'")
      }
      let (id, day) = try gameToAdd(call, context)
      return [Score(id: id, date: day, word: word, tries: tries, isHard: call[hard])]
    }
    guard let file = try call[source] else {
      let hasGame = call.isGiven(newID) || call.isGiven(newDate)
      let options: [any Declared] = [newWord, newTries]
      let missing =
        (hasGame ? [] : ["--id"]) + options.filter { !call.isGiven($0) }.map { "--\($0.declaration.name)" }
      throw Failure(
        .usage, "missing \(missing.joined(separator: ", "))",
        hint: "or add scores as JSON: 'hw wordle add FILE', or 'hw wordle add -'")
    }
    if Int(file) != nil, !File.exists(file) {
      throw Failure(
        .usage, "there is no file '\(file)'", hint: "for a game: '--id \(file) --word WORD --tries LIST'")
    }
    let scores = try ScoreFile.scores(in: context.open(file))
    guard !scores.isEmpty else {
      throw Failure(.usage, "'\(file)' contains no score", hint: "use options, or scores as JSON")
    }
    return scores
  }

  /// The number and day of a game. Either option determines both.
  private static func gameToAdd(
    _ call: Invocation, _ context: Context
  ) throws(Failure) -> (id: Int, day: CalendarDay) {
    // The game of 9961-05-25: days have years of four digits.
    let last = 2_900_000
    let day = call[newDate].map { $0.day(today: context.today) }
    if call[force] {
      guard let id = call[newID], let day else {
        throw Failure(.usage, "'--force' requires '--id' and '--date'")
      }
      return (id, day)
    }
    guard let id = call[newID] ?? day?.wordle, (0...last).contains(id) else {
      let given = call[newID].map { "'--id \($0)'" } ?? day.map { "'--date \($0)'" } ?? ""
      throw Failure(.usage, "\(given) is no game of Wordle", hint: "game 0 was on \(CalendarDay(wordle: 0))")
    }
    return (id, day ?? CalendarDay(wordle: id))
  }

  private static func numbered(_ ids: [Int]) -> String {
    "\(ids.count == 1 ? "score" : "scores") \(ids.map(String.init).joined(separator: ", "))"
  }

  private static func checkNoneRepeated(_ scores: [Score]) throws(Failure) {
    var seen: Set<Int> = []
    guard let twice = scores.first(where: { !seen.insert($0.id).inserted }) else { return }
    throw Failure(.usage, "score \(twice.id) appears twice", hint: "remove one of them")
  }
}
