import Command
import HTTP
import System

extension Toolbox {
  static let suiteNames = WordSource { context, _ in
    context.program.servedSuites.map { Choice($0.name, $0.summary) }
  }
  static let checkSuites = Operand(
    rest: "SUITE", ValueKind<String>.text("SUITE", .words(suiteNames)),
    "The suite to check; the default is all")
  static let checkSelf = Option("self", "Check the configuration, directories, libraries, databases")
  static let checkReport = Option(
    "report", ValueKind<TestReport>.choice, "Write a report for a test tool",
    details: """
      It takes precedence over --output. 'github' appends its table to the file that GITHUB_STEP_SUMMARY names, if \
      it is set.
      """)

  static let checkRate = Option(
    "rate", .count(1...100_000), setting: .suites, "Send at most N requests per minute",
    details: "Applies to suites whose commands have this option.")

  static let check = Command(
    "check", "Check the API contracts of the services",
    discussion: """
      Sends requests of each suite and reads the responses as its commands do: status, content type, and each field \
      that hw uses. Each check prints a line: 'ok', 'warn' (another content type), 'FAIL' with the path of the \
      error, 'down' (no connection, or rate limited), or 'skip' (a key is required). Nothing is changed at a \
      service, and no cached response is used.

      The exit status is the first that applies: 1 if a check fails, 5 if a service cannot be reached, 8 if one is \
      rate limited, 7 if all checks were skipped, else 0. If each failed check is a refused key or token, it is 7. \
      --demo, HW_URL and HW_NODES_URL change the addresses; 'hw check bikes --url gbfs:URL' checks the files of a \
      feed.
      """,
    operands: [checkSuites],
    options: [checkSelf, checkReport, checkRate],
    exclusions: [Exclusion(checkSelf, from: checkSuites, checkRate)],
    output: .rows(CheckRow.self, text: "One line per check, and one per problem."),
    needs: [.network, .invalidSettings],
    examples: [
      Example("hw check --demo", "check the built-in backends"),
      Example("hw check nodes --report junit >report.xml", "check one service in CI"),
      Example("hw check nodes --report github", "annotate a run of GitHub Actions"),
      Example("hw check --demo --report tap", "check the backends, as TAP"),
      Example("hw check --self", "check the installation"),
    ],
    failures: [.no]
  ) { call, context throws(Failure) -> ExitStatus in
    var known: Set<String> = []
    let names = try call[checkSuites].filter { known.insert($0).inserted }
    var report = CheckReport(call[checkReport], context)
    if call[checkSelf] {
      for outcome in SelfChecks(context: context).outcomes { try report.add(outcome) }
    } else {
      try ServiceChecks(names, context).run { outcome throws(Failure) in try report.add(outcome) }
    }
    if context.isExplaining { throw .explained }
    try report.finish()
    return try report.status()
  }
}
