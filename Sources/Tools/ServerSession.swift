import Command
import HTTP
import Output
import Server
import Store
import System

struct ServerSession {
  let call: Invocation
  let context: Context
  private let server: Server
  private let log: ServerLog
  private let command: [String]
  private let commandToken: String?
  /// Waits for the command on a thread of its own, and stops the server when it has ended.
  private let commandEnd: BackgroundWork<ChildProcess, ChildProcess.Status?>

  init(_ call: Invocation, _ context: Context, suites names: [String]) throws(Failure) {
    self.call = call
    self.context = context
    command = try call[Toolbox.serveCommand]
    let manager = try ServiceManager(context.environment)
    let opening = try SocketOpening(call, manager, picksPort: !command.isEmpty)
    let all = context.program.servedSuites
    let suites = names.isEmpty ? all : all.filter { names.contains($0.name) }
    var configuration = ServerConfiguration(time: context.time)
    configuration.version = context.program.version
    configuration.origins = try OriginRules(call, opening.addresses)
    let isPublic = configuration.origins.isPublic
    if let spec = call[Toolbox.serveFault] {
      configuration.faults = try FaultPlan(
        spec, seed: UInt64(call[StandardSettings.seed]), suites: suites.map(\.name))
    }
    let log = try ServerLog(context, call[Toolbox.serveLog])
    self.log = log
    configuration.log = log.requestLog
    configuration.logFailure = log.failureLog
    configuration.logUnknownToken = log.unknownTokenLog
    configuration.limits = ServerLimits(call, isPublic: isPublic)
    configuration.serviceManager = manager
    commandEnd = try BackgroundWork { $0.waitThroughInterrupts() }
    if !command.isEmpty { configuration.stopSignal = commandEnd.descriptor }
    var settings = try ServerSession.settings(call, context, hasCommand: !command.isEmpty)
    settings.isPublic = isPublic
    let commandToken = command.isEmpty ? nil : RandomID.make()
    self.commandToken = commandToken
    let publicSuites = try ServerSession.publicSuites(call, of: suites)
    let requiringToken = suites.map(\.name).filter { !publicSuites.contains($0) }
    let requiresUsers = isPublic && !requiringToken.isEmpty && command.isEmpty
    // A server that does not start leaves no database.
    try settings.store.requireRoom(for: suites.flatMap(\.databases) + [UserTable.migrations])
    if requiresUsers, try !settings.store.contains(UserTable.migrations) {
      throw ServerSession.withoutUsers(call, requiringToken)
    }
    func runner() throws(Failure) -> RequestRunner {
      let users = try UserTable(settings.store)
      if let commandToken {
        users.addTemporary(User(UserTable.commandUser, isAdmin: true), token: commandToken)
      }
      if requiresUsers, try users.isUnused { throw ServerSession.withoutUsers(call, requiringToken) }
      let access = Access(users, isPublic: isPublic, publicSuites: publicSuites)
      let backends = try suites.map { suite throws(Failure) in
        try suite.backend(settings, ServerOptions(call))
      }
      return RequestRunner(backends, access: access)
    }
    let (router, workers) = try ServerSession.router(isShared: settings.store.isShared, runner)
    try settings.store.noteServed(suites.flatMap(\.databases) + [UserTable.migrations])
    if let days = call[Toolbox.serveHistoryDays], settings.store.isDurable {
      let pruning = HistoryPruning(suites: all, store: try context.chosenStore(call))
      let upkeep = try HistoryUpkeep(pruning, days: days) { log.report($0) }
      let time = context.time
      configuration.everySecond = { upkeep.tick(time) }
    }
    configuration.monitor = try StoreMonitor(settings.store, suites.flatMap(\.databases))
    server = try Server(router, workers: workers, on: try opening.open(), configuration)
  }

