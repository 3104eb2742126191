import System

/// The member `subkind` of an error with status 5 in JSON.
public enum ConnectionSubkind: String, CaseIterable, Sendable {
  case dns
  case refused
  /// No route to the host, or another error of the system.
  case unreachable
  /// No encrypted connection, or a certificate that is not trusted.
  case tls
  case proxy
  case timeout
  case truncated
  case serverError
  /// The recording of `--replay` lacks the request.
  case notRecorded
}

extension Failure {
  public var subkind: ConnectionSubkind? {
    guard case .text(let name) = detail("subkind") else { return nil }
    return ConnectionSubkind(rawValue: name)
  }

  public func detail(_ name: String) -> Detail.Value? { details.first { $0.name == name }?.value }

  /// Adds the subkind, unless the failure has one.
  public func with(_ subkind: ConnectionSubkind) -> Failure {
    guard detail("subkind") == nil else { return self }
    var failure = self
    failure.details.append(.init("subkind", .text(subkind.rawValue)))
    return failure
  }
}
