import HTTP
import JSON
import System

struct WordleClient {
  let endpoint: Endpoint

  /// All scores, or the newest ones, newest first. A service without `limit` sends more than requested.
  func scores(atMost limit: Int? = nil, next: String? = nil) throws(Failure) -> ScoreList<Score> {
    let query: URL.Query = if let limit { ["limit": "\(limit)"] } else { [:] }
    var list = try endpoint.get("/scores", query, next: next) { json throws(Failure) in
      try ScoreList(json, of: Score.init)
    }
    list.valid.sort(by: Score.isNewer)
    return list
  }

  /// Statistics of a period. `hw serve` computes them, which saves a long list; other services send their list.
  func statistics(of period: Period, today: Int) throws(Failure) -> (Statistics, invalid: Failure?) {
    try endpoint.get("/scores", period.isEverything ? ["as": "statistics"] : [:]) { json throws(Failure) in
      if let sum = json["statistics"].orNull { return (try Statistics(sum).asOf(today), nil) }
      let scores = try ScoreList(json, of: Score.init)
      let games = scores.valid.filter { period.contains($0.date) && !$0.isInitial }
        .map { (id: $0.id, result: $0.result) }
      return (Statistics(games, upTo: today + 1).asOf(today), scores.invalidScores)
    }
  }

  func latestScore() throws(Failure) -> Score {
    let list = try scores(atMost: 1)
    guard let latest = list.valid.first else {
      throw list.invalidScores ?? Failure(.notFound, "there are no scores")
    }
    return latest
  }

  func score(_ id: Int) throws(Failure) -> Score {
    do throws(Failure) {
      return try endpoint.get("/scores/\(id)") { json throws(Failure) in
        let score = try Score(json)
        guard score.id == id else {
          throw Failure(.invalidData, "the response is about another score: \(score.id)")
        }
        return score
      }
    } catch {
      guard error.kind == .notFound else { throw error }
      throw Failure(
        .notFound, "there is no score \(id)", hint: "'hw wordle scores -o table' lists the scores")
    }
  }

  /// Returns the score as the service stored it, if the response has it: the live service stores no hard mode.
  func add(_ score: Score) throws(Failure) -> Score {
    let response = try send(
      .post, "/scores", headers: ["Content-Type": "application/json"], body: Array(score.json.utf8))
    guard let stored = try? Score(JSON.parse(response.body)), stored.id == score.id else { return score }
    return stored
  }

  /// Deletes a score that the service has listed. A missing one was deleted by an attempt whose response was lost.
  func delete(_ id: Int) throws(Failure) {
    do throws(Failure) {
      try send(.delete, "/scores/\(id)")
    } catch {
      guard error.kind == .notFound, let list = try? scores(), !list.ids.contains(id) else { throw error }
    }
  }

  /// Resets the account to its initial scores. Ignores the response, which is not documented.
  func reset() throws(Failure) { try send(.delete, "/scores") }

  @discardableResult private func send(
    _ method: Method, _ path: URL.Path, headers: Headers = [:], body: [UInt8] = []
  ) throws(Failure) -> ReceivedResponse {
    let response = try endpoint.send(method, path, headers: headers, body: body)
    let request = endpoint.request(method, path)
    guard response.isSuccess else { throw response.failure(for: request) }
    let error = (try? JSON.parse(response.body))?["error"].text.map { "an error: '\($0)'" }
    let isPage = response.body.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "<")
    guard let problem = error ?? (isPage ? "an HTML page" : nil) else { return response }
    throw Failure(
      .invalidData, "'\(request.summary)' returned \(response.status) with \(problem)",
      hint: "look whether it was done: 'hw wordle scores'")
  }
}
