import System

/// Answers GET from a copy where the service allows it, or the user does (RFC 9111, as a private cache).
///
/// `--no-cache` needs nothing here: the stack is built without this decorator then, so nothing is read or written.
/// Whatever a service is asked to change, its copies go: what is read after a write is what was written.
public final class Cached: Transport {
  private let inner: any Transport
  private let folder: String
  private let policy: Policy
  private let time: any TimeKeeper
  private let report: (String) -> Void
  private var hasReported = false

  public struct Policy: Sendable {
    /// `--max-age`: a copy of up to that many seconds is good enough, whatever the service says; so its answers are
    /// kept, whatever it says.
    public var maxAge: Int64?
    /// A stale copy is better than none when there is no connection.
    public var staleIfError = false
    /// Bytes, of all copies together. The ones written longest ago go first.
    public var sizeLimit = 64 << 20

    public init() {}
  }

  /// `tell` is for those who want to know (`-v`).
  public init(
    _ inner: any Transport, folder: String, policy: Policy, time: any TimeKeeper,
    report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.folder = folder
    self.policy = policy
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    switch request.method {
    case .get where !isConditional(request): try answer(request)
    case .get, .head, .options: try inner.send(request)
    case .post, .put, .delete, .patch: try change(request)
    }
  }

  /// The caller minds such things itself.
  private func isConditional(_ request: Request) -> Bool {
    ["If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"].contains {
      request.headers[$0] != nil
    } || CacheControl(request.headers).noStore
  }

  private func answer(_ request: Request) throws(Failure) -> Response {
    let path = "\(folder)/\(CacheEntry.name(request))"
    let maxAge = policy.maxAge ?? request.maxAge.map { Int64($0.wholeSeconds) }
    guard let entry = (try? File.read(path)).flatMap({ $0.flatMap(CacheEntry.init) }) else {
      return try keep(try inner.send(request), path, maxAge)
    }
    let age = entry.age(time.now())
    if let age, request.maxAge != .zero, maxAge.map({ age <= $0 }) ?? (age < entry.lifetime) {
      return entry.answer(aged: age)
    }
    return try renew(entry, path, maxAge, for: request)
  }

  private func renew(
    _ entry: CacheEntry, _ path: String, _ maxAge: Int64?, for request: Request
  ) throws(Failure) -> Response {
    var question = request
    for field in entry.validators.fields { question.headers[field.name] = field.value }
    do throws(Failure) {
      let response = try inner.send(question)
      return try keep(response.status == 304 ? entry.confirmed(by: response) : response, path, maxAge)
    } catch {
      let control = CacheControl(entry.response.headers)
      guard policy.staleIfError, error.kind == .connection, !control.mustRevalidate, !control.noCache,
        let age = entry.age(time.now())
      else { throw error }
      report("\(error.message); this is the answer of \(age) s ago")
      return entry.answer(aged: age)
    }
  }

  /// Keeps what may be kept and can be of use; hands it on in any case.
  private func keep(_ response: Response, _ path: String, _ maxAge: Int64?) throws(Failure) -> Response {
    guard response.status == 200 else { return response }
    let entry = CacheEntry(response: response, stored: time.now().seconds)
    guard mayKeep(entry, maxAge) else {
      attempt { () throws(Failure) in try File.remove(path) }
      return response
    }
    attempt { () throws(Failure) in
      try Folder.make(folder)
      try DisposableFile.replace(path, with: entry.bytes)
      try DisposableFile.prune(folder, to: policy.sizeLimit)
    }
    try Interruption.check()
    return response
  }

  private func mayKeep(_ entry: CacheEntry, _ maxAge: Int64?) -> Bool {
    guard entry.response.body.count <= policy.sizeLimit / 4, entry.response.headers["Vary"] != "*" else {
      return false
    }
    if maxAge != nil { return true }
    guard !CacheControl(entry.response.headers).noStore else { return false }
    return policy.staleIfError || entry.lifetime > 0 || !entry.validators.fields.isEmpty
  }

  private func change(_ request: Request) throws(Failure) -> Response {
    // Even when no answer comes: it may have been done.
    defer { forget(request.url) }
    return try inner.send(request)
  }

  private func forget(_ url: URL) {
    let origin = CacheEntry.origin(url)
    attempt { () throws(Failure) in
      for name in try Folder.names(folder) where name.hasPrefix(origin) {
        try File.remove("\(folder)/\(name)")
      }
    }
  }

  /// The answer does not depend on the cache: what goes wrong with it is told once, and that is all.
  private func attempt(_ work: () throws(Failure) -> Void) {
    do throws(Failure) {
      try work()
    } catch {
      if !hasReported { report("cache: \(error.message)") }
      hasReported = true
    }
  }
}

extension CacheEntry {
  fileprivate func answer(aged age: Int64) -> Response {
    var response = response
    response.headers["Age"] = String(age)
    return response
  }
}
