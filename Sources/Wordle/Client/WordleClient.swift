import HTTP
import JSON
import System

/// The API of the service as calls.
struct WordleClient {
  let endpoint: Endpoint

  /// The newest scores, or all, newest first. A service without `limit` may send more than requested.
  func scores(atMost limit: Int? = nil) throws(Failure) -> [Score] {
    let query: URL.Query = if let limit { ["limit": "\(limit)"] } else { [:] }
    let scores = try endpoint.get("/scores", query) { json throws(Failure) in
      try WordleClient.list(json, of: Score.init)
    }
    let isInOrder = zip(scores, scores.dropFirst()).allSatisfy { !Score.isNewer($1, $0) }
    return isInOrder ? scores : scores.sorted(by: Score.isNewer)
  }

  func games(in period: Period = Period()) throws(Failure) -> [PlayedGame] {
    try endpoint.get("/scores") { json throws(Failure) in try WordleClient.games(json, in: period) }
  }

  /// Statistics of the games of a period. Our own service computes them, which saves a long list; any other sends its
  /// list for the same request.
  func statistics(of period: Period) throws(Failure) -> Statistics {
    try endpoint.get("/scores", period.isEverything ? ["as": "statistics"] : [:]) { json throws(Failure) in
      if let sum = json["statistics"].orNull { return try Statistics(sum) }
      return Statistics(try WordleClient.games(json, in: period).map { (id: $0.id, result: $0.result) })
    }
  }

  private static func games(_ json: JSON, in period: Period) throws(Failure) -> [PlayedGame] {
    try list(json, of: PlayedGame.init).filter { period.contains($0.date) }
  }

  private static func list<Item>(
    _ json: JSON, of read: (JSON) throws(Failure) -> Item
  ) throws(Failure) -> [Item] {
    // The service sends an object with a list; its documentation says a list.
    let list = json.kind == .array ? json : json["scores"]
    var items: [Item] = []
    for item in try list.array { items.append(try read(item)) }
    return items
  }

  func score(_ id: Int) throws(Failure) -> Score {
    do throws(Failure) {
      return try endpoint.get("/scores/\(id)") { json throws(Failure) in try Score(json) }
    } catch {
      guard error.kind == .notFound else { throw error }
      throw Failure(.notFound, "no score \(id)", hint: "'hw wordle scores --list' shows what is there")
    }
  }

  func add(_ score: Score) throws(Failure) {
    try send(.post, "/scores", headers: ["Content-Type": "application/json"], body: Array(score.json.utf8))
  }

  func delete(_ id: Int) throws(Failure) {
    try send(.delete, "/scores/\(id)")
  }

  /// Resets the account to its initial scores. The response is not documented, so it is ignored.
  func reset() throws(Failure) {
    try send(.delete, "/scores")
  }

  private func send(
    _ method: Method, _ path: URL.Path, headers: Headers = [:], body: [UInt8] = []
  ) throws(Failure) {
    let response = try endpoint.send(method, path, headers: headers, body: body)
    guard !response.isSuccess else { return }
    throw response.failure(for: endpoint.request(method, path))
  }
}
