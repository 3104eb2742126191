import Foundation
import Synchronization

/// A PostgreSQL server of this process's own: in a temporary directory, on a Unix socket, run by an unprivileged user
/// and with `fsync`. It ends with the process, however that ends. Each test gets a schema of its own.
public final class PostgreSQLServer: Sendable {
  /// Nil where PostgreSQL is not installed: tests that need it skip.
  public static let shared = try? PostgreSQLServer()
  public static var isAvailable: Bool { shared != nil }
  public static let missing = "PostgreSQL is not installed"

  public let directory: ScratchDirectory
  private let tools: String
  private let count = Mutex(0)

  public init() throws {
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
    let data = directory.file("data")
    try fileManager.createDirectory(atPath: data, withIntermediateDirectories: false)
    if geteuid() == 0 { for path in [data, directory.path] { chown(path, 65534, 65534) } }
    try PostgreSQLServer.run(
      PostgreSQLServer.unprivileged + [
        "\(tools)/initdb", "-D", data, "-A", "trust", "-U", "hw", "-E", "UTF8", "--locale=C.UTF-8",
        "--no-sync",
      ])
    try start()
  }

  /// The server ends when the pipe that this process holds is closed.
  private static let leash: Int32 = {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return 0 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends[0]
  }()

  public func start() throws {
    // Not a child of this process: when it ended, it would be a zombie, and the test library's wait for the process of
    // an exit test would find that one again and again. What other tests have open must not stay open in the server. A
    // background job of a shell reads from /dev/null unless it is given something else.
    let script = """
      exec 3<&0
      {
        for path in /proc/$BASHPID/fd/*; do
          number=${path##*/}
          if ((number > 3)); then eval "exec $number>&-"; fi
        done
        server=$BASHPID
        (cat <&3 >/dev/null; if [[ $(</proc/$server/comm) == postgres ]]; then kill -QUIT $server; fi) &
        exec "$@" 3<&- </dev/null
      } &
      """
    let server =
      PostgreSQLServer.unprivileged + [
        "\(tools)/postgres", "-D", directory.file("data"), "-k", directory.path, "-c", "listen_addresses=",
        "-c", "max_connections=200", "-c", "logging_collector=off", "-c", "log_min_messages=panic",
      ]
    try PostgreSQLServer.run(["bash", "-c", script, "bash"] + server, input: PostgreSQLServer.leash)
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
    try PostgreSQLServer.run(
      PostgreSQLServer.unprivileged + [
        "\(tools)/pg_ctl", "-D", directory.file("data"), "-m", "immediate", "-w", "stop",
      ])
  }

  /// Runs SQL with psql and returns what it prints.
  @discardableResult
  public func execute(_ sql: String, database: String = "postgres") throws -> String {
    try PostgreSQLServer.run([
      "\(tools)/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", directory.path, "-U", "hw", "-d", database,
      "-c", sql,
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
    return "postgresql://hw@/\(database)?host=\(host)&options=-csearch_path%3D\(schema)"
  }

  private static var unprivileged: [String] {
    let user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    return ["env", "-C", "/"] + (geteuid() == 0 ? user : [])
  }

  /// Starts a program; what it prints goes to a file or nowhere. Not Foundation's `Process`: it needs a run loop, and
  /// the threads of tests have none.
  private static func spawn(
    _ arguments: [String], input: Int32? = nil, output: String = "/dev/null"
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child = pid_t()
    guard posix_spawnp(&child, arguments[0], &actions, &attributes, &words, environ) == 0 else {
      throw CocoaError(.executableLoad)
    }
    return child
  }

  @discardableResult
  private static func run(_ arguments: [String], input: Int32? = nil) throws -> String {
    let scratch = try ScratchDirectory()
    let child = try spawn(arguments, input: input, output: scratch.file("output"))
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw CocoaError(.executableLoad) }
    return scratch.text("output").trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
