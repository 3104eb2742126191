import Command
import Server
import System

/// Opens the sockets of a server, or takes those of a service manager.
struct SocketOpening {
  /// Addresses for clients; port 0 is not a number yet.
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
