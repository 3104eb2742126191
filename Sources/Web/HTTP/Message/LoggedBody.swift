import System

/// The body of a message for the log: one line, the beginning alone, without secrets.
enum LoggedBody {
  /// Longer bodies are cut, in characters.
  static let limit = 1000
  /// How many bytes are looked at.
  private static let scanned = 16 << 10

  /// Returns a line for the log; nil for an empty body.
  static func line(_ body: [UInt8], hiding secrets: SentSecrets) -> String? {
    guard !body.isEmpty else { return nil }
    let start = Array(body.prefix(scanned))
    guard !start.contains(0) else {
      return body.count == 1 ? "(1 byte that is not text)" : "(\(body.count) bytes that are not text)"
    }
    let sent = String(decoding: start, as: UTF8.self)
    let text = isForm(sent) ? Secrets.shown(query: sent) : withoutSecretMembers(sent)
    let line = secrets.masked(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard line.count > limit || body.count > scanned else { return line }
    return "\(line.prefix(limit))… (\(body.count) bytes)"
  }

  private static func isForm(_ text: String) -> Bool {
    text.contains("=") && !text.contains { $0.isWhitespace || "{[<".contains($0) }
  }

  /// JSON with the mask in place of the value of each member with a secret name. The text may end anywhere.
  private static func withoutSecretMembers(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var at = 0
    while at < bytes.count {
      guard bytes[at] == UInt8(ascii: "\"") else {
        shown.append(bytes[at])
        at += 1
        continue
      }
      let end = endOfString(bytes, from: at)
      shown += bytes[at..<end]
      let name = String(decoding: bytes[at..<end].dropFirst().dropLast(), as: UTF8.self)
      at = end
      guard let value = startOfValue(bytes, after: end), name.contains("\\") || Secrets.isSecret(name) else {
        continue
      }
      let last = endOfValue(bytes, from: value)
      // A list or an object has members of its own.
      guard last > value else { continue }
      shown += bytes[end..<value] + Array("\"\(Secrets.mask)\"".utf8)
      at = last
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Behind the closing quote, or the end of the text.
  private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
    var at = start + 1
    while at < bytes.count, bytes[at] != UInt8(ascii: "\"") { at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return min(at + 1, bytes.count)
  }

  /// Finds the beginning of the value, if the string before is the name of a member.
  private static func startOfValue(_ bytes: [UInt8], after end: Int) -> Int? {
    var at = end
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { return nil }
    at += 1
    while at < bytes.count, bytes[at] <= 0x20 { at += 1 }
    return at < bytes.count ? at : nil
  }

  /// The end of a string, number or word; the start itself for a list or an object.
  private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
    if bytes[start] == UInt8(ascii: "\"") { return endOfString(bytes, from: start) }
    guard !"[{".utf8.contains(bytes[start]) else { return start }
    var at = start
    while at < bytes.count, bytes[at] > 0x20, !",}]".utf8.contains(bytes[at]) { at += 1 }
    return at
  }
}