  /// The refusal of a public server on which nobody could use a suite.
  private static func withoutUsers(_ call: Invocation, _ suites: [String]) -> Failure {
    var add = ["hw", "users", "add", "NAME"]
    if call.isGiven(Toolbox.serveStore), let store = call[Toolbox.serveStore] { add += ["--store", store] }
    return Failure(
      .usage, "the server is public, has no users, and '\(suites[0])' is not public",
      hint: """
        add users with \(ShellWord.command(add)), name the suites to serve, or allow reading with \
        --public \(suites.joined(separator: ","))
        """)
  }

  private static func publicSuites(_ call: Invocation, of suites: [Suite]) throws(Failure) -> Set<String> {
    let names = call[Toolbox.servePublic] ?? []
    for name in names where !suites.contains(where: { $0.name == name }) {
      throw Failure(
        .usage, "'--public \(name)' names no suite that is served",
        hint: "served are \(suites.map(\.name).joined(separator: ", "))")
    }
    return Set(names)
  }

  /// The event loop must not wait for a database server, so with one the handlers run on workers.
  private static func router(
    isShared: Bool, _ runner: () throws(Failure) -> RequestRunner
  ) throws(Failure) -> (Router, WorkerPool?) {
    guard isShared else { return (Router(try runner()), nil) }
    return (Router(routesOf: try runner()), try WorkerPool(readers: readers, runner))
  }

  /// Number of connections that read from a database server, beside the one that writes.
  private static let readers = 2

  func run() throws(Failure) -> ExitStatus {
    defer { log.finish() }
    let addresses = (server.urls + [server.metricsURL].compactMap { $0 }).map { "\($0)\n" }.joined()
    var ready: File.Identity?
    defer { removeReadyFile(ready) }
    do throws(Failure) {
      if let file = call[Toolbox.serveReady] {
        try File.replace(file, with: Array(addresses.utf8))
        ready = File.identity(file)
      }
      if command.isEmpty {
        try context.output.outlet.write(addresses)
        try context.output.outlet.flush()
      }
    } catch {
      // Clients may be connected already, so the server ends gracefully.
      guard error.kind == .interrupted else { throw error }
    }
    guard command.isEmpty else { return try runCommand() }
    try server.run()
    return .success
  }

  /// Removes the ready file, so that no process reads the addresses of a server that has ended. The identity protects
  /// the file of the next server: it has the same name, often the same address, and may be written while this server
  /// finishes its requests.
  private func removeReadyFile(_ ready: File.Identity?) {
    guard let ready, let file = call[Toolbox.serveReady] else { return }
    do throws(Failure) {
      try File.remove(file, ifItIs: ready)
    } catch {
      context.messages.report(error.message)
    }
  }

  private func runCommand() throws(Failure) -> ExitStatus {
    var variables = ["HW_URL": server.url]
    if let commandToken { variables["HW_TOKEN"] = commandToken }
    for suite in context.program.servedSuites { variables["HW_\(suite.name.uppercased())_URL"] = server.url }
    let child: ChildProcess
    do throws(SystemError) {
      Interruption.allowLongCleanUp()
      child = try .start(
        command, environment: context.environment.setting(variables, removing: ServiceManager.variables))
    } catch {
      // As in a shell: 127 for a missing program, 126 for one that cannot be run.
      context.messages.report("cannot run '\(command[0])': \(error.text)")
      return ExitStatus(error == .noSuchFile ? 127 : 126)
    }
    do throws(SystemError) {
      try commandEnd.submitInBackground(child)
    } catch {
      child.send(signal: SIGTERM)
      _ = child.waitThroughInterrupts()
      throw Failure(.storage, "cannot start a thread: \(error.text)")
    }
    try server.run()
    if let status = commandEnd.next() { return ExitStatus(status?.code ?? 0) }
    // A signal stopped the server, and the command has to end as well.
    child.send(signal: SIGTERM)
    return ExitStatus(commandEnd.awaitNext()?.code ?? 0)
  }

