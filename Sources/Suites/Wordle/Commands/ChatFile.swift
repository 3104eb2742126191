import Command
import Output
import System

/// Reads the share texts of a file, whose content determines the format.
enum ChatFile {
  static func read(_ source: any ByteSource, today: Int) throws(Failure) -> ChatReading {
    guard var bytes = try source.readAll(atMost: largest) else { throw tooLong("\(largest >> 20) MiB") }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    if isJSON(bytes) {
      let chat: JSONChat
      do throws(Failure) { chat = try JSONChat(MemorySource(bytes)) } catch { throw error.asInput }
      return chat.messages.isEmpty
        ? ChatReading(chat.scores, today: today) : ChatReading(chat.messages, today: today)
    }
    let header = bytes.prefix(80).filter { $0 != UInt8(ascii: "\"") }
    guard header.starts(with: csvStart) else {
      return ChatReading(try ChatFormat.messages(lines(of: bytes)), today: today)
    }
    guard header.starts(with: csvHeader) else {
      throw Failure(
        .usage, "the columns are not those of DiscordChatExporter", hint: "import the file as it was exported"
      )
    }
    return ChatReading(try csvMessages(bytes), today: today)
  }

  /// Whether a text is an object, or an array of objects. A chat can begin with `[12/03/22, 12:05] Eve: …`.
  private static func isJSON(_ text: [UInt8]) -> Bool {
    let start = Array(text.lazy.filter { $0 > 0x20 }.prefix(6))
    return ["{", "[{", "[]", "[null,", "[null]"].contains { start.starts(with: $0.utf8) }
  }

  /// The header of DiscordChatExporter's CSV, and the beginning that identifies such a file.
  private static let csvHeader = Array("AuthorID,Author,Date,Content".utf8)
  private static let csvStart = Array("AuthorID".utf8)

  private static func csvMessages(_ bytes: [UInt8]) throws(Failure) -> [ChatMessage] {
    var reader = CSVReader(MemorySource(bytes))
    var messages: [ChatMessage] = []
    var firstNames: [String: String] = [:]
    var users = ChatUsers()
    _ = try reader.next()
    while let record = try reader.next() {
      guard record.fields.count > 3 else { continue }
      let (id, name, date) = (record.fields[0], record.fields[1], record.fields[2])
      let time = ChatTime(date) ?? ChatTime(date.prefix(19)) ?? ChatTime(day: date.prefix(10))
      var message = ChatMessage(nil, time, text: record.fields[3], at: ChatPlace(.line, record.line))
      // Webhooks of a channel can have one id and different names.
      let isOther = firstNames[id, default: name] != name
      firstNames[id] = firstNames[id] ?? name
      message.account = users.add("Discord", id, signature: isOther ? name : nil, [name])
      message.isWordleApp = id == DailySummary.id ? true : nil
      messages.append(message)
    }
    users.nameSenders(of: &messages)
    return messages
  }

  private static func lines(of bytes: [UInt8]) throws(Failure) -> [Substring] {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw encodingFailure(bytes) }
    guard bytes.lazy.filter({ $0 == UInt8(ascii: "\n") }).count < mostLines else {
      throw tooLong("\(mostLines) lines")
    }
    return text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  /// Bounds for the memory of a chat.
  private static let largest = 64 << 20
  private static let mostLines = 4_000_000

  private static func tooLong(_ limit: String) -> Failure {
    Failure(
      .usage, "the chat has more than \(limit)", hint: "divide it, and import the parts one after another")
  }

  private static func encodingFailure(_ bytes: [UInt8]) -> Failure {
    let known = encodings.first { bytes.starts(with: $0.start) }
    return Failure(
      .usage, "the chat is \(known?.name ?? "not valid UTF-8")",
      hint: known.map { "convert it: \($0.command) | hw wordle import" }
        ?? "export it again, or convert it with iconv; a file that was cut may end within a character")
  }

  private static let encodings: [(start: [UInt8], name: String, command: String)] = [
    ([0xFF, 0xFE, 0, 0], "in UTF-32", "iconv -f UTF-32 -t UTF-8 FILE"),
    ([0xFF, 0xFE], "in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE"),
    ([0xFE, 0xFF], "in UTF-16", "iconv -f UTF-16 -t UTF-8 FILE"),
    (Array("PK\u{3}\u{4}".utf8), "in a ZIP archive", "unzip -p FILE '*.txt' '*.json'"),
    ([0x1F, 0x8B], "compressed by gzip", "gunzip -c FILE"),
  ]
}
