/// The names of the users of an export.
struct ChatUsers: Equatable, Sendable {
  /// The names by the ids. Users of the same name have different ones here.
  let names: [String: String]
  /// The ids of the users with a name, by its key.
  private let ids: [String: [String]]

  static let none = ChatUsers(candidates: [:])

  /// `candidates` are the names of a user, the first of which is shown. Users with the same first name are shown with their next
  /// name, or their id. Each of them is: which one came first differs between the exports of two months.
  fileprivate init(candidates: [String: [String]]) {
    let ids = Dictionary(candidates.map { (PlayerName.key($1[0]), [$0]) }, uniquingKeysWith: +)
    names = Dictionary(
      uniqueKeysWithValues: candidates.map { id, names in
        let isShared = ids[PlayerName.key(names[0]), default: []].count > 1
        return (id, isShared ? "\(names[0]) (\(names.first { $0 != names[0] } ?? id))" : names[0])
      })
    self.ids = ids
  }

  /// The user whom a text mentions by a name; `mentioned` are the ids of those whom the message mentions. Returns nil if
  /// several users have that name.
  func name(of mention: String, mentioned: [String]) -> String? {
    guard let ids = ids[PlayerName.key(mention)], ids.count > 1 else { return mention }
    let meant = ids.filter(mentioned.contains)
    return meant.count == 1 ? names[meant[0]] : nil
  }
}

/// The users of an export while it is read.
struct SenderNames {
  private var candidates: [String: [String]] = [:]

  mutating func add(_ id: String, _ names: [String?]) {
    guard candidates[id] == nil else { return }
    let names = names.compactMap { $0.flatMap(ChatMessage.name) }
    if !names.isEmpty { candidates[id] = names }
  }

  var users: ChatUsers { ChatUsers(candidates: candidates) }
}
