/// Whether output is colored: the choice of `--color` or, without it, of the environment.
public enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  /// `NO_COLOR` and `TERM=dumb` disable color, `CLICOLOR_FORCE` enables it, otherwise only a terminal has color.
  public func isOn(terminal: Bool, noColor: String?, force: String?, term: String?) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      if noColor != nil {
        false
      } else if let force, force != "0" {
        true
      } else {
        terminal && term != nil && term != "dumb"
      }
    }
  }
}
