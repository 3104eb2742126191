import Command
import Output
import System

extension Nodes {
  private static let countries = WordSource(of: service) {
    endpoint throws(Failure) in
    var seen: Set<String> = []
    return try NodesClient(endpoint: endpoint).ranking(.connectivity).compactMap { node in
      guard let code = node.isoCode, seen.insert(code).inserted else { return nil }
      return Choice(code, node.country?[.english] ?? "")
    }
  }
  static let country = Option(
    "country", ValueKind<String>.countryCode.completed(with: countries), "List nodes of one country",
    details: "A country without nodes is an empty list.")
  static let top = Command(
    "top", "List the top nodes of a ranking",
    discussion: """
      The service ranks at most 100 nodes. --country, --where and --sort apply to these.

      Tables show BTC and local time, other formats satoshis and unix seconds. CSV and TSV contain place names in \
      one language, JSON in all. 'country=' and 'city=' match any language; --sort, < and > compare the English \
      name.
      """,
    options: [by, network, country, language, human, Service.tokenFile],
    output: .list(
      RankedNode.self, order: "by rank", key: "publicKey",
      watch: .init(atLeast: .seconds(10), because: "the service caches its responses for ten seconds")
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nodes top --limit 5", "the five nodes with the most channels"),
      Example("hw nodes top --by liquidity --country DE --lang de", "the largest nodes in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the total capacity"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service), network: call[network])
    let view = NodeView(call, context)
    let ranking = try client.ranking(call[by])
    let rows = ranking.enumerated()
      .map { RankedNode(rank: $0.offset + 1, node: $0.element, view: view) }
      .filter { row in call[country].map { $0 == row.node.isoCode?.uppercased() } ?? true }
    try context.output.write(rows)
  }
}

extension ValueKind where Value == String {
  /// Two letters of ISO 3166, in upper case.
  fileprivate static var countryCode: ValueKind {
    ValueKind("CODE", expects: "the two letters of a country, such as DE") { text in
      text.utf8.count == 2 && text.utf8.allSatisfy { $0.isASCIIAlphanumeric && !$0.isASCIIDigit }
        ? text.uppercased() : nil
    }
  }
}
