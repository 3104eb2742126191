import Command
import HTTP
import Output
import System

extension Toolbox {
  static let suiteNames = WordSource("suites", "the suites that have a service") { context, _ in
    context.program.services.map { Choice($0.name, $0.summary) }
  }
  static let checkSuites = Operand(
    rest: "SUITE", ValueKind<String>.text("SUITE", .words(suiteNames)), "A suite; without one, all")
  static let checkSelf = Option(
    "self", "Check this installation instead: terminal, folders, libraries, store")
  static let checkReport = Option(
    "report", ValueKind<TestReport>.choice, "Write the report of a test tool",
    details: "It goes before --output.")
  static let checkWithin = Option(
    "within", ValueKind<Duration>.seconds, "Repeat until all checks pass, at most for SECONDS",
    details: "Every second; what is printed is the last round.")
  static let checkMaxTime = Option(
    "max-time", ValueKind<Duration>.seconds, setting: true, "Warn of an answer that takes longer than SECONDS"
  )

  // The options of suites that say how a service is requested.
  static let checkKeyFile = Option(
    "key-file", ValueKind<String>.file, "Read the key from FILE; '-' is standard input",
    details:
      "With the suite alone whose key it is. Without it the key is where the commands of the suite find it.")
  static let checkTokenFile = Option(
    "token-file", ValueKind<String>.file, "Read the access token from FILE; '-' is standard input",
    details: "As --key-file, for suites that want a token.")
  static let checkRate = Option(
    "rate", .count(1...100_000), setting: true, "Send at most N requests per minute",
    details: "For suites that have such an option themselves.")

  static let check = Command(
    withStatus: "check", "Hold the services against their contracts",
    discussion: """
      Asks each service for what the suite reads, and holds the answer against the contract: status, type, shape, and \
      the type of every field. Each check is a line: 'ok'; 'warn' for what does no harm, such as a field that is not \
      in the contract or a slow answer; 'FAIL' with the path of what is wrong; 'down' where nobody answers; 'skip' where \
      a service requires a key and there is none. Nothing is \
      changed at a service, and no copy stands in for an answer.

      The suites are asked at the same time, each within its limit. The exit status is 1 when a check fails, else 5 \
      when a service cannot be reached, 7 when every check was skipped, else 0: a warning is no failure. A service is where the commands of its suite \
      would find it, so --demo, HW_URL and HW_NODES_URL choose another.
      """,
    operands: [checkSuites],
    options: [checkSelf, checkReport, checkWithin, checkMaxTime, checkKeyFile, checkTokenFile, checkRate],
    output: .rows(CheckRow.self, text: "A line a check, and one for each thing that is not as promised."),
    needs: [.network],
    examples: [
      Example("hw check --demo", "every contract, against the backends in the process"),
      Example("hw check nodes --report junit >report.xml", "one service, for a CI server"),
      Example("hw serve -- hw check --report tap", "the same over a socket"),
      Example("hw check --self", "is everything here that hw needs"),
      Example("hw serve --demo -- hw check nodes --within 10", "for a server that is being started"),
      Example("hw check wordle --url http://127.0.0.1:1 --retries 0", "where nobody answers", exits: 5),
    ],
    failures: [.no, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let names = try call[checkSuites]
    guard !call[checkSelf] || names.isEmpty else {
      throw Failure(.usage, "'--self' does not go with a suite")
    }
    var report = CheckReport(call[checkReport], context)
    if call[checkSelf] {
      for outcome in try SelfChecks(context: context).outcomes() { try report.add(outcome) }
    } else {
      for file in [checkKeyFile, checkTokenFile] where call.isGiven(file) {
        try checkCredentialFile(file.declaration.name, names, context.program)
      }
      let checks = try ServiceChecks(names, context, maxTime: call[checkMaxTime])
      if let limit = call[checkWithin], !context.isExplaining {
        for outcome in try checks.outcomes(within: limit) { try report.add(outcome) }
      } else {
        try checks.run { outcome throws(Failure) in try report.add(outcome) }
      }
    }
    if context.isExplaining { throw .explained }
    try report.finish()
    return try report.status()
  }

  /// A secret is sent only to the service that it belongs to.
  private static func checkCredentialFile(
    _ option: String, _ names: [String], _ program: Program
  ) throws(Failure) {
    let isToken = option == Service.tokenFile.declaration.name
    let takers = program.services
      .filter { isToken || $0.service?.credential?.file.declaration.name == option }.map(\.name)
    guard names.count == 1, let name = names.first, takers.contains(name) else {
      throw Failure(
        .usage, "'--\(option)' wants the one suite that it is for",
        hint: "suites with a --\(option): \(takers.joined(separator: ", "))")
    }
  }
}
