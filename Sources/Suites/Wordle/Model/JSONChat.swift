import JSON
import System

/// A JSON export of DiscordChatExporter, Slack or Telegram, or scores.
struct JSONChat {
  private(set) var messages: [ChatMessage] = []
  private(set) var scores: [Score] = []
  private var names = SenderNames()
  private var count = 0
  private var senders: [String?] = []

  /// Reads one or more JSON texts: Slack exports a file per day, and one with the users.
  init(_ source: any ByteSource) throws(Failure) {
    var stream = JSONStream(source, concatenated: true)
    do throws(Failure) {
      while let json = try stream.next() { try take(json) }
    } catch {
      throw error.kind == .invalidData ? Failure(.usage, error.message, hint: error.hint) : error
    }
    let users = names.users
    for index in messages.indices {
      messages[index].users = users
      if let id = senders[index] { messages[index].author = ChatMessage.name(users.names[id] ?? id) }
    }
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
      for score in try json["scores"].array { scores.append(try Score(score)) }
    } else if json["profile"].kind == .object, json["ts"].kind == .absent, let id = json["id"].text {
      names.add(id, JSONChat.slackNames(json["profile"], json))
    } else if json["tries"].kind == .absent,
      ["ts", "from_id", "author"].contains(where: { json[$0].kind != .absent })
    {
      try takeMessage(json)
    } else {
      scores.append(try Score(json))
    }
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

  private mutating func add(
    _ sender: String?, _ time: ChatTime?, _ text: String, isForwarded: Bool = false, mentioned: [String] = []
  ) {
    senders.append(sender)
    messages.append(
      ChatMessage(nil, time, text: text, at: ChatPlace(.message, count), isForwarded: isForwarded))
    messages[messages.count - 1].mentioned = mentioned
  }

  private mutating func takeDiscord(_ json: JSON) throws(Failure) {
    let author = json["author"]
    let id = try author["id"].string
    names.add(id, [try author["nickname"].orNull?.string, try author["name"].orNull?.string])
    var mentioned: [String] = []
    if json["mentions"].kind == .array {
      for user in try json["mentions"].array {
        guard let id = user["id"].text else { continue }
        names.add(id, [user["nickname"].text, user["name"].text])
        mentioned.append(id)
      }
    }
    let day = CalendarDay(String(try json["timestamp"].string.prefix(10)))
    add(id, day.map { ChatTime($0) }, try json["content"].orNull?.string ?? "", mentioned: mentioned)
  }

  private mutating func takeSlack(_ json: JSON) throws(Failure) {
    let id = json["user"].text ?? json["bot_id"].text
    if let id {
      names.add(id, JSONChat.slackNames(json["user_profile"], json) + [json["username"].text])
    }
    let text = json["text"].text ?? ""
    add(id, nil, text.replacing("&gt;", with: ">").replacing("&lt;", with: "<").replacing("&amp;", with: "&"))
  }

  private static func slackNames(_ profile: JSON, _ user: JSON) -> [String?] {
    [
      profile["display_name"].text, profile["real_name"].text, user["real_name"].text,
      profile["name"].text, user["name"].text,
    ]
  }

  private mutating func takeTelegram(_ json: JSON) throws(Failure) {
    guard let id = json["from_id"].text ?? json["from"].text else { return }
    names.add(id, [json["from"].text])
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
    let day = CalendarDay(String(try json["date"].string.prefix(10)))
    add(id, day.map { ChatTime($0) }, text, isForwarded: json["forwarded_from"].kind != .absent)
  }
}
