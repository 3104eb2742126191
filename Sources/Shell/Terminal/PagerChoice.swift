import System

/// Pager that the environment selects.
public enum PagerChoice: Equatable, Sendable {
  /// No pager: nobody is present, an empty variable, `cat`, or nothing chosen and no `less` installed.
  case none
  /// A command for the shell.
  case command(String)
  /// The chosen program is not there.
  case missing(String)

  /// `HW_PAGER`, then `PAGER`, then `less -FRX`, which on a terminal that can do nothing would only ask for a key.
  public init(_ environment: Environment) {
    guard environment.absence == nil else {
      self = .none
      return
    }
    // An empty variable is a choice here, so the subscript, for which it counts as unset, is no help.
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
    // Only the shell can tell whether anything but a plain name exists.
    let isPlain = program.utf8.allSatisfy { $0.isASCIIAlphanumeric || "+-./_".utf8.contains($0) }
    let isMissing = isPlain && Executable.find(String(program), in: environment) == nil
    self = isMissing ? .missing(String(program)) : .command(chosen)
  }
}
