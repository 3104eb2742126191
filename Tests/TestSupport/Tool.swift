import Foundation
import Store

/// A program or library that some tests need and a machine with only a Swift toolchain may lack.
public enum Tool: String, CaseIterable, Sendable {
  case bash, caddy, chromium, curl, fish, flock, git, jq, less, libcurl, libpq, libsqlite3, man, mandoc, mount
  case nginx, node, openssl, pgbouncer, postgresql, prove, setpriv, setsid, shellcheck, sqlite3, strace, tmux,
    zsh
  case compiler = "cc"
  case express = "node-express"
  case systemd = "systemd-analyze"

  /// The package of Debian that contains it.
  var package: String {
    switch self {
    case .compiler: "gcc"
    case .libcurl: "libcurl4"
    case .libpq: "libpq5"
    case .libsqlite3: "libsqlite3-0"
    case .man: "man-db"
    case .nginx: "nginx-light"
    case .node: "nodejs"
    case .prove: "perl"
    case .flock, .setpriv, .setsid: "util-linux"
    case .systemd: "systemd"
    default: rawValue
    }
  }

  /// The names under which programs start it; none for a library.
  public var programs: [String] {
    switch self {
    case .libcurl, .libpq, .libsqlite3, .express: []
    case .postgresql:
      [
        "initdb", "postgres", "psql", "pg_ctl", "pg_dump", "pg_basebackup", "pgbench", "createdb",
        "createuser",
      ]
    case .mount: ["umount", "unshare", "mount"]
    case .node: ["node", "nodejs"]
    case .compiler: ["cc", "gcc", "clang"]
    default: [rawValue]
    }
  }

  public var isPresent: Bool { Self.present.contains(self) }

  /// The path of the program; nil where it is missing.
  public var path: String? { programs.lazy.compactMap(Self.path).first }

  private static let present = Set(allCases.filter { $0.isFound })

  private var isFound: Bool {
    switch self {
    case .libcurl:
      ["libcurl.so.4", "libcurl-gnutls.so.4"].contains { (name: String) in dlopen(name, RTLD_NOW) != nil }
    case .libpq: (try? Database.postgreSQLLibraryVersion()) != nil
    case .libsqlite3: Database.isAvailable
    // A test uses the server through libpq. It does not run as root.
    case .postgresql:
      PostgreSQLServer.tools != nil && Tool.libpq.isFound && (geteuid() != 0 || Tool.setpriv.isFound)
    case .express: FileManager.default.fileExists(atPath: "/usr/share/nodejs/express") && Tool.node.isFound
    default: path != nil
    }
  }

  /// Servers are in directories of root, which the PATH of others may lack.
  private static func path(of program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
      .map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
