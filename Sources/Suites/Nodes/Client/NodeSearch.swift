import HTTP
import JSON
import System

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

  fileprivate var line: String {
    let facts = [channels.map { "\($0) channels" }, capacity.map { "\($0.rounded) BTC" }].compactMap { $0 }
    return "\(publicKey)  \((alias ?? "").terminalSafe)"
      + (facts.isEmpty ? "" : "  (\(facts.joined(separator: ", ")))")
  }
}

/// The NODE of a command line: a key, the beginning of a key, or an alias.
struct NodeName {
  let text: String
  /// The text with the blanks around it. Aliases can differ in these only.
  private let typed: String
  private let folded: String

  /// Shorter texts are aliases, even if they are hexadecimal.
  static let shortestPrefix = 8
  static let keyLength = 66

  /// Fails (`usage`) if the text is blank.
  init(_ text: String) throws(Failure) {
    typed = text
    self.text = text.trimmed
    folded = self.text.lowercased()
    guard !folded.isEmpty else { throw Failure(.usage, "the name of the node is empty") }
  }

  /// The complete key; nil if the text is only a part of a key, or an alias.
  var key: String? { isHexadecimal && folded.utf8.count == NodeName.keyLength ? folded : nil }

  private var isHexadecimal: Bool { folded.utf8.allSatisfy(\.isLowercaseHexDigit) }

  /// Returns the only result whose key begins with this name or, without such a key, whose alias equals it. An alias in
  /// the same case takes precedence. Fails (`conflict`) with the candidates if several match, or if the service may
  /// have more results than it lists, and (`notFound`) with similar names if none matches.
  func match(among found: [FoundNode]) throws(Failure) -> FoundNode {
    var matches: [FoundNode] = []
    if folded.utf8.count >= NodeName.shortestPrefix {
      matches = found.filter { $0.publicKey.lowercased().hasPrefix(folded) }
    }
    if matches.isEmpty, typed != text { matches = found.filter { $0.alias == typed } }
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
    guard let alias = node.alias?.trimmed, !alias.isEmpty else { return false }
    return Suggestion.nearest(to: text, among: [alias]) != nil
  }

  private func hint(_ similar: [FoundNode], among found: [FoundNode]) -> String {
    if !similar.isEmpty { return "did you mean:\n\(NodeName.lines(similar))" }
    guard found.isEmpty else {
      return "'hw nodes search \(ShellWord(text).quoted)' lists the names that contain it"
    }
    return "give an alias, a key, or the first \(NodeName.shortestPrefix) digits of one or more"
  }

  private static func lines(_ nodes: [FoundNode]) -> String { nodes.map(\.line).joined(separator: "\n") }
}

extension NodesClient {
  func find(_ text: String) throws(Failure) -> NodeDetail {
    let name = try NodeName(text)
    if let key = name.key { return try node(key) }
    let path = endpoint.base.appending(path: "/api/v1/lightning/nodes/KEY").path
    let found = try search(name.text, next: "GET \(path) of the node")
    let match = try name.match(among: found)
    do throws(Failure) {
      return try node(match.publicKey)
    } catch {
      // The failure names the key, which the user did not type.
      throw error.kind == .interrupted ? error : error.prefixing("node '\(name.text)'")
    }
  }
}
