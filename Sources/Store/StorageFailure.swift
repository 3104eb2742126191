import System

/// What a statement ran against, when it broke a rule of its table.
public enum Constraint: String, Sendable {
  /// A primary key or unique column holds that value already.
  case unique
  case foreignKey
  case notNull
  case check
  case other
}

extension Failure {
  /// The rule that was broken, when that is why a statement failed: a suite turns `.unique` into its own conflict.
  public var constraint: Constraint? {
    for detail in details where detail.name == "constraint" {
      if case .text(let name) = detail.value { return Constraint(rawValue: name) }
    }
    return nil
  }
}

extension Failure {
  /// A disk or a quota is full; what was being changed is as it was.
  public var isOutOfSpace: Bool { details.contains(Failure.noSpace) }

  fileprivate static let noSpace = Detail("cause", .text("no space"))
}

extension Constraint {
  /// By SQLite's extended result code.
  fileprivate init(extended code: Int32) {
    switch code {
    case 1555, 2067, 2579: self = .unique
    case 787: self = .foreignKey
    case 1299: self = .notNull
    case 275: self = .check
    default: self = .other
    }
  }
}

extension Connection {
  /// SQLite's result codes, in hw's words.
  func failure(extended code: Int32) -> Failure {
    switch code & 0xff {
    case 5:
      // The wait for a lock ends early on a signal, and then the signal is the reason.
      if Interruption.pending != nil { return Interruption.failure }
      return Failure(
        .storage, "database '\(name)' is locked by another process",
        hint: "run the command again when that process is done", retryable: true)
    case 8:
      return Failure(
        .storage, "cannot write '\(name)': it is read-only",
        hint: "the file and its folder must be writable; --store names another folder")
    case 10:
      let reason = systemError.number == 0 ? "input/output error" : systemError.text
      return Failure(
        .storage, "cannot read or write '\(name)': \(reason)",
        hint: "what was being changed is as it was before; check the disk, its quota and 'ulimit -f'")
    case 11:
      return .damaged(name, message)
    case 13:
      return Failure(
        .storage, "cannot write '\(name)': no space left",
        hint: "what was being changed is as it was before; free some space and run the command again",
        details: [Failure.noSpace])
    case 14:
      let reason = systemError.number == 0 ? message : systemError.text
      return Failure(
        .storage, "cannot open database '\(name)': \(reason)",
        hint: "its folder must exist and be writable; --store names another folder")
    case 19:
      return Failure(
        .storage, "database '\(name)' refused a row: \(message)",
        details: [.init("constraint", .text(Constraint(extended: code).rawValue))])
    case 26:
      return Failure(
        .storage, "'\(name)' is not a database",
        hint: "it was left as it is; move it away, or name another folder with --store")
    default:
      return Failure(.storage, "database '\(name)': \(message)")
    }
  }
}

extension Failure {
  static func damaged(_ name: String, _ message: String) -> Failure {
    Failure(
      .storage, "database '\(name)' is damaged: \(message)",
      hint: "it was left as it is; put a copy back, or rescue the rows with 'sqlite3 FILE .recover'")
  }
}
