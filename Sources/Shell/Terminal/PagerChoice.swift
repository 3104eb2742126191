import System

enum PagerChoice: Equatable, Sendable {
  /// No person is present, the variable is empty or `cat`, or none is set and `less` is not installed.
  case none
  case command(String)
  case missing(String)

  /// `HW_PAGER`, then `PAGER`, then `less -FRX`, unless the terminal is dumb.
  init(_ environment: Environment) {
    guard environment.absence == nil else {
      self = .none
      return
    }
    // An empty variable is a choice here, but counts as unset in the subscript of `Environment`.
    let variables = environment.all
    guard let chosen = variables["HW_PAGER"] ?? variables["PAGER"] else {
      self =
        !environment.hasDumbTerminal && Executable.find("less", in: environment) != nil
        ? .command("less -FRX") : .none
      return
    }
    let words = chosen.split(whereSeparator: { $0 == " " || $0 == "\t" })
    guard let program = words.first, words != ["cat"] else {
      self = .none
      return
    }
    // Only the shell can find out whether anything but a plain name exists.
    let isPlain = program.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+-./_".utf8.contains($0) }
    let isMissing = isPlain && Executable.find(String(program), in: environment) == nil
    self = isMissing ? .missing(String(program)) : .command(chosen)
  }
}
