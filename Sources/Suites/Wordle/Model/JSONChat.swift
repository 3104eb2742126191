import JSON
import System

/// A JSON export of DiscordChatExporter, Slack or Telegram, or scores.
struct JSONChat {
  private(set) var messages: [ChatMessage] = []
  private(set) var scores: [Score] = []
  private var users = ChatUsers()
  private var count = 0

  /// Reads one or more JSON texts: Slack exports a file per day, and one with the users.
  init(_ source: any ByteSource) throws(Failure) {
    var stream = JSONStream(source, concatenated: true)
    while let json = try stream.next() { try take(json) }
    users.nameSenders(of: &messages)
  }

  private mutating func take(_ json: JSON) throws(Failure) {
    if json.kind == .object, json["messages"].kind == .array {
      for message in try json["messages"].array { try takeMessage(message) }
    } else if json["chats"]["list"].kind == .array {
      for kind in ["chats", "left_chats"] where json[kind]["list"].kind == .array {
        for chat in try json[kind]["list"].array { try take(chat) }
      }
    } else if json["id"].kind == .string, json["members"].kind == .array {
      // A channel of Slack.
      return
    } else if json["scores"].kind == .array {
      for score in try json["scores"].array { try take(score: score) }
    } else if json["profile"].kind == .object, json["ts"].kind == .absent, let id = json["id"].text {
      users.add("Slack", id, JSONChat.slackNames(json["profile"], json))
    } else if json["tries"].kind == .absent,
      ["ts", "from_id", "author"].contains(where: { json[$0].kind != .absent })
    {
      try takeMessage(json)
    } else {
      try take(score: json)
    }
  }

  private mutating func take(score json: JSON) throws(Failure) {
    let score = try Score(json)
    guard score.id >= 0 else { throw Failure(.invalidData, "score \(score.id) has a number below 0") }
    scores.append(score)
  }

  private mutating func takeMessage(_ json: JSON) throws(Failure) {
    count += 1
    if json["author"].kind == .object {
      try takeDiscord(json)
    } else if json["ts"].kind != .absent {
      try takeSlack(json)
    } else if json["date"].kind == .string {
      try takeTelegram(json)
    } else {
      throw json.invalid("expected a message of Discord, Slack or Telegram")
    }
  }

  private mutating func add(_ account: String?, _ time: ChatTime?, _ text: String) {
    messages.append(ChatMessage(nil, time, text: text, at: ChatPlace(.message, count)))
    messages[messages.count - 1].account = account
  }

  private mutating func takeDiscord(_ json: JSON) throws(Failure) {
    let author = json["author"]
    let account = try discordUser(author)
    var mentioned: [String] = []
    if json["mentions"].kind == .array {
      for user in try json["mentions"].array where user["id"].text != nil {
        mentioned.append(try discordUser(user))
      }
    }
    let time = ChatTime(try json["timestamp"].string.prefix(19))
    add(account, time, try json["content"].orNull?.string ?? "")
    messages[messages.count - 1].mentioned = mentioned
    let isBot = try author["isBot"].orNull?.bool
    messages[messages.count - 1].isWordleApp =
      author["id"].text == DailySummary.id ? true : isBot == false ? false : nil
  }

  private mutating func discordUser(_ user: JSON) throws(Failure) -> String {
    let name = try user["name"].orNull?.string
    let shown = try user["nickname"].orNull?.string ?? name
    let isBot = try user["isBot"].orNull?.bool ?? false
    return users.add("Discord", try user["id"].string, signature: isBot ? shown : nil, [shown, name])
  }

  private mutating func takeSlack(_ json: JSON) throws(Failure) {
    let (bot, name) = (json["bot_id"].text, json["username"].text)
    let account = (json["user"].text ?? bot).map { id in
      users.add(
        "Slack", id, signature: bot == nil ? nil : name,
        JSONChat.slackNames(json["user_profile"], json) + [name])
    }
    let text = json["text"].text ?? ""
    add(
      account, nil,
      text.replacing("&gt;", with: ">").replacing("&lt;", with: "<").replacing("&amp;", with: "&"))
  }

  private static func slackNames(_ profile: JSON, _ user: JSON) -> [String?] {
    [
      profile["display_name"].text, profile["real_name"].text, user["real_name"].text,
      profile["name"].text, user["name"].text,
    ]
  }

  private mutating func takeTelegram(_ json: JSON) throws(Failure) {
    guard let id = json["from_id"].text ?? json["from"].text else { return }
    let account = users.add("Telegram", id, signature: json["author"].text, [json["from"].text])
    var text = ""
    if json["text"].kind == .array {
      for part in try json["text"].array {
        let words = part.kind == .string ? try part.string : try part["text"].string
        let isQuote = part["type"].text == "blockquote"
        text += isQuote ? words.split(separator: "\n").map { "\n> \($0)" }.joined() + "\n" : words
      }
    } else {
      text = try json["text"].string
    }
    add(account, ChatTime(try json["date"].string.prefix(19)), text)
    messages[messages.count - 1].isForwarded = json["forwarded_from"].kind != .absent
  }
}
