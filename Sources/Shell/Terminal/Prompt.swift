import System

/// Asks a person at a terminal, one question per line; the caller checks `Host.isInteractive`. Questions go to
/// standard error, so that redirected output stays clean. An answer that `read` refuses is explained, and the question
/// repeated. The end of input is a failure.
public struct Prompt {
  let answers: any AnswerReader
  let errors: any ByteSink

  public init(_ answers: any AnswerReader, errors: any ByteSink) {
    self.answers = answers
    self.errors = errors
  }

  /// Repeats the question until `read` accepts the line. An empty line selects `preset`, if there is one.
  public func ask<Answer>(
    _ question: String, preset: String? = nil, echo: Echo = .visible,
    read: (String) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let text = "\(question.terminalSafe)\(preset.map { " [\($0.terminalSafe)]" } ?? ""): "
    while true {
      let line = try answers.line(echo) { () throws(Failure) in try errors.write(text) }
      guard let line else {
        if echo == .visible { try errors.write("\n") }
        throw Failure(.usage, "'\(question)' was not answered")
      }
      do throws(Failure) {
        return try read(line.isEmpty ? preset ?? "" : line)
      } catch {
        guard error.kind != .interrupted else { throw error }
        try errors.write("  \(error.message)\n")
      }
    }
  }

  /// Asks for yes or no; an empty line and the end of input are no.
  public func confirm(_ question: String) throws(Failure) -> Bool {
    let text = "\(question.terminalSafe) [y/N] "
    while true {
      let line = try answers.line(.visible) { () throws(Failure) in try errors.write(text) }
      switch line?.lowercased() {
      case nil:
        try errors.write("\n")
        return false
      case "", "n", "no": return false
      case "y", "yes": return true
      default: try errors.write("  answer 'y' or 'n'\n")
      }
    }
  }

  /// Asks for one of the choices, by number or prefix, or for another value. Styled `labels` are shown unchanged.
  public func choose<Choice>(
    _ question: String, from choices: [(name: String, value: Choice)], labels: [String]? = nil,
    or other: (expected: String, read: (String) -> Choice?)? = nil
  ) throws(Failure) -> Choice {
    let names = choices.map(\.name)
    for (index, label) in (labels ?? names.map(\.terminalSafe)).enumerated() {
      try errors.write("  \(index + 1)  \(label)\n")
    }
    return try ask(question) { answer throws(Failure) -> Choice in
      if let value = other?.read(answer) { return value }
      return choices[try Prompt.choice(answer, of: names, or: other?.expected)].value
    }
  }

  static func choice(_ answer: String, of names: [String], or other: String? = nil) throws(Failure) -> Int {
    if let number = Int(answer), number > 0, number <= names.count { return number - 1 }
    let typed = answer.lowercased()
    let lowered = names.map { $0.lowercased() }
    if let exact = lowered.firstIndex(of: typed) { return exact }
    let matches = typed.isEmpty ? [] : names.indices.filter { lowered[$0].hasPrefix(typed) }
    guard matches.count == 1, let match = matches.first else {
      throw Failure(
        .usage,
        matches.isEmpty
          ? "answer with a number from 1 to \(names.count), \(other.map { "a name, or \($0)" } ?? "or a name")"
          : "'\(answer.terminalSafe)' may be \(matches.map { "'\(names[$0].terminalSafe)'" }.joined(separator: " or "))"
      )
    }
    return match
  }
}

/// Source of a prompt's answers: a terminal, or a list in a test.
public protocol AnswerReader {
  /// Writes the question with `ask`, and again after a suspension. Returns the next line without its line feed; nil
  /// at the end. Afterwards the cursor is at the beginning of a line, unless the input ended within a visible line.
  func line(_ echo: Echo, ask: () throws(Failure) -> Void) throws(Failure) -> String?
}

public enum Echo: Sendable { case visible, hidden }

extension TerminalDevice: AnswerReader {
  public func line(_ echo: Echo, ask: () throws(Failure) -> Void) throws(Failure) -> String? {
    switch echo {
    case .visible: try held(in: .line) { () throws(Failure) in try typedLine(ask) }
    case .hidden:
      // The line feed of the answer is not echoed, nor does Ctrl-C write one.
      try held(in: .hiddenLine, leave: [UInt8(ascii: "\n")]) { () throws(Failure) in try typedLine(ask) }
    }
  }

  /// Reads a line, which the terminal edits until Enter is pressed.
  private func typedLine(_ ask: () throws(Failure) -> Void) throws(Failure) -> String? {
    try ask()
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      do throws(SystemError) {
        guard try Waiting.forInput([descriptor], atMost: nil) == [true] else {
          if TerminalDevice.takeRedrawRequest() { try? ask() }
          continue
        }
        let more = try read(atMost: 4096)
        guard !more.isEmpty else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
        bytes += more
      } catch {
        throw error.failure("read", "terminal")
      }
    }
    bytes.removeLast()
    return String(decoding: bytes, as: UTF8.self)
  }
}
