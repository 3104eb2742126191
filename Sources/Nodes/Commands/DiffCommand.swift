import Command
import Output
import System

extension Nodes {
  static let old = Operand("OLD", ValueKind<String>.file, "A snapshot: a file, a day, or 'latest'")
  static let new = Operand(
    optional: "NEW", ValueKind<String>.file, "Another; without it, the service as it is now")

  static let diff = Command(
    withStatus: "diff", "Show who joined, left, grew or shrank between two snapshots",
    discussion: """
      A day such as 2026-03-10 is the last snapshot that was kept on it, by the clock of this place, and 'latest' the \
      last of all; --by says of which ranking. Two files say themselves what they are ranked by, and must agree. \
      A file may also be a bare list of nodes as the service sends it.

      Nodes with other channels, capacity or alias have changed; when one was last heard of does not count. As with \
      diff(1), the exit status is 1 if there is a difference and 0 if there is none, whatever --where leaves.
      """,
    operands: [old, new],
    options: [by],
    output: .list(NodeChange.self, order: "by the size of the change, largest first", key: "publicKey"),
    needs: [.network, .store],
    examples: [
      Example("hw nodes snapshot && hw nodes diff latest", "nothing has changed since"),
      Example(
        "hw nodes snapshot --file a.json; hw nodes snapshot --file b.json --seed 2; hw nodes diff a.json b.json || echo $?",
        "two files, and the status 1 that says they differ"),
    ],
    failures: [.no, .notFound, .storage]
  ) { call, context throws(Failure) in
    let reader = SnapshotReader(folder: try context.snapshots, ranking: call[by], context: context)
    let old = try reader.read(try call[Nodes.old])
    let new =
      if let name = try call[Nodes.new] {
        try reader.read(name)
      } else {
        try reader.now(old.ranking ?? call[by])
      }
    if let before = old.ranking, let after = new.ranking, before != after {
      throw Failure(
        .usage, "the two are ranked differently: by \(before.rawValue) and by \(after.rawValue)",
        hint: "compare snapshots of one ranking; 'hw nodes snapshots' lists them")
    }
    let changes = NodeChange.between(old.nodes, new.nodes)
    try context.output.write(changes)
    return changes.isEmpty ? .success : .no
  }
}

/// Reads the snapshots that are named on the command line.
private struct SnapshotReader {
  let folder: SnapshotFolder
  /// The ranking of `latest` and of a day.
  let ranking: Ranking
  let context: Context

  func read(_ name: String) throws(Failure) -> Snapshot {
    if name == "latest" {
      guard let newest = try folder.entries(ranking).first else { throw none("no snapshot is kept") }
      return try load(folder.file(newest))
    }
    if let day = CalendarDay(name) {
      let kept = try folder.entries(ranking)
      guard let last = kept.first(where: { context.time.local($0.taken).day == day }) else {
        throw none("no snapshot was kept on \(day)")
      }
      return try load(folder.file(last))
    }
    return try load(name)
  }

  func now(_ ranking: Ranking) throws(Failure) -> Snapshot {
    let nodes = try NodesClient(endpoint: context.endpoint(Nodes.service)).ranking(ranking)
    return Snapshot(ranking: ranking, taken: nil, nodes: nodes)
  }

  private func load(_ file: String) throws(Failure) -> Snapshot {
    guard let bytes = try File.read(file) else {
      throw Failure(
        .storage, "there is no file '\(file)'", hint: "'hw nodes snapshots' lists what is kept")
    }
    return try Snapshot(bytes, from: file)
  }

  private func none(_ sentence: String) -> Failure {
    Failure(
      .notFound, "\(sentence) by \(ranking.rawValue)",
      hint: "take one with 'hw nodes snapshot', or see 'hw nodes snapshots'")
  }
}
