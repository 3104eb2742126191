import Foundation
import Synchronization

/// A PostgreSQL server of this process's own: in a temporary directory, on a Unix socket, run by an unprivileged user
/// and with `fsync`. Each test gets a schema of its own.
public final class PostgreSQLServer: Sendable {
  /// Nil where PostgreSQL is not installed: tests that need it skip.
  public static let shared = try? PostgreSQLServer()
  public static var isAvailable: Bool { shared != nil }
  public static let missing = "PostgreSQL is not installed"

  public let directory: ScratchDirectory
  private let tools: String
  /// In the name of the Unix socket too.
  public let port: Int
  private let certificate: Certificate?
  private let hasSmallDisk: Bool
  private let count = Mutex(0)

  private var data: String { directory.file("data") }

  /// With a certificate it also listens on 127.0.0.1, with TLS.
  public init(certificate: Certificate? = nil, hasSmallDisk: Bool = false) throws {
    self.certificate = certificate
    self.hasSmallDisk = hasSmallDisk
    port = certificate == nil ? 5432 : try Loopback.freePort()
    let fileManager = FileManager.default
    let root = "/usr/lib/postgresql"
    let versions = ((try? fileManager.contentsOfDirectory(atPath: root)) ?? []).sorted {
      ($0 as NSString).doubleValue > ($1 as NSString).doubleValue
    }
    let candidates = versions.map { "\(root)/\($0)/bin" } + ["/usr/bin", "/usr/local/bin"]
    guard let tools = candidates.first(where: { fileManager.isExecutableFile(atPath: "\($0)/initdb") }) else {
      throw CocoaError(.fileNoSuchFile)
    }
    self.tools = tools
    directory = try ScratchDirectory()
    try fileManager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    try fileManager.createDirectory(atPath: data, withIntermediateDirectories: false)
    Daemon.give([data, directory.path])
    try Spawn.run(
      Daemon.unprivileged + [
        "\(tools)/initdb", "-D", data, "-A", "trust", "-U", "hw", "-E", "UTF8", "--locale=C.UTF-8",
        "--no-sync",
      ])
    if let certificate { try use(certificate) }
    try start()
  }

  /// What it identifies itself with after its next start. It gets copies of the files, since it refuses a key that belongs
  /// to another user.
  public func use(_ certificate: Certificate) throws {
    for (source, name) in [(certificate.path, "certificate.pem"), (certificate.key, "key.pem")] {
      let target = "\(data)/\(name)"
      try? FileManager.default.removeItem(atPath: target)
      try FileManager.default.copyItem(atPath: source, toPath: target)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
      Daemon.give([target])
    }
  }

  /// A disk of 24 MB that only the server sees, in a mount namespace that ends with it.
  public var smallDisk: String { directory.file("small-disk") }

  private var mountingSmallDisk: [String] {
    guard hasSmallDisk else { return [] }
    return PostgreSQLServer.mounting + [
      "mkdir -p \"$0\" && mount -t tmpfs -o size=24m,\(Daemon.ownership) tmpfs \"$0\" && exec \"$@\"",
      smallDisk,
    ]
  }

  private static let mounting = ["unshare", "--mount", "sh", "-c"]
  /// Only root may mount, and not in every container.
  public static let canMount =
    geteuid() == 0
    && (try? Spawn.run(mounting + ["mount -t tmpfs tmpfs /mnt"])) != nil

  public func start() throws {
    var settings = [
      "listen_addresses=", "port=\(port)", "max_connections=200", "logging_collector=off",
      "log_min_messages=panic",
    ]
    if certificate != nil {
      settings[0] += "127.0.0.1"
      settings += ["ssl=on", "ssl_cert_file=certificate.pem", "ssl_key_file=key.pem"]
    }
    let server =
      Daemon.unprivileged + ["\(tools)/postgres", "-D", data, "-k", directory.path]
      + settings.flatMap { ["-c", $0] }
    try Daemon.start(mountingSmallDisk + server, name: "postgres")
    try awaitReady()
  }

  private func awaitReady() throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if (try? execute("SELECT 1")) != nil { return }
      usleep(50_000)
    }
    throw CocoaError(.executableLoad)
  }

  /// Ends the server at once, as a crash does.
  public func stop() throws {
    try Spawn.run(
      Daemon.unprivileged + [
        "\(tools)/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop",
      ])
  }

  /// Runs SQL with psql and returns what it prints.
  @discardableResult
  public func execute(_ sql: String, database: String = "postgres") throws -> String {
    try Spawn.run([
      "\(tools)/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", directory.path, "-p", "\(port)", "-U",
      "hw", "-d", database, "-c", sql,
    ])
  }

  /// The address of a new, empty schema.
  public func newSchema() throws -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let schema = "t\(getpid())_\(number)"
    try execute("CREATE SCHEMA \(schema)")
    return address(schema: schema)
  }

  public func address(schema: String = "public", database: String = "postgres") -> String {
    let host = directory.path.replacing("/", with: "%2F")
    return "postgresql://hw@/\(database)?host=\(host)&port=\(port)&options=-csearch_path%3D\(schema)"
  }

  /// The address of the same schema over TCP.
  public func networkAddress(schema: String = "public", _ options: String) -> String {
    "postgresql://hw@127.0.0.1:\(port)/postgres?\(options)&options=-csearch_path%3D\(schema)"
  }
}
