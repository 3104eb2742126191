import System

extension Context {
  /// The same context for a line that is still being typed: with the options in it that say which service is meant, and
  /// whose account. The rest of it may be wrong or not there yet, and does not matter.
  func typed(_ line: [String]) -> Context {
    guard !line.isEmpty else { return self }
    let options = serviceOptions(of: line)
    let reader = Command(call.command.name, "", options: options, output: .plain(""), examples: []) { _, _ in
    }
    let words = environment.chosen(options, from: line)
    let parser = Parser(command: reader, suite: nil)
    guard case .run(var typed)? = try? parser.parse(words) else { return self }
    typed.configuration = typed[StandardOptions.configuration] ? call.configuration : Configuration(path: "")
    return Context(program: program, call: typed, host: host, output: output)
  }

  /// The options of the command on the line that name a file with a secret.
  private func serviceOptions(of line: [String]) -> [OptionDeclaration] {
    guard case .command(let command, _)? = try? CommandLocator(program: program).locate(line).target else {
      return []
    }
    let files = program.services.compactMap { $0.service?.credential?.file.declaration.name }
    return command.options.map(\.declaration).filter { files.contains($0.name) }
  }
}

extension Environment {
  /// The words of the line that are these options, or standard ones about the service, with their values.
  fileprivate func chosen(_ own: [OptionDeclaration], from line: [String]) -> [String] {
    let standard: [any Declared] = [
      StandardOptions.url, StandardOptions.demo, StandardOptions.seed, StandardOptions.configuration,
    ]
    let options = own + standard.map(\.declaration)
    var chosen: [String] = []
    var words = line[...]
    while let word = words.popFirst(), word != "--" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { [$0.spelling, "--\($0.name)"].contains(parts[0]) }) else {
        continue
      }
      guard option.value != nil else {
        chosen.append(word)
        continue
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst() else { break }
      // Nothing is read from the terminal that somebody types on.
      guard value != "-" else { continue }
      let home = value.hasPrefix("~/") ? self["HOME"] : nil
      chosen.append("\(parts[0])=\(home.map { $0 + value.dropFirst() } ?? value)")
    }
    return chosen
  }
}
