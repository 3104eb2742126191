import System

/// Why a service is not available: the member `subkind` of an error with status 5 in JSON.
public enum ConnectionSubkind: String, CaseIterable, Sendable {
  /// The name of the host cannot be resolved.
  case dns
  case refused
  /// No route to the host, or another error of the system.
  case unreachable
  /// No encrypted connection, or a certificate that is not trusted.
  case tls
  case proxy
  /// No connection or no response within a time limit.
  case timeout
  /// The connection ended before the end of the response.
  case truncated
  /// The response is an error of the server, 500 to 599.
  case serverError
  /// `--replay`: the recording does not have the request.
  case notRecorded
}

extension Failure {
  public var subkind: ConnectionSubkind? {
    for detail in details where detail.name == "subkind" {
      if case .text(let name) = detail.value { return ConnectionSubkind(rawValue: name) }
    }
    return nil
  }

  /// Returns the failure with the sub-kind, unless it has one.
  public func of(_ subkind: ConnectionSubkind) -> Failure {
    guard !details.contains(where: { $0.name == "subkind" }) else { return self }
    var failure = self
    failure.details.append(.init("subkind", .text(subkind.rawValue)))
    return failure
  }
}
