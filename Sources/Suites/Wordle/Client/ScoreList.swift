import JSON
import System

/// The scores of an account. Invalid scores do not make the others unreadable.
struct ScoreList<Item> {
  var valid: [Item] = []
  private(set) var invalid: [Invalid] = []

  struct Invalid {
    let id: Int?
    let reason: String
  }

  init() {}

  /// The service sends an object with a list; its documentation shows a list.
  static func elements(_ json: JSON) -> JSON { json.kind == .array ? json : json["scores"] }

  init(_ json: JSON, of read: (JSON) throws(Failure) -> Item) throws(Failure) {
    var ids: Set<Int> = []
    for item in try ScoreList.elements(json).array {
      do throws(Failure) {
        let score = try read(item)
        guard (try? item["id"].int).map({ ids.insert($0).inserted }) ?? true else {
          throw Failure(.invalidData, "a second score of this number")
        }
        valid.append(score)
      } catch {
        // Limits the time: the message of each failure searches its path from the beginning of the list.
        guard invalid.count < 1000 else { throw error }
        invalid.append(Invalid(id: try? item["id"].int, reason: error.message))
      }
    }
  }

  /// The failure of a command after it has printed the valid scores; nil if all are valid.
  var invalidScores: Failure? {
    guard !invalid.isEmpty else { return nil }
    let shown = invalid.prefix(5).map { score in score.id.map { "\($0) (\(score.reason))" } ?? score.reason }
    let rest = invalid.count > shown.count ? " and \(invalid.count - shown.count) more" : ""
    let ids = invalid.compactMap(\.id)
    return Failure(
      .invalidData,
      "the service sent \(invalid.count == 1 ? "an invalid score" : "\(invalid.count) invalid scores"): "
        + shown.joined(separator: ", ") + rest,
      hint: ids.isEmpty
        ? nil
        : ShellWord.command("hw", "wordle", "delete", ids: ids.prefix(20))
          + (ids.count < invalid.count
            ? " deletes those with an id" : ids.count == 1 ? " deletes it" : " deletes them"),
      details: [.init("invalid", .list(ids.map(String.init)))])
  }
}

extension ScoreList<Score> {
  var ids: Set<Int> { Set(valid.map(\.id) + invalid.compactMap(\.id)) }
}

extension ShellWord {
  /// A command with numbers as its last operands, after `--` if one is negative.
  fileprivate static func command(_ words: String..., ids: some Collection<Int>) -> String {
    let marker = ids.contains { $0 < 0 } ? ["--"] : []
    return "'\((words + marker + ids.map(String.init)).joined(separator: " "))'"
  }
}
