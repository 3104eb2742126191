import HTTP
import System

extension Context {
  /// Adds the typed options about the service to the commands in the hint, which would use other data without them.
  func withTypedOptions(_ failure: Failure) -> Failure {
    var failure = failure
    if let hint = unauthorizedHint(failure) { failure.hint = hint }
    if [.notFound, .conflict].contains(failure.kind), usesChangeableDemo {
      let demo = "each command has its own data of 'demo:'; 'hw serve --demo -- sh' keeps changes"
      failure.hint = failure.hint.map { "\($0)\n\(demo)" } ?? demo
    }
    guard let suite = call.suite, let hint = failure.hint, !typedSource.isEmpty else { return failure }
    let local = program.suite(named: suite)?.commands.filter { !$0.needs.contains(.network) } ?? []
    failure.hint = Context.inserting(
      typedSource, into: hint, after: "\(program.name) \(suite) ", except: local.map(\.name))
    return failure
  }

  /// Whether the command uses sample data that other commands of its suite seem to change.
  private var usesChangeableDemo: Bool {
    guard let suite = call.suite.flatMap({ program.suite(named: $0) }), let service = suite.service,
      call.command.needs.contains(.network), suite.commands.contains(where: { $0.needs.contains(.writes) })
    else { return false }
    return (try? address(of: service))?.description == "demo:"
  }

  /// Hint to set another token for a server that refused it; nil for a live service with a key, which has its own hint.
  private func unauthorizedHint(_ failure: Failure) -> String? {
    guard failure.kind == .unauthorized, case .response(let status, _) = failure.cause,
      let service = call.suite.flatMap({ program.suite(named: $0)?.service }),
      let address = try? address(of: service), address.scheme.hasHost,
      address != (try? URL(service.live)) || service.credential?.setting == Service.token,
      status == 401 || failure.hint != nil
    else { return nil }
    return "set \(service.tokenVariable), or --\(Service.tokenFile.declaration.name), "
      + "to a token that \(status == 401 ? "this server accepts" : "allows this")"
  }

  /// Options of the command line that select the service and the account.
  private var typedSource: String {
    let url = StandardOptions.url
    var words: [String] = []
    if call.isGiven(url), let address = call[url], !address.contains("?") {
      words += address == "demo:" ? ["--demo"] : ["--url", address]
    }
    for option in program.secretFiles {
      guard let file = call.text(of: option), file != "-" else { continue }
      words += ["--\(option.name)", file]
    }
    return words.map { ShellWord($0).quoted }.joined(separator: " ")
  }

  /// Inserts the options after the name of each command that begins with `start`, except after the names in `local`.
  private static func inserting(
    _ options: String, into hint: String, after start: String, except local: [String]
  ) -> String {
    var (result, rest) = ("", hint[...])
    var before: Character = " "
    while let character = rest.first {
      if rest.hasPrefix(start), before == " " || before == "'" {
        let name = rest.dropFirst(start.count).prefix { $0.isLetter || $0 == "-" }
        result += local.contains(String(name)) ? "\(start)\(name)" : "\(start)\(name) \(options)"
        rest = rest[name.endIndex...]
      } else {
        result.append(character)
        rest.removeFirst()
      }
      before = result.last ?? " "
    }
    return result
  }
}
