import Command
import HTTP
import Output
import System
import Terminal

enum TestReport: String, ChoiceValue {
  case tap
  case junit
  case github

  var meaning: String {
    switch self {
    case .tap: "TAP version 13, for 'prove' and similar tools"
    case .junit: "JUnit's XML, for CI servers"
    case .github: "annotations of GitHub Actions, and a table in the job summary"
    }
  }
}

struct CheckRow: Row {
  let outcome: CheckOutcome

  static let fields: Fields<CheckRow> = [
    .choice("result", "Result", "the result of the check", \.outcome.status),
    .text("suite", "Suite", "the suite of the service; 'hw' with --self") { $0.outcome.suite },
    .text("check", "Check", "the request") { $0.outcome.title },
    .list("findings", "Findings", "violations of the contract, with the path in the response") {
      $0.outcome.findings
    },
    .text("detail", "Detail", "the request and its status, or what was found") { $0.outcome.detail },
    .integer("milliseconds", "ms", "the time until the response") { $0.outcome.milliseconds },
  ]

  static let text: (@Sendable (CheckRow, Screen?) -> String)? = { row, screen in
    let outcome = row.outcome
    let word = outcome.status.rawValue
    let padding = String(repeating: " ", count: 4 - word.count)
    let style: Style =
      switch outcome.status {
      case .ok: .green
      case .warn, .down: .yellow
      case .fail: .red
      case .skip: .dim
      }
    var line = "\(padding)  \(outcome.suite): \(outcome.title)"
    if outcome.findings.isEmpty, outcome.suite == "hw", !outcome.detail.isEmpty {
      line += ": \(outcome.detail)"
    }
    let lines = [line] + outcome.findings.map { "      \($0)" }
    let result = screen?.color == true ? style.applied(to: word) : word
    return result + lines.map(\.terminalSafe).joined(separator: "\n")
  }
}

struct CheckReport {
  private let report: TestReport?
  let output: Output
  private let environment: Environment
  private var outcomes: [CheckOutcome] = []

  init(_ report: TestReport?, _ context: Context) {
    self.report = report
    output = context.output
    environment = context.environment
  }

  mutating func add(_ outcome: CheckOutcome) throws(Failure) {
    outcomes.append(outcome)
    // Formats with a header or a column width wait for the last outcome.
    if isLineByLine { try output.write([CheckRow(outcome: outcome)]) }
  }

  private var isLineByLine: Bool { report == nil && output.printsText(of: CheckRow.self) }

  func finish() throws(Failure) {
    switch report {
    case .tap: try output.outlet.write(TestAnythingProtocol.text(outcomes))
    case .junit: try output.outlet.write(JUnitReport.text(outcomes))
    case .github:
      try output.outlet.write(GitHubReport.annotations(outcomes))
      guard let file = environment["GITHUB_STEP_SUMMARY"], !file.isEmpty else { return }
      try DisposableFile.append(Array(GitHubReport.table(outcomes).utf8), to: file)
    case nil:
      if isLineByLine { return }
      try output.write(outcomes.map(CheckRow.init))
    }
  }

  /// A failed check has precedence over a service without a response, because it will not go away by itself. A refused
  /// key is the failure of the command if nothing else failed.
  func status() throws(Failure) -> ExitStatus {
    let failed = outcomes.filter { $0.status == .fail }
    if let refusal = failed.first?.failure, failed.allSatisfy({ $0.failure?.kind == .unauthorized }) {
      throw refusal
    }
    guard failed.isEmpty else { return .no }
    let limited = outcomes.filter { $0.failure?.kind == .rateLimited }
    var down: [String] = []
    for outcome in outcomes where outcome.status == .down && !down.contains(outcome.suite) {
      if !limited.contains(where: { $0.suite == outcome.suite }) { down.append(outcome.suite) }
    }
    if !outcomes.isEmpty, outcomes.allSatisfy({ $0.status == .skip }) {
      throw Failure(.unauthorized, "every check was skipped", hint: outcomes.first?.findings.first)
    }
    guard !down.isEmpty else {
      if let failure = limited.first?.failure { throw failure }
      return .success
    }
    var failure = Failure(
      .connection, "no response from \(down.joined(separator: ", "))",
      hint: "see 'hw config list --origin' for the addresses, or try later", retryable: true)
    if let subkind = outcomes.lazy.compactMap(\.failure?.subkind).first { failure = failure.with(subkind) }
    throw failure
  }
}

