import CLibraries
import System

extension SQLiteConnection {
  func failure(_ code: Int32) -> Failure {
    switch code & 0xFF {
    case SQLITE_BUSY:
      // A signal ends the wait for a lock early, and is the reason then.
      if Interruption.pending != nil { return Interruption.failure }
      return Failure(
        .storage, "database '\(name)' is locked by another process",
        hint: "run the command again when that process is done", retryable: true)
    case SQLITE_READONLY:
      return Failure(
        .storage, "cannot write '\(name)': it is read-only", hint: "the file and its folder must be writable")
    case SQLITE_IOERR:
      let reason = systemError.number == 0 ? "input/output error" : systemError.text
      return Failure(
        .storage, "cannot read or write '\(name)': \(reason)",
        hint: "what was being changed is as it was before; check the disk, its quota and 'ulimit -f'")
    case SQLITE_CORRUPT:
      return .damaged(name, message)
    case SQLITE_FULL:
      return Failure(
        .storage, "cannot write '\(name)': no space left",
        hint: "what was being changed is as it was before; free some space and run the command again",
        cause: .storage(.full))
    case SQLITE_CANTOPEN:
      let reason = systemError.number == 0 ? message : systemError.text
      return Failure(
        .storage, "cannot open database '\(name)': \(reason)",
        hint: "its folder must exist, and both must be writable")
    case SQLITE_CONSTRAINT:
      return Failure(.storage, "database '\(name)' refused a row: \(message)")
    case SQLITE_NOTADB:
      return Failure(.storage, "'\(name)' is not a database", hint: "it was left as it is; move it away")
    default:
      return Failure(.storage, "database '\(name)': \(message)")
    }
  }
}
