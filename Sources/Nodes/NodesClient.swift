import HTTP
import JSON
import System

/// The service's contract, as calls.
struct NodesClient {
  let endpoint: Endpoint

  /// The best nodes, at most 100.
  func ranking(_ ranking: Ranking) throws(Failure) -> [Node] {
    try endpoint.get("/api/v1/lightning/nodes/rankings/\(ranking.rawValue)") { json throws(Failure) in
      try Node.list(json)
    }
  }
}
