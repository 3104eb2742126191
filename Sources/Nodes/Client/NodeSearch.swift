import JSON
import System
import Terminal

/// A result of a search.
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
    guard !folded.isEmpty else { throw Failure(.usage, "an empty text names no node") }
  }

  /// The text as a whole key, or nil.
  var key: String? { isHexadecimal && folded.utf8.count == NodeName.keyLength ? folded : nil }

  private var isHexadecimal: Bool {
    folded.utf8.allSatisfy(\.isLowercaseHexDigit)
  }

  /// The only result whose key begins with this name or, if no key does, whose alias is this name. Fails with the
  /// candidates if there are several (`conflict`) or none (`notFound`).
  func match(among found: [FoundNode]) throws(Failure) -> FoundNode {
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
  /// The node with this key, beginning of a key, or alias.
  func find(_ text: String) throws(Failure) -> NodeDetail {
    let name = try NodeName(text)
    if let key = name.key { return try node(key) }
    return try node(name.match(among: search(name.text)).publicKey)
  }
}
