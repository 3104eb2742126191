import System

/// Where a prompt's answers come from: a terminal, or a test's list.
public protocol AnswerReader {
  /// The next line without its line feed; nil at the end. Afterwards the cursor is at the beginning of a line, unless a
  /// visible line has come to its end without one. `reshow` writes the question again, for a person who comes
  /// back from a suspension.
  func line(_ echo: Echo, reshow: () throws(Failure) -> Void) throws(Failure) -> String?
}

/// Whether what is typed can be seen.
public enum Echo: Sendable { case visible, hidden }

extension TerminalDevice: AnswerReader {
  public func line(_ echo: Echo, reshow: () throws(Failure) -> Void) throws(Failure) -> String? {
    switch echo {
    case .visible: try typedLine(reshow)
    case .hidden:
      // The line feed of the answer is not echoed, and that of a Ctrl-C was never there.
      try held(in: .hiddenLine, leave: [UInt8(ascii: "\n")]) { () throws(Failure) in try typedLine(reshow) }
    }
  }

  /// The terminal edits the line, and hands over one at a time.
  private func typedLine(_ reshow: () throws(Failure) -> Void) throws(Failure) -> String? {
    var bytes: [UInt8] = []
    while bytes.last != UInt8(ascii: "\n") {
      do throws(SystemError) {
        guard try Waiting.forInput([descriptor], atMost: nil) == [true] else {
          if TerminalDevice.takeRedrawRequest() { try? reshow() }
          continue
        }
        let more = try read(atMost: 4096)
        guard !more.isEmpty else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
        bytes += more
      } catch .interrupted {
        throw Interruption.failure
      } catch {
        throw error.failure("read", "terminal")
      }
    }
    bytes.removeLast()
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Answers prepared beforehand, for tests.
public final class PreparedAnswers: AnswerReader {
  private var answers: [String]
  /// How each of them was asked for.
  public private(set) var echoes: [Echo] = []

  public init(_ answers: [String]) {
    self.answers = answers
  }

  public func line(_ echo: Echo, reshow: () throws(Failure) -> Void) -> String? {
    echoes.append(echo)
    return answers.isEmpty ? nil : answers.removeFirst()
  }
}