/// TAP version 13, which every TAP reader supports. Findings are comments, because support for YAML blocks differs.
enum TestAnythingProtocol {
  static func text(_ outcomes: [CheckOutcome]) -> String {
    var lines = ["TAP version 13", "1..\(outcomes.count)"]
    for (index, outcome) in outcomes.enumerated() {
      let isGood = outcome.status == .ok || outcome.status == .warn || outcome.status == .skip
      // An unescaped number sign begins a directive.
      let title = "\(outcome.suite): \(outcome.title)".replacing("#", with: "\\#")
      let line = "\(isGood ? "ok" : "not ok") \(index + 1) - \(title)"
      let findings = outcome.findings.map { $0.split(separator: "\n").joined(separator: " ").terminalSafe }
      if outcome.status == .skip {
        lines.append("\(line) # SKIP \(findings.prefix(1).joined(separator: ""))")
      } else {
        lines.append(line)
        lines += findings.map { "# \(isGood ? "warning: " : "")\($0)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

enum JUnitReport {
  static func text(_ outcomes: [CheckOutcome]) -> String {
    var lines = ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites name=\"hw check\">"]
    var suites: [String] = []
    for outcome in outcomes where !suites.contains(outcome.suite) { suites.append(outcome.suite) }
    for suite in suites {
      let own = outcomes.filter { $0.suite == suite }
      let failures = own.count { $0.status == .fail }
      let errors = own.count { $0.status == .down }
      let skipped = own.count { $0.status == .skip }
      let time = seconds(own.reduce(0) { $0 + $1.milliseconds })
      lines.append(
        "  <testsuite name=\"\(suite)\" tests=\"\(own.count)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\" time=\"\(time)\">"
      )
      lines += own.flatMap(testCase)
      lines.append("  </testsuite>")
    }
    return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func testCase(_ outcome: CheckOutcome) -> [String] {
    let start =
      "    <testcase classname=\"hw.\(outcome.suite)\" name=\"\(escaped(outcome.title))\" time=\"\(seconds(outcome.milliseconds))\""
    let text = escaped(outcome.findings.joined(separator: "\n"))
    let first = escaped(outcome.findings.prefix(1).joined(separator: ""))
    let inside: String? =
      switch outcome.status {
      case .ok: nil
      case .skip: "<skipped message=\"\(first)\"/>"
      case .warn: "<system-out>\(text)</system-out>"
      case .fail: "<failure message=\"\(first)\">\(text)</failure>"
      case .down: "<error message=\"\(first)\">\(text)</error>"
      }
    return inside.map { [start + ">", "      \($0)", "    </testcase>"] } ?? [start + "/>"]
  }

  private static func seconds(_ milliseconds: Int) -> String {
    "\(milliseconds / 1000).\(String(milliseconds % 1000).zeroPadded(to: 3))"
  }

  /// Removes control characters, most of which XML 1.0 cannot represent.
  private static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).terminalSafe }
      .joined(separator: "\n").markupEscaped
  }
}

/// Workflow commands of GitHub Actions, and Markdown for the summary of a job.
enum GitHubReport {
  /// Writes a line for each check: a command if it failed or has warnings.
  static func annotations(_ outcomes: [CheckOutcome]) -> String {
    outcomes.map { outcome in
      let title = "hw \(outcome.suite): \(outcome.title)"
      let findings = escaped(outcome.findings.joined(separator: "\n"))
      let property = escaped(title).replacing(":", with: "%3A").replacing(",", with: "%2C")
      return switch outcome.status {
      case .ok, .skip: "\(outcome.status.rawValue): \(escaped(title))\n"
      case .warn: "::warning title=\(property)::\(findings)\n"
      case .fail, .down: "::error title=\(property)::\(findings)\n"
      }
    }.joined()
  }

  static func table(_ outcomes: [CheckOutcome]) throws(Failure) -> String {
    var settings = Output.Settings()
    settings.format = .markdown
    settings.fields = "result,suite,check,findings"
    let sink = MemorySink()
    let output = Output(settings, Outlet(sink))
    try output.write(outcomes.map(CheckRow.init))
    try output.outlet.flush()
    return "### hw check\n\n\(sink.text)\n"
  }

  /// Encodes line breaks, which would end the command.
  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { String($0).terminalSafe }.joined(separator: "%0A")
  }
}
