import HTTP
import JSON
import System

/// The service's contract, as calls.
struct WordleClient {
  let endpoint: Endpoint

  /// Every score of the account, newest first.
  func scores() throws(Failure) -> [Score] {
    let scores = try endpoint.get("/scores") { json throws(Failure) in
      // It sends an object with a list; its documentation says a list.
      let list = json.kind == .array ? json : json["scores"]
      var scores: [Score] = []
      for score in try list.array { scores.append(try Score(score)) }
      return scores
    }
    let isInOrder = zip(scores, scores.dropFirst()).allSatisfy { !Score.isNewer($1, $0) }
    return isInOrder ? scores : scores.sorted(by: Score.isNewer)
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
    var writer = JSONWriter()
    score.write(to: &writer)
    try send(.post, "/scores", headers: ["Content-Type": "application/json"], body: writer.bytes)
  }

  func delete(_ id: Int) throws(Failure) {
    try send(.delete, "/scores/\(id)")
  }

  /// Puts the account back to its initial scores. What the service answers is not documented: ask again for them.
  func reset() throws(Failure) {
    try send(.delete, "/scores")
  }

  private func send(
    _ method: Method, _ path: URL.Path, headers: Headers = [:], body: [UInt8] = []
  ) throws(Failure) {
    let response = try endpoint.send(method, path, headers: headers, body: body)
    guard !response.isSuccess else { return }
    throw response.failure(answering: endpoint.request(method, path))
  }
}
