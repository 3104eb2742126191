import Command
import HTTP
import JSON
import Output
import System
import Terminal

extension Wordle {
  static let source = Operand(
    optional: "FILE", ValueKind<String>.file,
    "Scores as JSON: an object, JSON lines or an array; '-' is standard input"
  )
  static let newID = Option("id", ValueKind<Int>.count(0 ... .max), "Wordle's number of the game")
  static let newDate = Option("date", ValueKind<CalendarDay>.day, "The day of the game")
  static let newWord = Option("word", ValueKind<String>.text("WORD"), "The word to be found")
  static let newTries = Option(
    "tries", ValueKind<[String]>.words, "The words that were tried, in order, comma-separated")
  static let hard = Option("hard", "The game was played in hard mode")
  static let replace = Option("replace", "Put it in place of a score of that number")
  static let force = Option(
    "force", "Do what is refused otherwise",
    details:
      "Sends what breaks Wordle's rules as well. A day has to be one in any case, and our own service refuses words of different lengths."
  )

  static let add = Command(
    "add", "Add scores",
    discussion: """
      One score from the options, or any number as JSON, as --json writes them. Words are taken in lower case; the tries \
      are 1 to 6, as long as the word, and none comes after the word was found. All of them are checked before the \
      first is sent. A number that is there already is a conflict, and then nothing is changed, unless --replace says \
      otherwise. In the account on this machine all are added in one transaction; any other service gets one request \
      for each.
      """,
    usage: ["--id N --date DAY --word WORD --tries LIST", "FILE | -"],
    operands: [source],
    options: [newID, newDate, newWord, newTries, hard, replace, force, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self),
    needs: [.network, .writes],
    examples: [
      Example(
        "hw wordle add --id 261 --date 2022-03-07 --word watch --tries stair,patch,watch",
        "a game in three tries"),
      Example(
        "echo '{\"id\":261,\"date\":\"2022-03-07\",\"word\":\"watch\",\"tries\":[\"watch\"]}' | hw wordle add -",
        "the same as JSON"),
      Example(
        "hw wordle add --id 262 --date 2022-03-08 --word sweet --tries sweet", "a number that is taken",
        exits: 4),
    ],
    failures: [.conflict]
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
        .conflict, "there is a score \(clashes.map(String.init).joined(separator: ", ")) already",
        hint: "'--replace' puts the new one in its place")
    }
    guard !call[Confirmation.dryRun] else { return try context.output.write(scores) }
    if let backend = try localBackend(client, call, context) {
      for score in scores { try checkedShape(score) }
      try backend.add(scores, token: client.token, replacing: call[replace])
      return try context.output.write(scores)
    }
    try apply(to: scores, "added", context) { score throws(Failure) in
      if invalid.contains(score.id) { try client.delete(score.id) }
      guard let old = known[score.id] else { return try client.add(score) }
      try exchange(old, for: score, client, context)
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
      failure.message += "; the old score \(old.id) was put back"
    } catch {
      // The request may have succeeded and only its response been lost: then the score is there.
      switch try? client.score(old.id) {
      case score: return
      case old: failure.message += "; the old score \(old.id) is still there"
      default:
        failure.message += "; the old score \(old.id) is deleted and cannot be put back: \(error.message)"
        failure.hint = "add it again with: printf '%s\\n' \(ShellWord(old.json).quoted) | hw wordle add -"
        failure.details.append(.init("lost", .text(old.json)))
        // Nothing else is printed about an interruption.
        if failure.kind == .interrupted {
          context.messages.report(failure.message)
          if let hint = failure.hint { context.messages.report(hint) }
        }
      }
    }
    throw failure
  }

  static let idsToDelete = Operand(
    rest: "ID", ValueKind<Int>.anyScoreID.completed(with: scoreIDs),
    "Wordle's number of a game, or several; '--' stands before one below zero")

  static let delete = Command(
    "delete", "Delete scores",
    discussion: """
      Shows what it deleted, so that '--json' output can be added again. When one of the numbers is not there, nothing is \
      deleted. On a terminal it asks before. An invalid score, which cannot be shown, is reported on standard error.
      """,
    usage: ["ID..."],
    operands: [idsToDelete],
    options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw wordle delete 262 263 --yes", "two of them"),
      Example("hw wordle delete 1", "one that is not there", exits: 3),
    ],
    failures: [.notFound, .no]
  ) { call, context throws(Failure) in
    let ids = try call[idsToDelete]
    guard !ids.isEmpty else { throw Failure(.usage, "missing operand ID") }
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
        .notFound, "no score \(missing.map(String.init).joined(separator: ", "))",
        hint: "nothing was deleted; 'hw wordle scores --list' shows what is there")
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
      if !isDryRun { try client.delete(id) }
      context.messages.report("\(isDryRun ? "would delete" : "deleted") the invalid score \(id)")
    }
    guard !isDryRun else { return try context.output.write(scores) }
    try apply(to: scores, "deleted", context) { score throws(Failure) in try client.delete(score.id) }
  }

  static let reset = Command(
    "reset", "Put the account back to its three initial scores",
    discussion: """
      Deletes every score and restores those an account begins with, which it shows. On a terminal it asks before; \
      elsewhere it wants --yes. With --dry-run it shows the scores that would be lost.
      """,
    options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Score.self),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw wordle reset --yes", "without asking"),
      Example("hw wordle reset --dry-run --json >scores.json", "a copy of what would be lost"),
      Example("hw wordle reset </dev/null", "nobody can be asked", exits: 2),
    ],
    failures: [.no]
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
    _ = try context.response { () throws(Failure) in try client.reset() }
    let list = try client.scores()
    try context.output.write(list.valid)
    if let failure = list.invalidScores { throw failure }
  }

  /// Applies `change` to each score and prints those that succeeded, also if one fails. The failure then contains
  /// their
  /// number.
  private static func apply(
    to scores: [Score], _ done: String, _ context: Context, _ change: (Score) throws(Failure) -> Void
  ) throws(Failure) {
    var finished = 0
    do throws(Failure) {
      for score in scores {
        if try context.response({ () throws(Failure) in try change(score) }) != nil { finished += 1 }
      }
    } catch {
      if finished > 0 { try context.output.write(scores.prefix(finished)) }
      guard scores.count > 1 else { throw error }
      var failure = error
      failure.message += " (\(finished) of \(scores.count) \(done))"
      failure.details.append(.init(done, .integer(finished)))
      throw failure
    }
    try context.output.write(scores)
  }

  private static func scoresToAdd(_ call: Invocation, _ context: Context) throws(Failure) -> [Score] {
    let options: [any Declared] = [newID, newDate, newWord, newTries]
    let typed = options.filter(call.isGiven) + (call[hard] ? [hard] : [])
    let file = try call[source]
    guard typed.isEmpty || file == nil else {
      throw Failure(.usage, "a score is given by options or by FILE, not by both")
    }
    if let id = call[newID], let date = call[newDate], let word = call[newWord], let tries = call[newTries] {
      return [Score(id: id, date: date, word: word, tries: tries, isHard: call[hard])]
    }
    guard typed.isEmpty, file != nil || context.host.hasPipedInput else {
      let missing = options.filter { !call.isGiven($0) }.map { "--\($0.declaration.name)" }
      throw Failure(
        .usage, "missing \(missing.joined(separator: ", "))",
        hint: "or give scores as JSON: 'hw wordle add FILE'")
    }
    let scores = try ScoreFile.scores(in: context.open(file))
    guard !scores.isEmpty else {
      throw Failure(.usage, "'\(file ?? "-")' holds no score", hint: "give options, or scores as JSON")
    }
    return scores
  }

  private static func checkNoneRepeated(_ scores: [Score]) throws(Failure) {
    var seen: Set<Int> = []
    guard let twice = scores.first(where: { !seen.insert($0.id).inserted }) else { return }
    throw Failure(.usage, "score \(twice.id) is given twice", hint: "keep one of the two")
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
    ValueKind("LIST", wants: "words with a comma between two", show: { $0.joined(separator: ",") }) { text in
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return words.contains("") ? nil : words
    }
  }
}
