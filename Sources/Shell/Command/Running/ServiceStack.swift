import HTTP
import Output
import Server
import Store
import System
import Terminal

extension Context {
  /// Endpoint of the service with the transports that the command line, the variables and the configuration require.
  public func endpoint(_ service: Service) throws(Failure) -> Endpoint {
    try endpoint(service, limit: service.limit)
  }

  public func endpoint(_ service: Service, limit: RateLimit?) throws(Failure) -> Endpoint {
    let (base, headers, sources) = try destination(of: service)
    return Endpoint(base, headers: headers, try transport(service, base, headers, sources, limit))
  }

  /// Endpoint for a caller that schedules requests: each is sent or refused at once, without retries and cached
  /// responses. `timeout` limits an attempt unless the option is typed. `report` receives the output of `-v`, for a
  /// screen that it would overwrite.
  public func pacedEndpoint(
    _ service: Service, timeout: Duration, report: @escaping (String) -> Void
  ) throws(Failure) -> PacedEndpoint {
    let (base, headers, sources) = try destination(of: service)
    guard let limit = service.limit, !base.isEmbedded, !call[StandardOptions.explain] else {
      return PacedEndpoint(
        Endpoint(base, headers: headers, try transport(service, base, headers, sources, nil, report: report)))
    }
    let attempt = call[StandardOptions.timeout]
    let limits = TimeLimits(
      attempt: call.isGiven(StandardOptions.timeout) ? attempt : min(timeout, attempt))
    let network: any Transport =
      if let folder = call[StandardOptions.replay] {
        // The limit makes the caller send the recorded requests, and no others.
        logged(ReplayingTransport(folder: folder, base: base), report: report)
      } else {
        identified(
          logged(NetworkTransport(environment: environment, limits: limits, time: time), report: report))
      }
    let limited = RateLimitingTransport(
      // A server on this machine limits its clients itself: no file of this user counts its calls.
      network, limit: limit,
      ledgersIn: base.isLoopback || isReplaying ? nil : (try? UserFolders(environment).state) ?? "",
      deadline: nil, time: time, report: report)
    return PacedEndpoint(base, headers, limited) {
      sourceReported(recorded($0, base, headers), from: isReplaying ? .recording : .network)
    }
  }

  private typealias Secret = (text: String, source: SecretSource)
  /// Sources of secrets by the name of the header field.
  private typealias SecretSources = [String: SecretSource]

  /// Address, headers of every request, and the sources of the secrets among them.
  private func destination(of service: Service) throws(Failure) -> (URL, Headers, SecretSources) {
    let secret = try secret(of: service)
    let base = try URL(call[StandardOptions.url] ?? (secret == nil ? service.address : service.live))
    let isToken = service.credential?.setting == Service.token
    let needsNoToken = isReplaying || isToken && secret != nil
    let token = needsNoToken ? nil : try userToken(of: service, at: base)
    // The token of a user replaces the secret only of a service whose secret is a token.
    if secret == nil, !(isToken && token != nil), !isReplaying { try refuseWithoutSecret(service, at: base) }
    let text = secret?.text ?? (base.isEmbedded ? service.credential?.embedded : nil)
    var (headers, sources): (Headers, SecretSources) = ([:], [:])
    if let credential = service.credential {
      headers[credential.header] = text
      sources[credential.header] = secret?.source
    }
    if let token {
      headers["X-Authorization"] = token.text
      sources["X-Authorization"] = token.source
    }
    for case (let field, .setting(let key)) in sources {
      guard base.scheme.hasHost, let home = home(of: key, service), !home.hasSameOrigin(as: base) else {
        continue
      }
      (headers[field], sources[field]) = (nil, nil)
      messages.report("\(key) is not sent to '\(base.authority)': it is for '\(home.authority)'")
    }
    if !isExplaining, !sources.isEmpty, base.scheme == .http, !base.isLoopback,
      !call[StandardSettings.plainHTTP]
    {
      throw Failure(
        .unauthorized,
        "a secret is not sent to '\(base.authority)' over plain http, where others can read it",
        hint: "use https, or allow it with HW_PLAIN_HTTP=on")
    }
    return (base, headers, sources)
  }

