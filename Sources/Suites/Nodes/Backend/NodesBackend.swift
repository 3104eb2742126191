import HTTP
import JSON
import Server
import System

/// The API of mempool.space with a hundred sample nodes. The backend stores nothing: the seed determines all responses.
final class NodesBackend: Backend {
  let suite = "nodes"
  private let seed: UInt64
  private lazy var nodes = SampleNode.samples(seed: seed)
  /// Responses that were made before. They never change.
  private var rankings: [NodeRanking: Response] = [:]
  private var details: [String: Response] = [:]

  init(_ settings: BackendSettings) { seed = settings.seed }

  var routes: [Route] {
    [
      Route(.get, "/api/v1/lightning/nodes/rankings/:ranking") { call throws(Failure) in
        guard let ranking = NodeRanking(rawValue: call["ranking"]) else {
          throw Failure(.notFound, "no such ranking")
        }
        return self.ranked(by: ranking)
      },
      Route(.get, "/api/v1/lightning/nodes/:key") { call in
        self.detail(call["key"])
      },
      Route(.get, "/api/v1/lightning/search") { call in
        .json { writer in self.writeSearch(for: call.query["searchText"] ?? "", to: &writer) }
      },
    ]
  }

  private func ranked(by ranking: NodeRanking) -> Response {
    if let known = rankings[ranking] { return known }
    let response = Response.json { writer in
      writer.array { writer in
        for node in nodes.sorted(by: ranking.precedes) { node.writeRanked(to: &writer) }
      }
    }
    rankings[ranking] = response
    return response
  }

  private func detail(_ key: String) -> Response {
    if let known = details[key] { return known }
    // The service has this response for an unknown key.
    guard let node = nodes.first(where: { $0.publicKey == key }) else {
      return .jsonError(500, "Failed to get node")
    }
    let response = Response.json { node.writeDetail(to: &$0) }
    details[key] = response
    return response
  }

  /// At most ten nodes whose key begins with the text or whose alias contains it.
  private func writeSearch(for text: String, to writer: inout JSONWriter) {
    let wanted = text.lowercased()
    let found = nodes.filter { node in
      !wanted.isEmpty && (node.publicKey.hasPrefix(wanted) || node.alias.lowercased().contains(wanted))
    }
    writer.object { writer in
      writer.array("nodes") { writer in
        for node in found.prefix(10) { node.writeSearchResult(to: &writer) }
      }
      writer.array("channels") { _ in }
    }
  }
}
