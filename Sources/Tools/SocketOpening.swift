import Command
import Server
import System

/// The sockets of a server: passed on by a service manager, or opened from the options.
struct SocketOpening {
  /// The addresses for clients, before port 0 has become a number.
  let addresses: [SocketAddress]
  private let inherited: [Listener]
  private let metrics: Listener?
  private let metricsAddress: SocketAddress?

  /// The name of a passed socket that is for metrics.
  private static let metricsName = "metrics"

  /// `picksPort`: without `--listen` it is any free port.
  init(_ call: Invocation, _ manager: ServiceManager, picksPort: Bool) throws(Failure) {
    var service: [Listener] = []
    var metrics: Listener?
    for socket in manager.sockets {
      let listener = try Listener(inherited: socket.number)
      if socket.name == SocketOpening.metricsName {
        guard metrics == nil else {
          throw Failure(
            .usage, "two sockets are named '\(SocketOpening.metricsName)'",
            hint: "metrics are served on one socket: remove the other")
        }
        metrics = listener
      } else {
        service.append(listener)
      }
    }
    if !service.isEmpty, call.isGiven(Toolbox.serveListen) {
      throw Failure(
        .usage, "'--listen' cannot be used with the sockets of a service manager",
        hint: "remove it, or name the address in the socket unit alone")
    }
    if metrics != nil, call.isGiven(Toolbox.serveMetrics) {
      throw Failure(
        .usage, "'--metrics-listen' cannot be used with a socket '\(SocketOpening.metricsName)'",
        hint: "remove it, or name the address in the socket unit alone")
    }
    inherited = service
    self.metrics = metrics
    if service.isEmpty {
      let text = picksPort && !call.isGiven(Toolbox.serveListen) ? "127.0.0.1:0" : call[Toolbox.serveListen]
      addresses = [try ListenAddress(text).socket]
    } else {
      addresses = service.map(\.address)
    }
    metricsAddress =
      if metrics == nil, let text = call[Toolbox.serveMetrics] { try ListenAddress(text).socket } else { nil }
  }

  /// Listens on an address that is not in use.
  func open() throws(Failure) -> ServerSockets {
    var sockets = ServerSockets(inherited, metrics: metrics)
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
