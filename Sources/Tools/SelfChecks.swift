import Command
import HTTP
import Output
import Store
import System
import Terminal

/// The checks of this installation: `hw check --self`.
struct SelfChecks {
  let context: Context

  private var environment: Environment { context.environment }

  var outcomes: [CheckOutcome] {
    [terminal, locale, configuration] + folders + libraries + [proxies, certificates, clock] + store
  }

  private func outcome(
    _ title: String, _ result: CheckOutcome.Status, _ detail: String, _ findings: [String]
  ) -> CheckOutcome {
    CheckOutcome("hw", title, result, detail: detail, findings: findings)
  }

  private func outcome(_ title: String, _ detail: String) -> CheckOutcome { outcome(title, .ok, detail, []) }

  private var terminal: CheckOutcome {
    guard let screen = context.host.screenSize else {
      return outcome("terminal", "standard output is not a terminal")
    }
    let size = "\(screen.columns) by \(screen.rows)"
    guard let name = environment["TERM"], !environment.hasDumbTerminal else {
      return outcome(
        "terminal", .warn, size, ["TERM is \(environment["TERM"] ?? "not set"): no color, no screens"])
    }
    return outcome("terminal", "\(name), \(size)")
  }

  /// hw writes UTF-8 in every locale, but a terminal may not.
  private var locale: CheckOutcome {
    let name = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? "C"
    let isUTF8 = ["utf-8", "utf8"].contains { name.lowercased().contains($0) }
    return isUTF8
      ? outcome("locale", name)
      : outcome(
        "locale", .warn, name, ["'\(name)' is not a UTF-8 locale: a terminal may not show what hw writes"])
  }

  private var configuration: CheckOutcome {
    do throws(Failure) {
      let file = try ConfigurationFile(environment)
      let review = ConfigurationReview(try file.read(), context)
      let status: CheckOutcome.Status = !review.faults.isEmpty ? .fail : review.warnings.isEmpty ? .ok : .warn
      return outcome("configuration", status, file.path, review.faults + review.warnings)
    } catch {
      return outcome("configuration", .fail, "", [error.message])
    }
  }

  private var folders: [CheckOutcome] {
    let folders = Folders(environment)
    return [
      folder("configuration folder") { () throws(Failure) in try folders.config },
      folder("data folder") { () throws(Failure) in try folders.data },
      folder("state folder") { () throws(Failure) in try folders.state },
      folder("cache folder") { () throws(Failure) in try folders.cache },
    ]
  }

  private func folder(_ title: String, _ path: () throws(Failure) -> String) -> CheckOutcome {
    do throws(Failure) {
      let path = try path()
      guard Folder.isWritable(path) else {
        return outcome(title, .fail, path, ["'\(path)' cannot be written"])
      }
      return outcome(title, path)
    } catch {
      return outcome(title, .fail, "", [error.message])
    }
  }

  private var libraries: [CheckOutcome] {
    [
      library("libcurl, for https and proxies") { () throws(Failure) in try CurlTransport.version() },
      library("SQLite, for stored data") { () throws(Failure) in try Database.libraryVersion() },
    ]
  }

  private func library(_ title: String, _ version: () throws(Failure) -> String) -> CheckOutcome {
    do throws(Failure) {
      return outcome(title, try version())
    } catch {
      return outcome(
        title, .fail, "", [[error.message, error.hint].compactMap { $0 }.joined(separator: "; ")])
    }
  }

  private var proxies: CheckOutcome {
    let names = [
      "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    ]
    return outcome("proxies", variables(names) ?? "none")
  }

  private var certificates: CheckOutcome {
    let names = ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"]
    let missing = names.compactMap { name in environment[name].map { (name, $0) } }.filter {
      !File.exists($0.1)
    }
    return outcome(
      "certificates", missing.isEmpty ? .ok : .fail, variables(names) ?? "the system's",
      missing.map { "\($0.0) names '\($0.1)', which does not exist" })
  }

  /// Names only: an address may hold a password.
  private func variables(_ names: [String]) -> String? {
    let set = names.filter { environment[$0] != nil }
    return set.isEmpty ? nil : "from \(set.joined(separator: ", "))"
  }

  private var clock: CheckOutcome {
    let now = context.time.now()
    let text = context.time.local(now).seconds
    // A clock before 2026, when this program was written, is wrong.
    return now.seconds < 1_767_225_600
      ? outcome("clock", .fail, text, ["it is \(text) by this clock, which cannot be"])
      : outcome("clock", text)
  }

  private var store: [CheckOutcome] {
    guard let folder = try? Folders(environment).data else { return [] }
    return context.program.services.compactMap { suite -> CheckOutcome? in
      let path = "\(folder)/\(suite.name).db"
      guard File.exists(path) else { return nil }
      do throws(Failure) {
        try Database(.readOnly(path), time: context.time).check()
        return outcome("database of \(suite.name)", path)
      } catch {
        return outcome("database of \(suite.name)", .fail, path, [error.message])
      }
    }
  }
}