  /// Only address to which a secret of the configuration is sent: the one set there or, for a key, the live service.
  private func home(of key: String, _ service: Service) -> URL? {
    let own = call.configuration.value(of: [], ["\(service.suite).url", "url"], environment)?.0
    let isKey = service.credential != nil && key == service.secretKey && service.address == service.live
    return (own ?? (isKey ? service.live : nil)).flatMap { try? URL($0) }
  }

  /// Token of a user of `hw serve`: the suite's or HW_TOKEN for all suites. Neither is sent to a live service by
  /// default, and HW_TOKEN only to the origin of HW_URL.
  private func userToken(of service: Service, at base: URL) throws(Failure) -> Secret? {
    let isChosen = !base.isEmbedded && call[StandardOptions.url] != nil
    if service.credential?.setting != Service.token {
      if call.isGiven(Service.tokenFile), let file = call[Service.tokenFile] {
        guard isChosen || base.isEmbedded else {
          throw Failure(
            .usage, "'--token-file' requires '--url'",
            hint: "the token is that of a user of 'hw serve'; '\(base)' has no users")
        }
        return (try secret(in: file, called: Service.token), .file(file))
      }
      let own = secret(ofVariables: [service.tokenVariable], orKey: service.tokenKey)
      if let own, !own.text.isEmpty {
        if isChosen { return own }
        if call[StandardOptions.url] == nil {
          let name = if case .variable(let variable) = own.source { variable } else { service.tokenKey }
          messages.report("\(name) is not used without the address of its server, \(service.suite).url")
        }
      }
    }
    guard isChosen, let token = environment["HW_TOKEN"], !token.isEmpty else { return nil }
    guard let home = environment["HW_URL"], (try? URL(home))?.hasSameOrigin(as: base) == true else {
      messages.report("HW_TOKEN is not sent to '\(base.authority)': it is for the address in HW_URL")
      return nil
    }
    return (token, .variable("HW_TOKEN"))
  }

  public func address(of service: Service) throws(Failure) -> URL {
    try URL(call[StandardOptions.url] ?? service.address)
  }

  /// Rate limit of the user's plan, or else of the service. None for a server on this machine, which is not shared.
  public func ownLimit(of service: Service) throws(Failure) -> RateLimit? {
    if let rate = service.rate.flatMap({ call[$0] }) { return .sliding(rate, per: .seconds(60)) }
    return try address(of: service).isLoopback ? nil : service.limit
  }

  /// Endpoint without a network: a backend in the process, or cached responses of any age. Other requests fail.
  func offlineEndpoint(_ service: Service) throws(Failure) -> Endpoint {
    let (base, headers, _) = try destination(of: service)
    guard !base.isEmbedded || base.scheme == .gbfs else {
      return Endpoint(base, headers: headers, try unrecorded(service, base, nil, report: nil))
    }
    let cached = CachingTransport(
      Offline(), folder: try UserFolders(environment).cache, maxAge: .max, time: time, report: { _ in })
    guard base.scheme == .gbfs else { return Endpoint(base, headers: headers, cached) }
    return Endpoint(base, try translated(service, base, report: { _ in }) { _ in cached })
  }

  /// Backend of the suite over a feed; `transport` makes the transport for the files of the feed.
  private func translated(
    _ service: Service, _ base: URL, report: ((String) -> Void)?,
    over transport: (FeedTranslation) -> any Transport
  ) throws(Failure) -> any Transport {
    guard let feed = try program.suite(service.suite).feed else {
      let readers = program.suites.filter { $0.feed != nil }.map(\.name)
      throw Failure(
        .usage, "'\(service.suite)' reads no feed, and '\(Secrets.shown(address: "\(base)"))' is one",
        hint: "suites that read one: \(readers.joined(separator: ", "))")
    }
    let source = FeedSource(
      try URL(base.feed), transport(feed), time: time, report: report ?? { messages.report($0) })
    return EmbeddedTransport(Router([feed.backend(source)]))
  }

  /// Returns a context for a command of another suite, with that suite's variables and configuration.
  public func forSuite(_ suite: String) throws(Failure) -> Context {
    var call = Invocation(call, for: suite)
    try Settings(environment: environment, configuration: call.configuration).apply(to: &call)
    if let failure = call.settingsFailure { throw failure }
    return Context(program: program, call: call, host: host, output: output)
  }

  /// Place of a suite's local data: beside the database of `embedded:`, and in memory for `demo:`.
  public func localData(of service: Service) throws(Failure) -> BackendSettings {
    try backendSettings(address(of: service))
  }

