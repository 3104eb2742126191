import Command
import HTTP
import JSON
import System

extension Nodes {
  static var checks: [Check] {
    let rankings = NodeRanking.allCases.map { ranking in
      Check(
        "the ranking by \(ranking.rawValue)", "/api/v1/lightning/nodes/rankings/\(ranking.rawValue)"
      ) { json throws(Failure) in
        let nodes = try Node.list(json)
        guard nodes.count <= 100 else {
          throw json.invalid("expected at most 100 nodes, found \(nodes.count)")
        }
      }
    }
    return rankings + [
      Check(
        "a node by its key", after: rankings[0],
        explained: "/api/v1/lightning/nodes/KEY of the first node",
        { json throws(Failure) in
          try Array(json.array).first.map { node throws(Failure) in
            "/api/v1/lightning/nodes/\(try node["publicKey"].string)"
          }
        },
        read: { json throws(Failure) in _ = try NodeDetail(json) }),
      Check(
        "an unknown key", "/api/v1/lightning/nodes/\(String(repeating: "0", count: 66))", status: 500
      ) { json throws(Failure) in _ = try json["error"].string },
      Check("a search", "/api/v1/lightning/search", ["searchText": "a"]) { json throws(Failure) in
        for node in try json["nodes"].array { _ = try FoundNode(node) }
      },
    ]
  }
}
