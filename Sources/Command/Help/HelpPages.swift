import Output
import System

extension Page {
  /// What `--fields help` prints.
  static func fields(of command: Command) -> String {
    let columns = command.output.columns
    guard !columns.isEmpty else { return "the fields are those of the input\n" }
    var lines: [String] = []
    let width = columns.map(\.path.count).max() ?? 0
    for column in columns {
      let padding = String(repeating: " ", count: width - column.path.count)
      lines.append("\(column.path)\(padding)  \(column.meaning)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page that `hw help WORDS…` asks for: the program, a topic, a suite, or a command.
  public static func find(
    _ words: [String], in program: Program, plugIns: [String] = []
  ) throws(Failure) -> Page {
    guard let first = words.first else { return .program(program, plugIns: plugIns) }
    guard words.count > 1 else {
      if let topic = Topic.all(program).first(where: { $0.name == first }) { return topic.page(in: program) }
      if let suite = program.suite(named: first) { return .suite(suite, in: program) }
      if let tool = program.tools.commands.first(where: { $0.name == first }) {
        return .command(tool, suite: nil, in: program)
      }
      let known =
        program.suiteNames + program.tools.commands.map(\.name) + Topic.all(program).map(\.name)
      throw unknown(first, known + plugIns)
    }
    return .command(try program.command(words), suite: first, in: program)
  }

  private static func unknown(_ name: String, _ known: [String]) -> Failure {
    Failure(
      .usage, "there is no help about '\(name)'",
      hint: Suggestion.phrase(for: name, among: known)
        ?? "help is there about: \(known.joined(separator: ", "))")
  }
}

extension Program {
  /// Whether there is a page about it: a suite, a command or a topic.
  public func knows(_ name: String) -> Bool { (try? Page.find([name], in: self)) != nil }
}
