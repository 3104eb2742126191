import Command
import HTTP
import Output
import Server
import Store
import System

/// One run of `hw serve`.
struct ServerSession {
  let call: Invocation
  let context: Context
  private let server: Server
  private let command: [String]
  /// Waits for the command on a thread of its own; the server stops when it has ended.
  private let ending: BackgroundWork<ChildProcess, ChildProcess.Status?>

  init(_ call: Invocation, _ context: Context) throws(Failure) {
    self.call = call
    self.context = context
    command = try call[Toolbox.serveCommand]
    let address = try ListenAddress(
      command.isEmpty || call.isGiven(Toolbox.serveListen) ? call[Toolbox.serveListen] : "127.0.0.1:0")
    var configuration = ServerConfiguration(time: context.time)
    configuration.token = try ServerSession.token(call, context)
    guard address.isLoopback || configuration.token != nil || call[Toolbox.servePublic] else {
      throw Failure(
        .usage, "'\(call[Toolbox.serveListen])' is open to others, and no token is set",
        hint: "set HW_SERVE_TOKEN or --token-file, or say --public")
    }
    if let spec = call[Toolbox.serveFault] {
      configuration.faults = try FaultPlan(
        spec, seed: UInt64(call[StandardOptions.seed]), suites: context.program.services.map(\.name))
    }
    let messages = context.messages
    if messages.verbosity > 0 {
      configuration.log = { record in messages.report(record.line, verbosity: 1) }
    } else {
      configuration.logFailure = ServerSession.failureLog(context)
    }
    do throws(SystemError) {
      ending = try BackgroundWork { $0.waitThroughInterrupts() }
    } catch {
      throw Failure(.storage, "cannot make a pipe: \(error.text)")
    }
    if !command.isEmpty { configuration.stopSignal = ending.descriptor }
    let isDemo = call.isGiven(StandardOptions.url) && call[StandardOptions.url] == "demo:"
    var settings = try ServerSession.settings(call, context, isFleeting: isDemo || !command.isEmpty)
    settings.users = try ServerSession.users(call)
    let (made, readers) = (settings, ServerSession.readers)
    func backends() throws(Failure) -> [Backend] {
      var backends: [Backend] = []
      for suite in context.program.services {
        backends.append(try suite.backend(made, ServerOptions(call)))
      }
      return backends
    }
    let router: Router
    var workers: WorkerPool?
    if settings.store.isShared {
      // The event loop waits for no database server.
      let own = try backends().map { $0.state == .memory ? $0 : $0.withoutHandlers }
      router = Router(own)
      workers = try WorkerPool(readers: readers, time: context.time) { () throws(Failure) in
        Router(try backends())
      }
    } else {
      router = Router(try backends())
    }
    server = try Server(router, workers: workers, on: address, configuration)
  }

  /// The connections to a database server that read, beside the one that writes.
  private static let readers = 2

  func run() throws(Failure) -> ExitStatus {
    if let file = call[Toolbox.serveReady] { try File.replace(file, with: Array("\(server.url)\n".utf8)) }
    guard command.isEmpty else { return try runCommand() }
    try context.output.outlet.write("\(server.url)\n")
    try context.output.outlet.flush()
    try server.run()
    return .success
  }

  private func runCommand() throws(Failure) -> ExitStatus {
    var variables = ["HW_URL": server.url]
    for suite in context.program.services { variables["HW_\(suite.name.uppercased())_URL"] = server.url }
    let child: ChildProcess
    do throws(SystemError) {
      child = try .start(.init(command, environment: context.environment.setting(variables)))
    } catch {
      // As a shell has it: 127 when there is no such program, 126 when it cannot be run.
      context.messages.report("cannot run '\(command[0])': \(error.text)")
      return ExitStatus(error == .noSuchFile ? 127 : 126)
    }
    do throws(SystemError) {
      try ending.submitInBackground(child)
    } catch {
      child.terminate()
      _ = child.waitThroughInterrupts()
      throw Failure(.storage, "cannot start a thread: \(error.text)")
    }
    try server.run()
    if let status = ending.next() { return ExitStatus(status?.code ?? 0) }
    // The server was told to stop: then so is the command.
    child.terminate()
    return ExitStatus(ending.awaitNext()?.code ?? 0)
  }

  /// What goes wrong inside is told once, and again when it lasts: not for each request that meets it.
  private static func failureLog(_ context: Context) -> (Failure) -> Void {
    var last: (message: String, at: Duration)?
    return { failure in
      let now = context.time.uptime()
      if let last, last.message == failure.message, now - last.at < .seconds(60) { return }
      last = (failure.message, now)
      context.messages.report(failure.message)
    }
  }

  private static func token(_ call: Invocation, _ context: Context) throws(Failure) -> [UInt8]? {
    let text =
      if let file = call[Toolbox.serveToken] {
        try context.secret(in: file, called: "token")
      } else {
        context.environment["HW_SERVE_TOKEN"]
      }
    return text.map { Array($0.utf8) }
  }

  private static func users(_ call: Invocation) throws(Failure) -> UserRegister? {
    guard let file = call[Toolbox.serveUsers] else { return nil }
    guard let bytes = try File.read(file, limit: 1 << 20) else {
      throw Failure(.storage, "cannot read '\(file)': no such file or directory")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.usage, "'\(file)' is not valid UTF-8")
    }
    return try UserRegister(text, from: file)
  }

  private static func settings(
    _ call: Invocation, _ context: Context, isFleeting: Bool
  ) throws(Failure) -> BackendSettings {
    let seed = UInt64(call[StandardOptions.seed])
    let place = call[Toolbox.serveStore]
    if isFleeting && place == nil { return .demo(seed: seed, time: context.time) }
    let store =
      if let place {
        try context.store(
          place, of: Toolbox.serveStore, isTyped: call.isGiven(Toolbox.serveStore), waitsForLocks: false)
      } else {
        Store(folder: try Folders(context.environment).data, waitsForLocks: false, time: context.time)
          .reportingWaits { [messages = context.messages] in messages.report($0) }
      }
    return BackendSettings(store: store, hasSamples: false, seed: seed, time: context.time)
  }
}

extension AccessRecord {
  /// The line of the access log. The failure can quote the decoded path; `report` makes it safe.
  fileprivate var line: String {
    "\(method.rawValue) \(target) → \(status), \(bytes) bytes, \(duration)\(failure.map { " (\($0.message))" } ?? "")"
  }
}
