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
    for detail in details where detail.name == "subkind" {
      if case .text(let name) = detail.value { return ConnectionSubkind(rawValue: name) }
    }
    return nil
  }

  /// Adds the subkind, unless the failure has one.
  public func with(_ subkind: ConnectionSubkind) -> Failure {
    guard !details.contains(where: { $0.name == "subkind" }) else { return self }
    var failure = self
    failure.details.append(.init("subkind", .text(subkind.rawValue)))
    return failure
  }
}
