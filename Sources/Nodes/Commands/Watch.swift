import Command
import Output
import System
import Terminal

/// A ranking that is asked for again and again.
struct Watch {
  let every: Duration
  let context: Context
  /// Asks for the rows as they are now.
  let ask: () throws(Failure) -> [RankedNode]

  /// Goes on until it is interrupted. The first answer must come; when a later one does not, the last good one stays,
  /// and what happened is said.
  func run() throws(Failure) {
    var rows = try ask()
    var isFirst = true
    var changes: [RankedNode]? = rows
    while true {
      if let changed = changes { try show(rows, changed, isFirst: isFirst) }
      isFirst = false
      try context.output.outlet.flush()
      try context.time.sleep(for: every)
      changes = nil
      do throws(Failure) {
        let now = try ask()
        changes = Watch.changes(from: rows, to: now)
        rows = now
      } catch {
        guard error.passes else { throw error }
        context.messages.report(
          "\(error.message); this is still the last answer, next try in \(every.components.seconds) s")
      }
    }
  }

  private func show(_ rows: [RankedNode], _ changed: [RankedNode], isFirst: Bool) throws(Failure) {
    switch try context.output.format(for: RankedNode.self) {
    case .jsonl: try context.output.write(changed)
    case .table:
      if !isFirst { try context.output.outlet.write("\n") }
      try context.output.write(rows)
    default: try context.output.write(rows)
    }
  }

  /// Rows that are new or other than they were, then those that are gone, without a rank.
  static func changes(from old: [RankedNode], to new: [RankedNode]) -> [RankedNode] {
    let before = Dictionary(old.map { ($0.node.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.node.publicKey))
    let changed = new.filter { row in before[row.node.publicKey].map { !$0.isSame(as: row) } ?? true }
    let gone = old.filter { !after.contains($0.node.publicKey) }
    return changed + gone.map { RankedNode(rank: nil, node: $0.node, view: $0.view) }
  }
}

extension RankedNode {
  /// Whether a reader of the rows would see no difference.
  fileprivate func isSame(as other: RankedNode) -> Bool {
    rank == other.rank && node.alias == other.node.alias && node.channels == other.node.channels
      && node.capacity == other.node.capacity && node.updatedAt == other.node.updatedAt
      && node.firstSeen == other.node.firstSeen
  }
}

extension Failure {
  /// It may be over by the next time: the others, such as a wrong key, will not.
  var passes: Bool {
    switch kind {
    case .connection, .invalidData, .rateLimited: true
    default: false
    }
  }
}
