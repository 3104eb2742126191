import System
import Terminal

/// A person at a prompt who gives these answers and then leaves.
public final class PreparedAnswers: AnswerReader {
  private var answers: [String]
  /// The echo of each question, in order.
  public private(set) var echoes: [Echo] = []

  public init(_ answers: [String]) { self.answers = answers }

  public func line(_ echo: Echo, ask: () throws(Failure) -> Void) throws(Failure) -> String? {
    try ask()
    echoes.append(echo)
    return answers.isEmpty ? nil : answers.removeFirst()
  }
}
