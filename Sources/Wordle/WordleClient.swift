import HTTP
import JSON
import System

/// The service's contract, as calls.
struct WordleClient {
  let endpoint: Endpoint

  /// Every score of the account, newest first.
  func scores() throws(Failure) -> [Score] {
    try endpoint.get("/scores") { json throws(Failure) in
      // It sends an object with a list; its documentation says a list.
      let list = json.kind == .array ? json : json["scores"]
      var scores: [Score] = []
      for score in try list.array { scores.append(try Score(score)) }
      return scores
    }
  }
}
