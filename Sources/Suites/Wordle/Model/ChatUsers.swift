/// The users of a chat whose format has ids, by account: program and id.
struct ChatUsers: Equatable, Sendable {
  private var allNames: [String: [String]] = [:]
  /// The names that are shown. Users with equal names have different ones here.
  private(set) var names: [String: String] = [:]
  /// Accounts by the key of the name.
  private var accounts: [String: [String]] = [:]

  /// Adds names in the order of preference, the id last, and returns the account. Webhooks have a `signature` per
  /// message.
  @discardableResult
  mutating func add(_ program: String, _ id: String, signature: String? = nil, _ names: [String?]) -> String {
    let account = "\(program) \(id)" + (signature.map { " \($0)" } ?? "")
    // A mention may have only the id, which is the last name: names that are found later replace it.
    if allNames[account, default: []].count < 2 {
      allNames[account] = ([signature] + names).compactMap { $0.flatMap(ChatMessage.name) } + [id]
    }
    return account
  }

  /// Names the senders of all messages. Users with equal names are all shown with the next name that none of the others
  /// has: which of them comes first differs between the exports of two months.
  func nameSenders(of messages: inout [ChatMessage]) {
    var users = self
    // The number of users with a first name who also have a certain other name, by the keys of both.
    var counts: [[String]: Int] = [:]
    for names in allNames.values {
      for key in Set(names.map(PlayerName.key)) { counts[[PlayerName.key(names[0]), key], default: 0] += 1 }
    }
    users.names = allNames.mapValues { names in
      let shown =
        names.first { counts[[PlayerName.key(names[0]), PlayerName.key($0)]] == 1 } ?? names.last ?? ""
      return shown == names[0] ? shown : "\(names[0]) (\(shown))"
    }
    users.accounts = Dictionary(allNames.map { (PlayerName.key($1[0]), [$0]) }, uniquingKeysWith: +)
    for index in messages.indices {
      messages[index].users = users
      messages[index].author = messages[index].account.flatMap { users.names[$0] }.flatMap(ChatMessage.name)
    }
  }

  func contains(_ name: String) -> Bool { accounts[PlayerName.key(name)] != nil }

  /// Resolves a mention; `mentioned` are the accounts in the message. Returns nil if several users have the name.
  func name(of mention: String, mentioned: [String]) -> String? {
    guard let accounts = accounts[PlayerName.key(mention)], accounts.count > 1 else { return mention }
    let meant = accounts.filter(mentioned.contains)
    return meant.count == 1 ? names[meant[0]] : nil
  }
}
