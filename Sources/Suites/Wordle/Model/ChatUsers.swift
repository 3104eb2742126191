struct ChatUsers: Equatable, Sendable {
  /// Names by id. Users with equal names have different ones here.
  let names: [String: String]
  /// Ids by the key of the name.
  private let ids: [String: [String]]

  static let none = ChatUsers(candidates: [:])

  /// The first candidate of a user is shown. Users with equal names are all shown with their next name or their id:
  /// which of them comes first differs between the exports of two months.
  fileprivate init(candidates: [String: [String]]) {
    let ids = Dictionary(candidates.map { (PlayerName.key($1[0]), [$0]) }, uniquingKeysWith: +)
    names = Dictionary(
      uniqueKeysWithValues: candidates.map { id, names in
        let isShared = ids[PlayerName.key(names[0]), default: []].count > 1
        return (id, isShared ? "\(names[0]) (\(names.first { $0 != names[0] } ?? id))" : names[0])
      })
    self.ids = ids
  }

  /// Resolves a mention; `mentioned` are the ids in the message. Returns nil if several users have the name.
  func name(of mention: String, mentioned: [String]) -> String? {
    guard let ids = ids[PlayerName.key(mention)], ids.count > 1 else { return mention }
    let meant = ids.filter(mentioned.contains)
    return meant.count == 1 ? names[meant[0]] : nil
  }
}

struct SenderNames {
  private var candidates: [String: [String]] = [:]

  mutating func add(_ id: String, _ names: [String?]) {
    guard candidates[id] == nil else { return }
    let names = names.compactMap { $0.flatMap(ChatMessage.name) }
    if !names.isEmpty { candidates[id] = names }
  }

  var users: ChatUsers { ChatUsers(candidates: candidates) }
}
