import HTTP
import JSON
import System
import Terminal

/// A result of a search.
struct FoundNode {
  var publicKey: String
  var alias: String?
  var channels: Int?
  var capacity: Satoshis?
}

extension FoundNode {
  init(_ json: JSON) throws(Failure) {
    publicKey = try json["public_key"].nodeKey
    alias = try json["alias"].orNull?.string
    channels = try json["channels"].orNull?.countOrText
    capacity = try json["capacity"].orNull.map { value throws(Failure) in Satoshis(try value.countOrText) }
  }

  /// For a hint: key, alias, channels, capacity.
  fileprivate var line: String {
    let facts = [channels.map { "\($0) channels" }, capacity.map(\.roundedBitcoin)].compactMap { $0 }
    return "\(publicKey)  \((alias ?? "").terminalSafe)"
      + (facts.isEmpty ? "" : "  (\(facts.joined(separator: ", ")))")
  }
}

/// A node as a user names it: by its key, the beginning of its key, or its alias.
struct NodeName {
  let text: String
  private let folded: String

  /// Shorter texts are aliases, even if they are hexadecimal.
  static let shortestPrefix = 8
  static let keyLength = 66

  /// Fails (`usage`) if the text is empty without the spaces around it.
  init(_ text: String) throws(Failure) {
    self.text = text.trimmed
    folded = self.text.lowercased()
    guard !folded.isEmpty else { throw Failure(.usage, "the name of the node is empty") }
  }

  /// The text as a whole key, or nil.
  var key: String? { isHexadecimal && folded.utf8.count == NodeName.keyLength ? folded : nil }

  private var isHexadecimal: Bool {
    folded.utf8.allSatisfy(\.isLowercaseHexDigit)
  }

  /// The only result whose key begins with this name. If no key does, the only one whose alias is this name by case or,
  /// if there is none, ignoring case. Fails with the candidates if there are several, or may be because the service
  /// lists no more results (`conflict`), or with similar names if there is none (`notFound`).
  func match(among found: [FoundNode]) throws(Failure) -> FoundNode {
    var matches: [FoundNode] = []
    if folded.utf8.count >= NodeName.shortestPrefix {
      matches = found.filter { $0.publicKey.lowercased().hasPrefix(folded) }
    }
    if matches.isEmpty { matches = found.filter { $0.alias == text } }
    if matches.isEmpty { matches = found.filter { $0.alias?.trimmed == text } }
    if matches.isEmpty { matches = found.filter { $0.alias?.trimmed.lowercased() == folded } }
    let isComplete = found.count < NodesClient.mostFound
    if matches.count == 1, isComplete { return matches[0] }
    guard matches.isEmpty else {
      let count =
        isComplete ? "\(matches.count) nodes" : "\(matches.count) of the first \(found.count) results"
      throw Failure(
        .conflict, "'\(text)' matches \(count)",
        hint: "use a key:\n\(NodeName.lines(matches))",
        details: [.init("candidates", .list(matches.map(\.publicKey)))])
    }
    let similar = found.filter(isSimilar)
    throw Failure(
      .notFound, "there is no node '\(text)'\(isComplete ? "" : " in the first \(found.count) results")",
      hint: hint(similar, among: found),
      details: similar.isEmpty ? [] : [.init("candidates", .list(similar.map(\.publicKey)))])
  }

  private func isSimilar(_ node: FoundNode) -> Bool {
    if folded.utf8.count >= 4, node.publicKey.lowercased().hasPrefix(folded) { return true }
    return node.alias.flatMap { Suggestion.nearest(to: text, among: [$0.trimmed]) } != nil
  }

  private func hint(_ similar: [FoundNode], among found: [FoundNode]) -> String {
    if !similar.isEmpty { return "did you mean:\n\(NodeName.lines(similar))" }
    guard found.isEmpty else {
      return "'hw nodes search \(ShellWord(text).quoted)' lists the names that contain it"
    }
    return "give an alias, a key, or the first \(NodeName.shortestPrefix) digits of one or more"
  }

  private static func lines(_ nodes: [FoundNode]) -> String {
    nodes.map(\.line).joined(separator: "\n")
  }
}

extension NodesClient {
  /// The errors that mean an unknown key: that of today's releases and that of older ones.
  static let unknownKey = [
    MeaningfulError(500, "Failed to get node"), MeaningfulError(500, "This node does not exist"),
  ]

  /// The node with this key, beginning of a key, or alias.
  func find(_ text: String) throws(Failure) -> NodeDetail {
    let name = try NodeName(text)
    if let key = name.key { return try node(key) }
    let path = endpoint.base.appending(path: "/api/v1/lightning/nodes/KEY").path
    let found = try search(name.text, next: "GET \(path) of the node")
    let match = try name.match(among: found)
    do throws(Failure) {
      return try node(match.publicKey)
    } catch {
      // It names the key, which the user has not typed.
      throw error.kind == .interrupted ? error : error.prefixing("node '\(name.text)'")
    }
  }
}
