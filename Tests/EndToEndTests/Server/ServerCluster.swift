import Foundation
import TestSupport
import Testing

@testable import Command
@testable import Tools

/// Several `hw serve` on one store behind a proxy, all on Unix sockets, with the configuration of the server guide.
final class ServerCluster {
  let home: Home
  private let stores: [String]
  private let options: [String]
  private let settings: [String: String?]
  private var servers: [Started]
  private var proxy: Started?

  convenience init(of store: String, _ options: [String] = [], settings: [String: String?] = [:]) throws {
    try self.init(of: [store, store, store], options, settings: settings)
  }

  /// A server for each of the addresses, which lead to the same database.
  init(of stores: [String], _ options: [String] = [], settings: [String: String?] = [:]) throws {
    home = try Home()
    self.stores = stores
    self.options = options
    self.settings = settings
    servers = []
    for index in stores.indices { servers.append(try start(index)) }
    for index in servers.indices { try awaitReady(index) }
    try startProxy()
  }

  deinit {
    _ = proxy.map { kill($0.id, SIGTERM) }
    for server in servers { kill(server.id, SIGTERM) }
  }

  /// The address of the proxy.
  var url: String { "unix:\(home.file("proxy"))" }

  func url(_ index: Int) -> String { "unix:\(home.file("server\(index)"))" }

  var urls: [String] { servers.indices.map(url) }

  // MARK: Servers

  private func start(_ index: Int) throws -> Started {
    let words =
      [
        "hw", "serve", "bikes", "wordle", "--listen", url(index), "--store", stores[index], "--ready-file",
        "ready\(index)", "--public-url", "https://bikes.example",
      ] + options
    // Each writes to files of its own.
    let line = "rm -f ready\(index); exec \"$@\" >output\(index) 2>>errors\(index)"
    return try Started(["sh", "-c", line, "sh"] + words, in: home, environment: settings)
  }

  private func awaitReady(_ index: Int) throws {
    try waitUntil("server \(index) to start") { [servers] in
      !home.text("ready\(index)").isEmpty || servers[index].hasEnded
    }
    try #require(!servers[index].hasEnded, "server \(index): \(home.text("errors\(index)"))")
  }

  func messages(_ index: Int) -> String { home.text("errors\(index)") }

  /// Ends a server without a warning.
  func crash(_ index: Int) {
    kill(servers[index].id, SIGKILL)
    _ = servers[index].end()
  }

  /// Asks a server to stop, and returns how it ended.
  func stop(_ index: Int) -> Ending {
    kill(servers[index].id, SIGTERM)
    return servers[index].end()
  }

  /// Starts a server that has ended.
  func restart(_ index: Int) throws {
    servers[index] = try start(index)
    try awaitReady(index)
  }

  // MARK: Proxy

  private func startProxy() throws {
    let lines = try GuideBlocks.clusterProxy().split(separator: "\n").map(String.init)
    var number = 0
    var written: [String] = []
    for line in lines {
      if line.contains("ssl_certificate") { continue }
      if let address = line.split(separator: " ").first(where: { $0.hasPrefix("10.0.0.") }) {
        guard number < servers.count else { continue }
        written.append(line.replacing(address, with: "unix:" + home.file("server\(number)")))
        number += 1
      } else if line.contains("listen 443") {
        written.append("listen \(url);")
      } else {
        written.append(line)
      }
    }
    let file = written.joined(separator: "\n") + "\n"
    let program = try #require(Tool.nginx.path)
    let root = geteuid() == 0 ? "user root;\n" : ""
    let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(home.path);" }.joined(separator: " ")
    try home.write(
      """
      \(root)daemon off; pid \(home.file("pid")); worker_processes 1;
      events { worker_connections 1024; }
      http { access_log off; \(paths)
      \(file)}

      """, to: "nginx.conf")
    let words = [program, "-e", home.file("proxy-errors"), "-p", home.path, "-c", home.file("nginx.conf")]
    self.proxy = try Started(["sh", "-c", "exec \"$@\" >proxy-output 2>&1", "sh"] + words, in: home)
    try waitUntil("the proxy to accept connections") { [self] in
      if self.proxy?.hasEnded == true { return true }
      return RawConnection(url)?.ask("GET", "/healthz")?.status == 200
    }
    try #require(self.proxy?.hasEnded == false, "\(home.text("proxy-output")) \(home.text("proxy-errors"))")
  }
}

extension ServerCluster {
  /// Adds a user to the store, with 'hw users add', and returns the token.
  static func addUser(_ words: String, to store: String, in home: Home) throws -> String {
    let ending = try shell("hw users add \(words) --store '\(store)'", in: home)
    try #require(ending.status == 0, "\(ending.errors)")
    return ending.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Adds many users at once, as 'hw users add' does one by one, and returns their tokens.
  static func addUsers(
    _ names: [String], to schema: String, on server: PostgreSQLServer, database: String = "postgres"
  ) throws -> [String] {
    let tokens = names.map { "token-of-\($0)-0123456789" }
    let rows = zip(names, tokens).map { "('\($0)', encode(sha256('\($1)'), 'hex'), 0, 1)" }
    try server.execute(
      """
      INSERT INTO \(schema).server_user (name, hash, admin, added_at) VALUES \(rows.joined(separator: ", "));
      UPDATE \(schema).user_revision SET revision = revision + 1;
      """, database: database)
    return tokens
  }
}

/// The literal blocks of the guides `hw-server(7)` and `hw-cluster(7)`.
enum GuideBlocks {
  static let all: [[String]] = literals(Toolbox.guides.flatMap(\.blocks))

  private static func literals(_ blocks: [Block]) -> [[String]] {
    blocks.flatMap { block -> [[String]] in
      switch block {
      case .literal(let lines):
        // A block has several files, each after a line with its name.
        lines.reduce(into: []) { parts, line in
          if parts.isEmpty || line.hasPrefix("# /") { parts.append([]) }
          parts[parts.count - 1].append(line)
        }
      case .subsection(_, let blocks): literals(blocks)
      case .paragraph, .items, .briefItems: []
      }
    }
  }

  /// The file of the guide with that name.
  static func file(_ name: String) throws -> String {
    let lines = try #require(all.first { $0.first?.hasPrefix("# /") == true && $0[0].hasSuffix("/\(name)") })
    return lines.dropFirst().joined(separator: "\n") + "\n"
  }

  /// The configuration of nginx in front of several servers.
  static func clusterProxy() throws -> String {
    try file("hw-upstream.conf")
      + file("bikes.conf").replacing("proxy_pass http://127.0.0.1:7400;", with: "proxy_pass http://hw;")
  }

  /// The commands of a section.
  static func commands(in title: String) -> [String] {
    Toolbox.guides.flatMap(\.blocks).flatMap { block -> [[String]] in
      guard case .subsection(title, let blocks) = block else { return [] }
      return literals(blocks).filter { $0.first?.hasPrefix("# /") == false }
    }.flatMap(\.self)
  }

  static var commands: [[String]] { all.filter { $0.first?.hasPrefix("# /") == false } }
}
