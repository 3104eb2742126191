import Command
import HTTP
import Store
import System

struct SelfChecks {
  let context: Context

  private var environment: Environment { context.environment }

  var outcomes: [CheckOutcome] { [configuration] + folders + libraries + store }

  /// The outcome with the detail that `body` returns, or a failure with `detail`.
  private func outcome(
    _ title: String, detail: String = "", _ body: () throws(Failure) -> String
  ) -> CheckOutcome {
    do throws(Failure) {
      return CheckOutcome("hw", title, .ok, detail: try body())
    } catch {
      let finding = [error.message, error.hint].compactMap { $0 }.joined(separator: "; ")
      return CheckOutcome("hw", title, .fail, detail: detail, findings: [finding])
    }
  }

  private var configuration: CheckOutcome {
    do throws(Failure) {
      let file = try ConfigurationFile(environment)
      let review = ConfigurationReview(try file.read(), context)
      let status: CheckOutcome.Status = !review.faults.isEmpty ? .fail : review.warnings.isEmpty ? .ok : .warn
      return CheckOutcome(
        "hw", "configuration", status, detail: file.path, findings: review.faults + review.warnings)
    } catch {
      return CheckOutcome("hw", "configuration", .fail, findings: [error.message])
    }
  }

  private var folders: [CheckOutcome] {
    let folders = UserFolders(environment)
    return [
      folder("configuration folder") { () throws(Failure) in try folders.config },
      folder("data folder") { () throws(Failure) in try folders.data },
      folder("state folder") { () throws(Failure) in try folders.state },
      folder("cache folder") { () throws(Failure) in try folders.cache },
    ]
  }

  private func folder(_ title: String, _ path: () throws(Failure) -> String) -> CheckOutcome {
    outcome(title) { () throws(Failure) in
      let path = try path()
      guard Folder.isWritable(path) else { throw Failure(.storage, "'\(path)' cannot be written") }
      return path
    }
  }

  private var libraries: [CheckOutcome] {
    [
      outcome("libcurl, for https and proxies") { () throws(Failure) in try CurlTransport.version() },
      outcome("SQLite, for stored data") { () throws(Failure) in try Database.libraryVersion() },
      outcome("libpq, for a PostgreSQL store") {
        (try? Database.postgreSQLLibraryVersion()) ?? "not installed"
      },
    ]
  }

  private var store: [CheckOutcome] {
    guard let folder = try? UserFolders(environment).data else { return [] }
    let store = Store(folder: folder, time: context.time)
    return context.program.databases.compactMap { _, migrations -> CheckOutcome? in
      let path = migrations.path(in: folder)
      let existence = Result { () throws(Failure) in try store.contains(migrations) }
      if case .success(false) = existence { return nil }
      return outcome("database of \(migrations.name)", detail: path) { () throws(Failure) in
        _ = try existence.get()
        try Database(.readOnly(path), time: context.time).check()
        return path
      }
    }
  }
}
