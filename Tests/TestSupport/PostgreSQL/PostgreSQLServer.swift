import Foundation
import Synchronization

/// A PostgreSQL server of this process's own: in a temporary directory, on a Unix socket, run by an unprivileged user
/// and with `fsync`. Each test gets a schema of its own.
public final class PostgreSQLServer: Sendable {
  /// Nil where PostgreSQL is not installed, or does not start.
  public static let shared = try? PostgreSQLServer()

  public let directory: ScratchDirectory
  /// The directory of PostgreSQL's programs.
  public let tools: String
  /// In the name of the Unix socket too.
  public let port: Int
  private let certificate: Certificate?
  private let hasSmallDisk: Bool
  /// As arguments of `-c`.
  private let settings: [String]
  private let count = Mutex(0)

  private var data: String { directory.file("data") }

  /// With a certificate it also listens on 127.0.0.1, with TLS.
  public init(certificate: Certificate? = nil, hasSmallDisk: Bool = false, settings: [String] = []) throws {
    self.certificate = certificate
    self.hasSmallDisk = hasSmallDisk
    self.settings = settings
    port = certificate == nil ? 5432 : try Loopback.freePort()
    guard let tools = PostgreSQLServer.tools else { throw CocoaError(.fileNoSuchFile) }
    self.tools = tools
    directory = try PostgreSQLServer.makeDirectory()
    try Spawn.run(
      Daemon.unprivileged + [
        "\(tools)/initdb", "-D", data, "-A", "trust", "-U", "hw", "-E", "UTF8", "--locale=C.UTF-8",
        "--no-sync",
      ])
    if let certificate { try use(certificate) }
    try start()
  }

  /// The words of `init(standbyOf:or:name:command:)` that stand for the directory, the servers and their user.
  public static let standbyCommand =
    "pg_basebackup -R -c fast -D /var/lib/postgresql/15/main -d 'host=db1.example,db2.example,db3.example user=replicator application_name=db2'"

  /// A standby that has everything the primary has now, and follows it as `name`, or `other` if that is promoted. The
  /// command makes its directory.
  public init(
    standbyOf primary: PostgreSQLServer, or other: PostgreSQLServer? = nil, name: String,
    command: String = PostgreSQLServer.standbyCommand
  ) throws {
    certificate = nil
    hasSmallDisk = false
    settings = ["hot_standby=on"]
    port = primary.port
    tools = primary.tools
    directory = try PostgreSQLServer.makeDirectory()
    let line = command.replacing("/var/lib/postgresql/15/main", with: data)
      .replacing(
        "db1.example,db2.example,db3.example",
        with: ([primary, other].compactMap { $0?.directory.path }).joined(separator: ",") + " port=\(port)"
      )
      .replacing("replicator", with: "hw").replacing("=db2", with: "=\(name)")
    try Spawn.run(
      Daemon.unprivileged + ["sh", "-c", "PATH=\(tools):$PATH; \(line) --no-sync"])
    try start()
  }

  /// The directory of the newest installed version's programs; nil where there is none.
  static let tools: String? = {
    let files = FileManager.default
    let root = "/usr/lib/postgresql"
    let versions = ((try? files.contentsOfDirectory(atPath: root)) ?? []).sorted {
      ($0 as NSString).doubleValue > ($1 as NSString).doubleValue
    }
    let candidates = versions.map { "\(root)/\($0)/bin" } + ["/usr/bin", "/usr/local/bin"]
    return candidates.first { files.isExecutableFile(atPath: "\($0)/initdb") }
  }()

  /// With an empty directory `data`.
  private static func makeDirectory() throws -> ScratchDirectory {
    let directory = try ScratchDirectory()
    let data = directory.file("data")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data)
    Daemon.give([data, directory.path])
    return directory
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
    geteuid() == 0 && (try? Spawn.run(mounting + ["mount -t tmpfs tmpfs /mnt"])) != nil

  public func start() throws {
    var settings = [
      "listen_addresses=", "port=\(port)", "max_connections=200", "logging_collector=off",
      "log_min_messages=panic",
    ]
    settings += self.settings
    if certificate != nil {
      settings[0] += "127.0.0.1"
      settings += ["ssl=on", "ssl_cert_file=certificate.pem", "ssl_key_file=key.pem"]
    }
    let server =
      Daemon.unprivileged + ["\(tools)/postgres", "-D", data, "-k", directory.path]
      + settings.flatMap { ["-c", $0] }
    try Daemon.start(mountingSmallDisk + server, name: "postgres")
    // The file of a server that was killed has the word too.
    try waitUntil("PostgreSQL to be ready") {
      directory.text("data/postmaster.pid").contains("\nready") && (try? execute("SELECT 1")) != nil
    }
  }

  /// Ends the server at once, as a crash does.
  public func stop() throws {
    try Spawn.run(Daemon.unprivileged + ["\(tools)/pg_ctl", "-D", data, "-m", "immediate", "-w", "stop"])
  }

  /// Kills the server with all its processes, as the loss of its machine does.
  public func kill() throws {
    let text = directory.text("data/postmaster.pid")
    guard let id = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    let children = PostgreSQLServer.processes(childrenOf: id)
    for process in [id] + children { Foundation.kill(process, SIGKILL) }
    try waitUntil("PostgreSQL to end") {
      ([id] + children).allSatisfy { ["", "Z"].contains(PostgreSQLServer.status(of: $0).first ?? "") }
    }
  }

  private static func processes(childrenOf parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { status(of: $0).dropFirst().first == "\(parent)" }
  }

  /// The state of a process, its parent, and more; nothing if there is none.
  private static func status(of id: pid_t) -> [Substring] {
    let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
    // They follow the name, which may contain anything.
    return stat.lastIndex(of: ")").map { stat[$0...].dropFirst().split(separator: " ") } ?? []
  }

  /// Makes a standby the primary.
  public func promote() throws {
    try Spawn.run(Daemon.unprivileged + ["\(tools)/pg_ctl", "-D", data, "-w", "promote"])
  }

  /// The address of what this server or the other one has, whichever can be written.
  public func address(
    or other: PostgreSQLServer, schema: String = "public", database: String = "postgres"
  ) -> String {
    let hosts = [self, other].map { $0.directory.path.replacing("/", with: "%2F") }.joined(separator: ",")
    return
      "postgresql://hw@/\(database)?host=\(hosts)&port=\(port),\(other.port)&options=-csearch_path%3D\(schema)"
  }

  /// Runs SQL with psql and returns what it prints.
  @discardableResult public func execute(_ sql: String, database: String = "postgres") throws -> String {
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
