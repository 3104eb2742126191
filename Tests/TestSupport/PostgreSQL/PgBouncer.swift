import Foundation
import System

/// A pgbouncer in transaction mode before a PostgreSQL server: each transaction gets any of its connections. On a Unix
/// socket in a temporary directory; it ends with the process, however that ends.
public final class PgBouncer: Sendable {
  private let directory: ScratchDirectory
  private static let port = 6432

  /// `settings` are lines of its configuration. Without `host` it uses the Unix socket of the server.
  public init(
    _ server: PostgreSQLServer, host: String? = nil, connections: Int = 4, settings: [String] = []
  ) throws {
    guard let program = Tool.pgbouncer.path else { throw CocoaError(.fileNoSuchFile) }
    directory = try ScratchDirectory()
    let lines =
      [
        "[databases]", "* = host=\(host ?? server.directory.path) port=\(server.port)", "[pgbouncer]",
        "listen_addr =", "listen_port = \(PgBouncer.port)", "unix_socket_dir = \(directory.path)",
        "auth_type = trust", "auth_file = \(directory.file("users"))", "pool_mode = transaction",
        // It uses its connections in turn, so that each transaction gets another one.
        "default_pool_size = \(connections)", "min_pool_size = \(connections)", "server_round_robin = 1",
        "max_client_conn = 100", "server_login_retry = 0.1",
      ] + settings
    try directory.write(lines.joined(separator: "\n") + "\n", to: "settings")
    try directory.write("\"hw\" \"\"\n", to: "users")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    Daemon.give([directory.path, directory.file("settings"), directory.file("users")])
    try Daemon.start(Daemon.unprivileged + [program, "-q", directory.file("settings")], name: "pgbouncer")
    guard let address = SocketAddress(unixPath: directory.file(".s.PGSQL.\(PgBouncer.port)")) else { return }
    // The socket is there a moment before connections to it are accepted.
    try waitUntil("pgbouncer to listen") {
      let client = try Socket(.unix)
      defer { client.close() }
      return (try? client.connect(to: address)) == true
    }
  }

  /// The address of a database of the server.
  public func address(database: String, options: String = "") -> String {
    let host = directory.path.replacing("/", with: "%2F")
    return "postgresql://hw@/\(database)?host=\(host)&port=\(PgBouncer.port)\(options)"
  }
}
