import CLibraries

/// Protocols of systemd: inherited sockets (`sd_listen_fds`) and notifications about the state (`sd_notify`).
public struct ServiceManager: Sendable {
  /// Variables of the protocols, meant for one process and not for its children.
  public static let variables = [
    "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC",
  ]

  private static let firstSocket: Int32 = 3
  private static let mostSockets: Int32 = 64

  /// Descriptors in the order of the unit; none if the variables are meant for another process.
  public let sockets: Range<Int32>
  private let notifications: SocketAddress?
  /// Interval of watchdog pings: half of the period after which the manager would end the service.
  public let watchdogInterval: Duration?

  public init(_ environment: Environment, process: Int32 = getpid()) throws(Failure) {
    let isOurs = environment["LISTEN_PID"].flatMap { Int32($0) } == process
    let count = isOurs ? environment["LISTEN_FDS"].flatMap { Int32($0) } ?? 0 : 0
    guard (0...ServiceManager.mostSockets).contains(count) else {
      throw Failure(
        .usage, "LISTEN_FDS is \(count), and at most \(ServiceManager.mostSockets) sockets are possible")
    }
    sockets = ServiceManager.firstSocket..<ServiceManager.firstSocket + count
    notifications = environment["NOTIFY_SOCKET"].flatMap { name in
      name.hasPrefix("@")
        ? SocketAddress(abstractName: String(name.dropFirst())) : SocketAddress(unixPath: name)
    }
    let isWatched = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
    let period = isWatched ? environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0 : 0
    watchdogInterval = period > 0 && notifications != nil ? .microseconds(max(1000, period / 2)) : nil
  }

  public enum State: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
    case alive = "WATCHDOG=1"
  }

  /// Reports the state if the manager requests it. Never waits: a manager that does not read loses the message.
  public func notify(_ state: State) {
    guard let notifications else { return }
    let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard let sender = try? call({ socket(AF_UNIX, kind, 0) }) else { return }
    defer { _ = Glibc.close(sender) }
    let text = Array(state.rawValue.utf8)
    unsafe _ = notifications.withSockaddr { name, length in
      unsafe sendto(sender, text, text.count, Int32(MSG_NOSIGNAL), name, length)
    }
  }
}
