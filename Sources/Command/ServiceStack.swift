import HTTP
import Output
import Server
import Store
import System

extension Context {
  /// The service as its client sees it, with everything that the command line, the variables and the configuration
  /// say of the way there.
  public func endpoint(_ service: Service) throws(Failure) -> Endpoint {
    try endpoint(service, limit: service.limit)
  }

  /// The same, within a limit that is known only now.
  public func endpoint(_ service: Service, limit: RateLimit?) throws(Failure) -> Endpoint {
    let base = try address(of: service)
    let secret = try secret(of: service, at: base)
    let headers: Headers =
      if let secret, let credential = service.credential { [credential.header: secret] } else { [:] }
    return Endpoint(base, headers: headers, try transport(service, base, limit))
  }

  /// Where the service is asked.
  public func address(of service: Service) throws(Failure) -> URL {
    try URL(call[StandardOptions.url] ?? service.address)
  }

  /// The service as far as this machine knows it: a backend in the process, or the last answers that were kept, however
  /// old. Whatever else is asked fails, and nothing is sent.
  func offlineEndpoint(_ service: Service) throws(Failure) -> Endpoint {
    let base = try URL(call[StandardOptions.url] ?? service.address)
    let secret = try? secret(of: service, at: base)
    let headers: Headers =
      if let secret, let credential = service.credential { [credential.header: secret] } else { [:] }
    guard base.scheme.hasHost || base.scheme == .unix else {
      return Endpoint(base, headers: headers, try bottom(service, base, nil))
    }
    var policy = Cached.Policy()
    policy.maxAge = .max
    return Endpoint(
      base, headers: headers,
      Cached(
        Offline(), folder: try Folders(host.environment).cache, policy: policy, time: time, tell: { _ in }))
  }

  /// The same context for a command of another suite: with what variables and configuration say of that one.
  public func asking(_ suite: String) throws(Failure) -> Context {
    var call = Invocation(call, for: suite)
    try Settings(environment: host.environment, configuration: call.configuration).apply(to: &call)
    return Context(program: program, call: call, host: host, output: output, messages: messages)
  }

  /// The way of a request, from the command down: each layer knows only the next.
  private func transport(
    _ service: Service, _ base: URL, _ limit: RateLimit?
  ) throws(Failure) -> any Transport {
    let deadline = call[StandardOptions.deadline].map { Deadline(in: $0, time) }
    if call[StandardOptions.explain] {
      return Explained(variable: service.variable) { line throws(Failure) in
        try output.outlet.write(line + "\n")
      }
    }
    var transport = try bottom(service, base, deadline)
    if call[StandardOptions.verbose] > 0 {
      transport = Logged(
        transport, detail: call[StandardOptions.verbose] > 1 ? .headers : .line, time: time,
        tell: { messages.tell($0, verbosity: 1) })
    }
    guard base.scheme.hasHost else { return transport }
    // A recording has been through the limit, the retries and the cache already.
    if call[StandardOptions.replay] != nil { return transport }

    let folders = Folders(host.environment)
    let waits = call[StandardOptions.wait]
    if let limit {
      transport = RateLimited(
        transport, limit: limit, ledgersIn: try folders.state,
        patience: waits ? .wait(atMost: deadline?.left(time) ?? .seconds(3600)) : .failAtOnce,
        deadline: deadline, time: time, tell: { messages.tell($0) })
    }
    var policy = RetryPolicy(retries: call[StandardOptions.retries])
    if !waits { policy.statuses.remove(429) }
    transport = Retrying(
      transport, policy: policy, deadline: deadline, time: time, jitter: { $0 * Double.random(in: 0...1) },
      tell: { messages.tell($0) })
    if call[StandardOptions.cache] {
      var cache = Cached.Policy()
      cache.maxAge = call[StandardOptions.maxAge].map(Int64.init)
      transport = Cached(
        transport, folder: try folders.cache, policy: cache, time: time,
        tell: { messages.tell($0, verbosity: 1) })
    }
    return transport
  }

  /// What answers in the end: a recording, a backend in the process, or the network.
  private func bottom(_ service: Service, _ base: URL, _ deadline: Deadline?) throws(Failure) -> any Transport
  {
    if let folder = call[StandardOptions.replay] { return Replayed(folder: folder) }
    let transport: any Transport
    if base.scheme.hasHost || base.scheme == .unix {
      let limits = TimeLimits(attempt: call[StandardOptions.timeout], deadline: deadline)
      transport = Network(environment: host.environment, limits: limits, time: time)
    } else {
      let suite = try program.suite(service.suite)
      transport = EmbeddedTransport(Router([try suite.backend(backendSettings(base))]))
    }
    guard let folder = call[StandardOptions.record] else { return transport }
    return Recorded(transport, folder: folder)
  }

  private func backendSettings(_ base: URL) throws(Failure) -> BackendSettings {
    let seed = UInt64(call[StandardOptions.seed])
    if base.scheme == .demo { return .demo(seed: seed, time: time) }
    let folder = base.database.isEmpty ? try Folders(host.environment).data : base.database
    return BackendSettings(
      store: Store(folder: folder, time: time), hasSamples: false, seed: seed, time: time)
  }

  /// The secret that goes along; a live service that wants one is not asked without.
  private func secret(of service: Service, at base: URL) throws(Failure) -> String? {
    guard let credential = service.credential else { return nil }
    let secret = try credentialText(credential, service)
    if secret == nil, let hint = credential.hint, base == (try URL(service.address)), base.scheme.hasHost {
      throw Failure(.unauthorized, "'\(base)' wants a \(credential.setting), and none is set", hint: hint)
    }
    return secret ?? (base.isEmbedded ? credential.embedded : nil)
  }

  private func credentialText(_ credential: Credential, _ service: Service) throws(Failure) -> String? {
    if let file = call[credential.file] { return try secret(in: file, called: credential.setting) }
    for variable in [service.variable] + credential.variables {
      if let text = host.environment[variable] { return text }
    }
    return call.configuration["\(service.suite).\(credential.setting)"]?.value
  }
}

/// A network that is not asked.
private struct Offline: Transport {
  func send(_ request: Request) throws(Failure) -> Response {
    throw Failure(.connection, "'\(request.url)' is not asked for this")
  }
}

extension Service {
  /// The variable that holds the secret: `HW_NBA_KEY`.
  public var variable: String {
    "HW_\(suite.uppercased())_\((credential?.setting ?? "token").uppercased())"
  }
}
