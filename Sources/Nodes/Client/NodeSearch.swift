import JSON
import System
import Terminal

/// A node as a search finds it.
struct FoundNode {
  var publicKey: String
  var alias: String
}

extension FoundNode {
  init(_ json: JSON) throws(Failure) {
    publicKey = try json["public_key"].string
    alias = try json["alias"].orNull?.string ?? ""
  }
}

/// What a person calls a node by: its key, the beginning of its key, or its alias.
struct NodeName {
  let text: String
  private let folded: String

  /// A beginning is the key's from this many digits on: short words of six letters are aliases.
  static let shortestPrefix = 8
  static let keyLength = 66

  /// Fails (`usage`) where nothing is left without the blanks around it.
  init(_ text: String) throws(Failure) {
    self.text = text.trimmed
    folded = self.text.lowercased()
    guard !folded.isEmpty else { throw Failure(.usage, "an empty text names no node") }
  }

  /// The whole key, where it is one.
  var key: String? { isHexadecimal && folded.utf8.count == NodeName.keyLength ? folded : nil }

  private var isHexadecimal: Bool {
    folded.utf8.allSatisfy(\.isLowercaseHexDigit)
  }

  /// Of what a search found, the one that is meant: whose key begins with the name, or whose alias it is. A key goes
  /// before an alias.
  func choice(of found: [FoundNode]) throws(Failure) -> FoundNode {
    var matches: [FoundNode] = []
    if isHexadecimal, folded.utf8.count >= NodeName.shortestPrefix {
      matches = found.filter { $0.publicKey.lowercased().hasPrefix(folded) }
    }
    if matches.isEmpty { matches = found.filter { $0.alias.trimmed.lowercased() == folded } }
    if matches.count == 1 { return matches[0] }
    guard matches.isEmpty else {
      throw Failure(
        .conflict, "'\(text)' names \(matches.count) nodes",
        hint: "say which by its key:\n\(NodeName.lines(matches))",
        details: [.init("candidates", .list(matches.map(\.publicKey)))])
    }
    throw Failure(
      .notFound, "no node is called '\(text)'",
      hint: found.isEmpty
        ? "give an alias, a key, or the first \(NodeName.shortestPrefix) digits of one or more"
        : "nearest:\n\(NodeName.lines(found))",
      details: found.isEmpty ? [] : [.init("candidates", .list(found.map(\.publicKey)))])
  }

  private static func lines(_ nodes: [FoundNode]) -> String {
    nodes.map { "\($0.publicKey)  \($0.alias.terminalSafe)" }.joined(separator: "\n")
  }
}

extension NodesClient {
  /// The node that a person means by the text.
  func find(_ text: String) throws(Failure) -> NodeDetail {
    let name = try NodeName(text)
    if let key = name.key { return try node(key) }
    return try node(name.choice(of: search(name.text)).publicKey)
  }
}
