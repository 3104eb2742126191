import Command
import Server
import System

/// A backend that consists of what a test gives it.
public struct ScriptedBackend: Backend {
  public let suite: String
  public let routes: [Route]
  public var errors = ErrorStyle.json
  public var hasMemory = false
  public var runTransaction: (_ body: () throws(Failure) -> Void) throws(Failure) -> Void = {
    body throws(Failure) in try body()
  }
  public var onPrepare: ([Call]) -> Void = { _ in }
  public var onTransactionEnd: (_ isCommitted: Bool) -> Void = { _ in }

  public init(_ suite: String, errors: ErrorStyle = .json, routes: [Route]) {
    self.suite = suite
    self.errors = errors
    self.routes = routes
  }

  public func transaction(_ body: () throws(Failure) -> Void) throws(Failure) { try runTransaction(body) }
  public func prepare(_ calls: [Call]) { onPrepare(calls) }
  public func transactionEnded(isCommitted: Bool) { onTransactionEnd(isCommitted) }
}

extension Suite {
  /// Returns the suite with a scripted backend wherever `scripted` returns one.
  public func served(by scripted: @escaping @Sendable () -> (any Backend)?) -> Suite {
    Suite(
      name, summary, service: self.service,
      backend: { settings, options throws(Failure) in
        if let backend = scripted() { return backend }
        return try self.backend(settings, options)
      }, databases: self.databases, commands: self.commands)
  }
}