  /// Transports from the command down; each uses only the next. A recording contains what the command received, so
  /// replaying it needs no limit, retries or cache.
  private func transport(
    _ service: Service, _ base: URL, _ headers: Headers, _ sources: SecretSources, _ limit: RateLimit?,
    report: ((String) -> Void)? = nil
  ) throws(Failure) -> any Transport {
    if call[StandardOptions.explain] {
      let explained = ExplainingTransport(secrets: sources) { line throws(Failure) in
        try output.explain(line + "\n")
      }
      // A reader of the line does not need the name of hw.
      let shown: any Transport =
        call[StandardSettings.userAgent].map { IdentifyingTransport(explained, as: $0) } ?? explained
      guard base.scheme == .gbfs else { return shown }
      return try translated(service, base, report: report) { _ in shown }
    }
    if let folder = call[StandardOptions.replay] {
      var replaying: any Transport = ReplayingTransport(folder: folder, base: base)
      if base.scheme == .gbfs {
        replaying = WarningTransport(inner: replaying, report: report ?? { messages.report($0) })
      }
      return sourceReported(logged(replaying, report: report), from: .recording)
    }
    let recorded = recorded(try unrecorded(service, base, limit, report: report), base, headers)
    // The files of a feed are reported, not the responses made of them.
    guard base.scheme != .gbfs else { return recorded }
    return sourceReported(recorded, from: base.isEmbedded ? .embedded : .network)
  }

  private func sourceReported(
    _ transport: any Transport, from origin: SourceReportingTransport.Origin
  ) -> any Transport {
    guard call[StandardSettings.meta] else { return transport }
    // Nothing can be reported if standard error cannot be written.
    return SourceReportingTransport(transport, from: origin, time: time) { [host] in
      try? host.errors.write($0 + "\n")
    }
  }

  private func identified(_ transport: any Transport) -> any Transport {
    IdentifyingTransport(
      transport, as: call[StandardSettings.userAgent] ?? "\(program.name)/\(program.version)")
  }

  private func recorded(_ transport: any Transport, _ base: URL, _ headers: Headers) -> any Transport {
    guard let folder = call[StandardOptions.record] else { return transport }
    return RecordingTransport(transport, folder: folder, base: base, headers: headers, clock: time)
  }

  /// Transport below the recording: a backend in the process, the network with its decorators, or a feed read through
  /// them.
  private func unrecorded(
    _ service: Service, _ base: URL, _ limit: RateLimit?, report: ((String) -> Void)?
  ) throws(Failure) -> any Transport {
    guard !base.isEmbedded || base.scheme == .gbfs else {
      let suite = try program.suite(service.suite)
      let settings = try backendSettings(base)
      try refuseMissingDatabase(of: suite, in: settings.store, base)
      return logged(EmbeddedTransport(Router([try suite.backend(settings)])), report: report)
    }
    let deadline = call[StandardOptions.deadline].map { Deadline(in: $0, time) }
    let limits = TimeLimits(attempt: call[StandardOptions.timeout], deadline: deadline)
    let network = identified(
      logged(NetworkTransport(environment: environment, limits: limits, time: time), report: report))
    guard base.scheme != .gbfs else {
      return try translated(service, base, report: report) { [time] feed in
        let files = LifetimeTransport(network) { feed.lifetime($0, time.now()) }
        return sourceReported(decorated(files, limit, deadline), from: .network)
      }
    }
    return base.scheme.hasHost ? decorated(network, limit, deadline) : network
  }

  /// Throws before a command that only reads would create a database at an address, which may be mistyped.
  private func refuseMissingDatabase(of suite: Suite, in store: Store, _ base: URL) throws(Failure) {
    let canCreate = suite.commands.contains { $0.needs.isSuperset(of: [.network, .writes]) }
    guard !base.database.isEmpty, canCreate, !call.command.needs.contains(.writes) else { return }
    for migrations in suite.databases where !migrations.isLocal {
      guard try !store.contains(migrations) else { continue }
      throw Failure(
        .notFound, "there is no database '\(migrations.name)' in '\(base.database)'",
        hint: "a command that changes something creates it")
    }
  }

