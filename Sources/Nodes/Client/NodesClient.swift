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

  /// One node, by its whole key.
  func node(_ key: String) throws(Failure) -> NodeDetail {
    try endpoint.get(
      "/api/v1/lightning/nodes/\(key)",
      refusal: { response in
        // It has one answer for a key that nobody has and for a database that is down: the first is likelier.
        guard response.status == 500, response.text.contains("Failed to get node") else { return nil }
        return Failure(
          .notFound, "no node has the key '\(key)'", hint: "a node without channels is forgotten")
      }
    ) { json throws(Failure) in try NodeDetail(json) }
  }

  /// Nodes whose key begins with the text, or whose alias holds it: at most ten.
  func search(_ text: String) throws(Failure) -> [FoundNode] {
    try endpoint.get("/api/v1/lightning/search", ["searchText": text]) { json throws(Failure) in
      var found: [FoundNode] = []
      for node in try json["nodes"].array { found.append(try FoundNode(node)) }
      return found
    }
  }
}
