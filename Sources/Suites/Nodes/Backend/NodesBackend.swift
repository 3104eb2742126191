import HTTP
import JSON
import Server
import System

/// The service's API with a hundred sample nodes. It stores nothing: the seed determines all responses.
final class NodesBackend {
  private let seed: UInt64
  private lazy var nodes = SampleNode.samples(seed: seed)
  /// Responses that were made before. They never change.
  private var rankings: [NodeRanking: Response] = [:]
  private var details: [String: Response] = [:]

  init(_ settings: BackendSettings) {
    seed = settings.seed
  }

  var backend: Backend {
    Backend(
      "nodes", errors: NodesBackend.errors,
      routes: [
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
          NodesBackend.response { writer in self.write(found: call.query["searchText"] ?? "", to: &writer) }
        },
      ])
  }

  private func ranked(by ranking: NodeRanking) -> Response {
    if let known = rankings[ranking] { return known }
    let response = NodesBackend.response { writer in
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
      return NodesBackend.error(500, "Failed to get node")
    }
    let response = NodesBackend.response { node.writeDetail(to: &$0) }
    details[key] = response
    return response
  }

  /// At most ten nodes whose key begins with the text or whose alias contains it.
  private func write(found text: String, to writer: inout JSONWriter) {
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

  /// The service reports every error as an object with one message.
  private static let errors = ErrorStyle { status, failure in error(status, failure.message) }

  private static func error(_ status: Int, _ message: String) -> Response {
    response(status) { writer in
      writer.object { writer in
        writer.member("error", message)
      }
    }
  }

  private static func response(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(status, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