  private func decorated(
    _ network: any Transport, _ limit: RateLimit?, _ deadline: Deadline?
  ) -> any Transport {
    var transport = network
    let folders = UserFolders(environment)
    let (waits, maxWait) = (call[StandardOptions.wait], call[StandardSettings.maxWait])
    if let limit {
      transport = RateLimitingTransport(
        // Without a home directory this process counts alone, as without write permission.
        transport, limit: limit, ledgersIn: (try? folders.state) ?? "",
        longestWait: waits ? deadline?.left(time) ?? max(.seconds(3600), maxWait) : .zero,
        longestRequestedWait: maxWait,
        deadline: deadline, time: time, report: { messages.report($0) })
    }
    var policy = RetryPolicy(retries: call[StandardOptions.retries])
    policy.longestWait = maxWait
    if !waits { policy.statuses.removeAll { $0 == 429 } }
    transport = RetryingTransport(
      transport, policy: policy, deadline: deadline, time: time, jitter: { $0 * Double.random(in: 0...1) },
      report: { messages.report($0) })
    if call[StandardOptions.cache], let folder = try? folders.cache {
      // A change that is made from a cached response could undo that of somebody else.
      let makesChange = !call.command.needs.isDisjoint(with: [.writes, .loss])
      transport = CachingTransport(
        transport, folder: folder, maxAge: makesChange ? nil : call[StandardOptions.maxAge].map(Int64.init),
        time: time,
        report: { messages.report($0, verbosity: 1) })
    }
    return transport
  }

  /// Adds the log of `-v` to a transport; without `report` it goes to standard error.
  private func logged(_ transport: any Transport, report: ((String) -> Void)?) -> any Transport {
    guard call[StandardOptions.verbose] > 0 else { return transport }
    return LoggingTransport(
      transport, detail: call[StandardOptions.verbose] > 1 ? .messages : .line, time: time,
      report: report ?? { messages.report($0, verbosity: 1) })
  }

  private func backendSettings(_ base: URL) throws(Failure) -> BackendSettings {
    let seed = UInt64(call[StandardSettings.seed])
    if base.scheme == .demo { return .demo(seed: seed, time: time) }
    let folder = base.database.isEmpty ? try UserFolders(environment).data : base.database
    return BackendSettings(
      store: store(in: folder, isBrief: true), hasSamples: false, seed: seed, time: time)
  }

  /// Store in a directory, with reports of its waits. `isBrief` and `waitsForLocks` are those of `Store`.
  public func store(in folder: String, isBrief: Bool = false, waitsForLocks: Bool = true) -> Store {
    Store(folder: folder, isBrief: isBrief, waitsForLocks: waitsForLocks, time: time)
      .reportingWaits { [messages] in messages.report($0) }
  }

  private func refuseWithoutSecret(_ service: Service, at base: URL) throws(Failure) {
    guard let credential = service.credential, let hint = credential.hint else { return }
    guard base.scheme.hasHost, base == (try URL(service.live)) else { return }
    throw Failure(.unauthorized, "'\(base)' requires a \(credential.setting), and none is set", hint: hint)
  }

  /// Advice for a service whose secret is missing; nil if the secret is set or none is required.
  public func missingSecret(of service: Service) throws(Failure) -> String? {
    guard !isReplaying, let credential = service.credential, try secret(of: service) == nil else {
      return nil
    }
    return "no \(credential.setting): set \(service.variable)"
  }

  private func secret(of service: Service) throws(Failure) -> Secret? {
    guard !isReplaying, let credential = service.credential else { return nil }
    if call.isGiven(credential.file), let file = call[credential.file] {
      return (try secret(in: file, called: credential.setting), .file(file))
    }
    return secret(ofVariables: [service.variable] + credential.variables, orKey: service.secretKey)
  }

  private func secret(ofVariables variables: [String], orKey key: String) -> Secret? {
    call.configuration.value(of: variables, [key], environment).map { text, origin in
      if case .variable(let name) = origin { (text, .variable(name)) } else { (text, .setting(key)) }
    }
  }
}

private struct Offline: Transport {
  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    throw Failure(.connection, "there is no cached response for '\(request.url)'")
  }
}

/// Reports the messages about a feed in recorded responses.
private struct WarningTransport: Transport {
  let inner: any Transport
  let report: (String) -> Void

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let response = try inner.send(request)
    for field in response.headers.fields where field.name == FeedTranslation.warning { report(field.value) }
    return response
  }
}
