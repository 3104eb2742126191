import HTTP
import JSON
import Server
import System

/// The service's contract, answered with a hundred invented nodes. There is nothing to be kept: a seed is enough.
final class NodesBackend {
  private let nodes: [InventedNode]
  /// The answers there have been: they never change.
  private var rankings: [Ranking: Response] = [:]
  private var singles: [String: Response] = [:]

  init(_ settings: BackendSettings) {
    nodes = InventedNode.hundred(seed: settings.seed)
  }

  var backend: Backend {
    Backend(
      "nodes", errors: NodesBackend.errors,
      routes: [
        Route(.get, "/api/v1/lightning/nodes/rankings/:ranking") { call throws(Failure) in
          guard let ranking = Ranking(rawValue: call["ranking"]) else {
            throw Failure(.notFound, "no such ranking")
          }
          return self.ranked(by: ranking)
        },
        Route(.get, "/api/v1/lightning/nodes/:key") { call in
          self.single(call["key"])
        },
        Route(.get, "/api/v1/lightning/search") { call in
          NodesBackend.answer { writer in self.write(found: call.query["searchText"] ?? "", to: &writer) }
        },
      ])
  }

  private func ranked(by ranking: Ranking) -> Response {
    if let known = rankings[ranking] { return known }
    let answer = NodesBackend.answer { writer in
      writer.array { writer in
        for node in nodes.sorted(by: ranking.precedes) { node.writeRanked(to: &writer) }
      }
    }
    rankings[ranking] = answer
    return answer
  }

  private func single(_ key: String) -> Response {
    if let known = singles[key] { return known }
    // What the service says of a key it does not know.
    guard let node = nodes.first(where: { $0.publicKey == key }) else {
      return NodesBackend.refusal(500, "Failed to get node")
    }
    let answer = NodesBackend.answer { node.writeAlone(to: &$0) }
    singles[key] = answer
    return answer
  }

  /// At most ten whose key or alias begins with the text.
  private func write(found text: String, to writer: inout JSONWriter) {
    let wanted = text.lowercased()
    let found = nodes.filter { node in
      !wanted.isEmpty && (node.publicKey.hasPrefix(wanted) || node.alias.lowercased().contains(wanted))
    }
    writer.object { writer in
      writer.array("nodes") { writer in
        for node in found.prefix(10) { node.writeFound(to: &writer) }
      }
      writer.array("channels") { _ in }
    }
  }

  /// The service says of everything that goes wrong inside what it was about to do.
  private static let errors = ErrorStyle { status, failure in refusal(status, failure.message) }

  private static func refusal(_ status: Int, _ message: String) -> Response {
    answer(status) { writer in
      writer.object { writer in
        writer.member("error", message)
      }
    }
  }

  private static func answer(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    var writer = JSONWriter()
    write(&writer)
    return Response(status, headers: ["Content-Type": "application/json"], body: writer.bytes)
  }
}
