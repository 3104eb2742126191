import HTTP
import JSON
import System

struct NodesClient {
  let endpoint: Endpoint

  func ranking(_ ranking: NodeRanking, maxAge: Duration? = nil) throws(Failure) -> [Node] {
    try endpoint.get("/api/v1/lightning/nodes/rankings/\(ranking.rawValue)", maxAge: maxAge) {
      json throws(Failure) in try Node.list(json)
    }
  }

  /// Responses to an unknown key, of the current releases and of older ones.
  private static let unknownKey = [
    MeaningfulError(500, "Failed to get node"), MeaningfulError(500, "This node does not exist"),
  ]

  func node(_ key: String) throws(Failure) -> NodeDetail {
    try endpoint.get(
      "/api/v1/lightning/nodes/\(key)", meaningfulErrors: NodesClient.unknownKey,
      serviceError: { response in
        // The response is the same for an unknown key and for a database that is down. An unknown key is likelier.
        guard NodesClient.unknownKey.contains(where: { $0.matches(response.response) }) else { return nil }
        return Failure(
          .notFound, "no node has the key '\(key)'", hint: "the service lists only nodes with channels")
      }
    ) { json throws(Failure) in
      let node = try NodeDetail(json)
      guard node.publicKey.lowercased() == key.lowercased() else {
        throw Failure(.invalidData, "the response is about another node: '\(node.publicKey)'")
      }
      return node
    }
  }

  static let mostFound = 10

  /// Returns at most `mostFound` nodes whose key begins with the text, or whose alias contains it.
  func search(_ text: String, next: String? = nil) throws(Failure) -> [FoundNode] {
    try endpoint.get("/api/v1/lightning/search", ["searchText": text], next: next) { json throws(Failure) in
      var found: [FoundNode] = []
      for json in try json["nodes"].array {
        let node = try FoundNode(json)
        if !found.contains(where: { $0.publicKey == node.publicKey }) { found.append(node) }
      }
      return found
    }
  }
}