  private static func settings(
    _ call: Invocation, _ context: Context, hasCommand: Bool
  ) throws(Failure) -> BackendSettings {
    let seed = UInt64(call[StandardSettings.seed])
    let isDemo = call.isGiven(StandardOptions.url) && call[StandardOptions.url] == "demo:"
    if isDemo, call.isGiven(Toolbox.serveStore) {
      throw Failure(
        .usage, "'\(call.spelling(of: StandardOptions.url))' and '--store' exclude each other",
        hint: "'--store DIR --samples' adds the sample data to a new store")
    }
    // Sample data ignores a store of the environment or the configuration.
    let isChosen = !isDemo && call[Toolbox.serveStore] != nil
    var settings = BackendSettings.demo(seed: seed, time: context.time)
    if !isDemo, isChosen || !hasCommand {
      settings.store = try context.chosenStore(call, waitsForLocks: false)
      settings.hasSamples = false
      settings.startsEmpty = isChosen
      settings.addsSamples = call[Toolbox.serveSamples]
    }
    settings.publicURL = call[Toolbox.servePublicURL]
    return settings
  }
}

extension OriginRules {
  init(_ call: Invocation, _ addresses: [SocketAddress]) throws(Failure) {
    self.init()
    if let text = call[Toolbox.servePublicURL] {
      let url = try URL(text)
      hosts.insert(OriginRules.name(url.authority))
      isPublic = true
    }
    if let host = call[Toolbox.serveHost] {
      hosts.insert(OriginRules.name(host))
      requiresHost = true
      isPublic = true
    }
    proxies = Set(call[Toolbox.serveTrustedProxy] ?? [])
    if !addresses.allSatisfy(\.isLoopback) { isPublic = true }
  }
}

enum PublicLimits {
  static let requestsPerAddress = 100
  static let requestsPerUser = 50
  static let wrongTokens = 10
  static let connectionsPerAddress = 100
}

extension ServerLimits {
  init(_ call: Invocation, isPublic: Bool) {
    func limit(_ setting: Setting<Int?>, _ standard: Int) -> Int? {
      let chosen = call[setting] ?? (isPublic ? standard : nil)
      return chosen == 0 ? nil : chosen
    }
    self.init()
    requestsPerAddress = limit(Toolbox.serveRequestsPerAddress, PublicLimits.requestsPerAddress)
    requestsPerUser = limit(Toolbox.serveRequestsPerUser, PublicLimits.requestsPerUser)
    wrongTokens = limit(Toolbox.serveWrongTokens, PublicLimits.wrongTokens)
    connectionsPerAddress = limit(Toolbox.serveConnectionsPerAddress, PublicLimits.connectionsPerAddress)
  }
}

/// Opens the sockets of a server, or takes those of a service manager.
struct SocketOpening {
  /// Addresses for clients. A port of 0 becomes a number when the socket is opened.
  let addresses: [SocketAddress]
  private let inherited: [Listener]
  private let metricsAddress: SocketAddress?

  /// `picksPort` selects any free port if there is no `--listen`.
  init(_ call: Invocation, _ manager: ServiceManager, picksPort: Bool) throws(Failure) {
    inherited = try manager.sockets.map { socket throws(Failure) in try Listener(inherited: socket) }
    if !inherited.isEmpty, call.isGiven(Toolbox.serveListen) {
      throw Failure(
        .usage, "'--listen' cannot be used with the sockets of a service manager",
        hint: "remove it, or name the address in the socket unit alone")
    }
    if inherited.isEmpty {
      let text = picksPort && !call.isGiven(Toolbox.serveListen) ? "127.0.0.1:0" : call[Toolbox.serveListen]
      addresses = [try SocketAddress(listening: text)]
    } else {
      addresses = inherited.map(\.address)
    }
    metricsAddress = try call[Toolbox.serveMetrics].map { text throws(Failure) in
      try SocketAddress(listening: text)
    }
  }

  func open() throws(Failure) -> ServerSockets {
    var sockets = ServerSockets(inherited)
    do throws(Failure) {
      if inherited.isEmpty {
        for address in addresses { sockets.service.append(try Listener(address)) }
      }
      if let metricsAddress { sockets.metrics = try Listener(metricsAddress) }
    } catch {
      for listener in sockets.service { listener.close() }
      throw error
    }
    return sockets
  }
}
