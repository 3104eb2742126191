import Command
import HTTP
import JSON
import Output
import System
import Terminal

extension Wordle {
  static let source = Operand(
    optional: "FILE", ValueKind<String>.inputFile,
    "Scores as JSON or JSON Lines; '-' is standard input"
  )
  static let newID = Option("id", ValueKind<Int>.count(0 ... .max), "The number of the game")
  static let newDate = Option("date", ValueKind<CalendarDay>.day, "The day of the game")
  static let newWord = Option("word", ValueKind<String>.text("WORD"), "The solution")
  static let newTries = Option(
    "tries", ValueKind<[String]>.words, "The guesses in order, comma-separated")
  static let hard = Option("hard", "Mark the game as hard mode")
  static let replace = Option("replace", "Replace an existing score")
  static let force = Option(
    "force", "Skip safety checks",
    details:
      "Sends scores that break the rules of Wordle too. The date must be valid, and 'hw serve' refuses words of different lengths."
  )

  static let add = Command(
    "add", "Add scores",
    discussion: """
      Adds one score from the options, or any number of scores as JSON, in the format of --json. Words are converted to \
      lower case. A score has 1 to 6 guesses of the length of the solution, and none after the solution. All scores are \
      checked before the first is sent. If a score with the same id exists, the command fails and changes nothing; \
      --replace replaces it. The local account adds all scores in one transaction; other services receive one request \
      per score.
      """,
    usage: ["--id N --date DAY --word WORD --tries LIST", "FILE | -"],
    operands: [source],
    options: [newID, newDate, newWord, newTries, hard, replace, force, Confirmation.dryRun, tokenFile],
    exclusions: [Exclusion(source, from: newID, newDate, newWord, newTries, hard)],
    output: .rows(Score.self),
    needs: [.network, .writes],
    examples: [
      Example(
        "hw wordle add --id 261 --date 2022-03-07 --word watch --tries stair,patch,watch",
        "a game with three guesses"),
      Example(
        "echo '{\"id\":261,\"date\":\"2022-03-07\",\"word\":\"watch\",\"tries\":[\"watch\"]}' | hw wordle add -",
        "a score as JSON"),
    ]
  ) { call, context throws(Failure) in
    var scores = try scoresToAdd(call, context)
    if !call[force] {
      for index in scores.indices { scores[index] = try ScoreRules.checked(scores[index]) }
    }
    try checkNoneRepeated(scores)
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
        .conflict, numbered(clashes, "already exists", plural: "already exist"),
        hint: "use '--replace' to replace \(clashes.count == 1 ? "it" : "them")")
    }
    guard !call[Confirmation.dryRun] else { return try context.output.write(scores) }
    if let backend = try localBackend(client, call, context) {
      for score in scores { try checkedShape(score) }
      try backend.add(scores, token: client.token, replacing: call[replace])
      return try context.output.write(scores)
    }
    try apply(to: scores, "added", context) { score throws(Failure) in
      if invalid.contains(score.id) { try delete(score.id, client) }
      if let old = known[score.id] { return try exchange(old, for: score, client, context) }
      try change("score \(score.id) may have been added", shownBy: "score \(score.id)") {
        () throws(Failure) in
        try client.add(score)
      }
    }
  }

  /// The database of the account on this machine, where no request needs to be seen.
  private static func localBackend(
    _ client: WordleClient, _ call: Invocation, _ context: Context
  ) throws(Failure) -> WordleBackend? {
    guard client.endpoint.base.scheme == .embedded, !context.isExplaining, context.messages.verbosity <= 0,
      call[StandardOptions.record] == nil, call[StandardOptions.replay] == nil
    else { return nil }
    return try WordleBackend(context.localData(of: service))
  }

  /// What the service would refuse.
  private static func checkedShape(_ score: Score) throws(Failure) {
    do throws(Failure) {
      try ScoreRules.checkShape(score)
    } catch {
      throw Failure(.usage, "score \(score.id): \(error.message)", hint: error.hint)
    }
  }

  /// The service cannot replace a score, so the old one is deleted first. If the new one is then refused, the old
  /// one is restored.
  private static func exchange(
    _ old: Score, for score: Score, _ client: WordleClient, _ context: Context
  ) throws(Failure) {
    var failure: Failure
    do throws(Failure) {
      try client.delete(old.id)
      return try client.add(score)
    } catch {
      failure = error
    }
    do throws(Failure) {
      try client.add(old)
      failure.message += "; the old score \(old.id) was restored"
    } catch {
      // The request may have succeeded and only its response been lost: then the score is there.
      switch try? client.score(old.id) {
      case score: return
      case old: failure.message += "; the old score \(old.id) is still there"
      default:
        failure.message += "; the old score \(old.id) is deleted and cannot be restored: \(error.message)"
        failure.hint = "add it again with: printf '%s\\n' \(ShellWord(old.json).quoted) | hw wordle add -"
        failure.details.append(.init("lost", .text(old.json)))
      }
    }
    throw failure
  }

  static let idsToDelete = Operand(
    rest: "ID", ValueKind<Int>.anyScoreID.completed(with: scoreIDs),
    "The numbers of games; write '--' before a negative number")

  static let delete = Command(
    "delete", "Delete scores",
    discussion: """
      Prints the deleted scores; 'hw wordle add' accepts the --json output. If one of the ids does not exist, nothing is \
      deleted. On a terminal the command asks for confirmation. An invalid score, which cannot be printed, is reported \
      on standard error.
      """,
    usage: ["ID..."],
    operands: [idsToDelete],
    options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw wordle delete 262 263 --yes", "delete two scores without confirmation")
    ]
  ) { call, context throws(Failure) in
    let ids = try call[idsToDelete]
    guard !ids.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "'hw wordle scores --list' lists the ids")
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
        .notFound, numbered(missing, "does not exist", plural: "do not exist"),
        hint: "nothing was deleted; 'hw wordle scores --list' lists the scores")
    }
    let named = Set(ids)
    let scores = list.valid.filter { named.contains($0.id) }
    let invalidIDs = invalid.intersection(named).sorted()
    let isDryRun = call[Confirmation.dryRun]
    if !isDryRun {
      let all = scores.map(\.id) + invalidIDs
      try context.confirmIfInteractive("Delete \(all.map { "Wordle \($0)" }.joined(separator: ", "))?")
    }
    for id in invalidIDs {
      do throws(Failure) {
        if !isDryRun { try delete(id, client) }
      } catch {
        throw error.reportingInterruption { context.reportInterruption($0) }
      }
      context.messages.report("\(isDryRun ? "would delete" : "deleted") the invalid score \(id)")
    }
    guard !isDryRun else { return try context.output.write(scores) }
    try apply(to: scores, "deleted", context) { score throws(Failure) in try delete(score.id, client) }
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
      confirmation; otherwise it requires --yes. With --dry-run it prints the scores that would be deleted.
      """,
    options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw wordle reset --yes", "reset without confirmation"),
      Example("hw wordle reset --dry-run --json >scores.json", "save the scores that would be deleted"),
    ]
  ) { call, context throws(Failure) in
    let client = try client(context)
    if call[Confirmation.dryRun] {
      let initial = Set(Score.initial.map(\.id))
      let list = try client.scores()
      try context.output.write(list.valid.filter { !initial.contains($0.id) })
      if let failure = list.invalidScores { throw failure }
      return
    }
    try context.confirm("Delete every score, and go back to the three initial ones?")
    do throws(Failure) {
      _ = try context.response { () throws(Failure) in
        try change("the account may have been reset", shownBy: "scores") { () throws(Failure) in
          try client.reset()
        }
      }
    } catch {
      throw error.reportingInterruption { context.reportInterruption($0) }
    }
    let list = try client.scores()
    try context.output.write(list.valid)
    if let failure = list.invalidScores { throw failure }
  }

  /// Applies `change` to each score and prints those that succeeded, also if one fails. The failure then contains
  /// their number.
  private static func apply(
    to scores: [Score], _ done: String, _ context: Context, _ change: (Score) throws(Failure) -> Void
  ) throws(Failure) {
    var finished = 0
    do throws(Failure) {
      for score in scores {
        try context.response { () throws(Failure) in try change(score) }
        finished += 1
      }
    } catch {
      var failure = error
      if scores.count > 1 {
        failure.message += " (\(finished) of \(scores.count) \(done))"
        failure.details.append(.init(done, .integer(finished)))
      }
      failure = failure.reportingInterruption { context.reportInterruption($0) }
      do throws(Failure) {
        if finished > 0 { try context.output.write(scores.prefix(finished)) }
      } catch {
        // What became of the scores is more than that they could not be printed.
        if error.kind != .interrupted, error.kind != .closedPipe { context.messages.report(error.message) }
      }
      throw failure
    }
    try context.output.write(scores)
  }

  /// Makes a change. If it fails and may have been made all the same, the failure contains that, and how to find out.
  private static func change(
    _ state: String, shownBy command: String, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try body()
    } catch {
      guard error.outcomeUnknown else { throw error }
      throw error.prefixing(state, hint: "'hw wordle \(command)' shows whether it was")
    }
  }

  private static func scoresToAdd(_ call: Invocation, _ context: Context) throws(Failure) -> [Score] {
    let options: [any Declared] = [newID, newDate, newWord, newTries]
    if let id = call[newID], let date = call[newDate], let word = call[newWord], let tries = call[newTries] {
      return [Score(id: id, date: date, word: word, tries: tries, isHard: call[hard])]
    }
    guard let file = try call[source] else {
      let missing = options.filter { !call.isGiven($0) }.map { "--\($0.declaration.name)" }
      throw Failure(
        .usage, "missing \(missing.joined(separator: ", "))",
        hint: "or add scores as JSON: 'hw wordle add FILE', or 'hw wordle add -'")
    }
    let scores = try ScoreFile.scores(in: context.open(file))
    guard !scores.isEmpty else {
      throw Failure(.usage, "'\(file)' contains no score", hint: "use options, or scores as JSON")
    }
    return scores
  }

  /// `score 1 …`, or `scores 1, 2 …`.
  private static func numbered(_ ids: [Int], _ singular: String, plural: String) -> String {
    let list = ids.map(String.init).joined(separator: ", ")
    return ids.count == 1 ? "score \(list) \(singular)" : "scores \(list) \(plural)"
  }

  private static func checkNoneRepeated(_ scores: [Score]) throws(Failure) {
    var seen: Set<Int> = []
    guard let twice = scores.first(where: { !seen.insert($0.id).inserted }) else { return }
    throw Failure(.usage, "score \(twice.id) appears twice", hint: "remove one of them")
  }
}

/// Scores as JSON text: a sequence of objects, an array, or a response of the service.
enum ScoreFile {
  static func scores(in source: any ByteSource) throws(Failure) -> [Score] {
    var stream = JSONStream(source)
    var scores: [Score] = []
    do throws(Failure) {
      while let json = try stream.next() {
        guard json.kind == .object, let list = json["scores"].orNull else {
          scores.append(try Score(json))
          continue
        }
        for score in try list.array { scores.append(try Score(score)) }
      }
    } catch {
      throw error.asInput
    }
    return scores
  }
}

extension ValueKind where Value == [String] {
  /// `a,b,c`
  static var words: ValueKind {
    ValueKind("LIST", expects: "words separated by commas") { text in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return words.contains("") ? nil : words
    }
  }
}
