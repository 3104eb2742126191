import Command
import HTTP
import Output
import Server
import System

extension Toolbox {
  static let serveListen = Option(
    "listen", ValueKind<String>.listenAddress, default: "127.0.0.1:7400", setting: .serve,
    "Listen on ADDR:PORT or unix:PATH",
    details: "Port 0 selects a free port.")
  static let serveStore = Option(
    "store", ValueKind<String>.store, setting: .suites,
    "Store data in a directory or a PostgreSQL database",
    details: """
      A directory, or postgresql://USER@HOST:PORT/DATABASE for several servers; libpq's variables and files complete \
      it. A password belongs in PGPASSFILE or HW_STORE.
      """)
  static let serveCommand = Operand(
    afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "A command to run with the server")
  static let serveReady = Option(
    "ready-file", ValueKind<String>.file, "Write the URLs to FILE when the server is ready",
    details: "One per line, the metrics last; removed at the end.")
  static let servePublic = Option(
    "public", ValueKind<[String]>.names("SUITE[,...]"), "Allow reading these suites without a token",
    details:
      "Changes always require a token. A public server without users starts only if all its suites are listed."
  )
  static let servePublicURL = Option(
    "public-url", ValueKind<String>.publicURL, setting: .serve,
    "The public address of the server",
    details:
      "The server is public, behind a proxy that adds TLS: requests that the proxy forwards are accepted.")
  static let serveHost = Option(
    "host", ValueKind<String>.hostName, setting: .serve, "Accept requests for host NAME",
    details: """
      The server is public. It accepts only requests for NAME, the name in --public-url and the names of this \
      machine.
      """)
  static let serveTrustedProxy = Option(
    "trusted-proxy", ValueKind<[String]>.addresses, setting: .serve,
    "Use the client addresses that a proxy at ADDRESS sends",
    details: """
      For a proxy on another machine: X-Forwarded-For is used for limits and logs. Proxies on this \
      machine are always trusted.
      """)
  static let serveMetrics = Option(
    "metrics-listen", ValueKind<String>.listenAddress, setting: .serve, "Serve metrics on ADDRESS",
    details: """
      The text format of Prometheus at GET /metrics. Every server has /healthz (the process runs) and /readyz (the \
      store can be reached).
      """)
  static let serveLog = Option(
    "log", ValueKind<LogFormat>.choice, setting: .serve, "Log each request to standard error",
    details: """
      Fields: time, client address, user, request id (X-Request-Id), method, path, status, bytes, milliseconds, \
      error. If standard error is not read in time, lines are dropped and counted.
      """)
  private static func limit(
    _ name: String, _ standard: Int, _ summary: String, details: String = ""
  ) -> Setting<Int?> {
    let usual =
      "0 means no limit. If it is not set, a public server allows \(standard), and others have no limit."
    return Setting(
      name, ValueKind<Int>.count(0...1_000_000), scope: .serve, summary, details: usual + details)
  }
  static let serveRequestsPerAddress = limit(
    "requests-per-address", PublicLimits.requestsPerAddress,
    "Allow N requests per second per address")
  static let serveRequestsPerUser = limit(
    "requests-per-user", PublicLimits.requestsPerUser, "Allow N requests per second per user")
  static let serveWrongTokens = limit(
    "wrong-tokens", PublicLimits.wrongTokens, "Allow N unknown tokens per minute per address",
    details: " Then every token of the address is refused for some seconds.")
  static let serveConnectionsPerAddress = limit(
    "connections-per-address", PublicLimits.connectionsPerAddress,
    "Allow N connections per address", details: " The connections of a proxy are not limited.")
  static let serveSamples = Option(
    "samples", "Add sample data to a new store",
    details: "With --store: the three bikes of the original server, if it never had bikes.")
  static let serveFault = Option(
    "fault", ValueKind<String>.text("SPEC"), "Inject faults as described by SPEC",
    details: """
      For example 429:0.1,delay:200ms,drop:0.01,garbage:0.01: a status, a delay, a dropped connection or an invalid \
      body, with its probability. 'nodes=429:0.5;race=drop:0.1' sets them per suite.
      """)
  static func serve(_ suites: @escaping @Sendable () -> [Suite]) -> Command {
    let names = Operand(
      rest: "SUITE", ValueKind<String>.suite(suites), "The suites to serve; the default is all")
    return Command(
      "serve", "Serve the backends of the suites",
      discussion: """
        Serves the routes of every service, each also below the name of its suite (/nodes/api/v1/...). Set HW_URL or \
        HW_NODES_URL to the address, the first line of the output. The databases are those of 'embedded:', or with \
        --demo sample data. 'hw help server' is a guide to a public server.

        With a command, the server uses sample data unless --store is given, and runs until the command ends, with \
        its exit status. The command receives HW_URL, and in HW_TOKEN the token of a temporary admin.

        On a loopback address the server is open to all programs of this machine until 'hw users add' adds a user. \
        From then on, also after the last is deleted, all suites require a user's token, as on a public server: \
        'Authorization: Bearer TOKEN' or 'X-Authorization: TOKEN'. It is public on another address, or with \
        --public-url or --host. Otherwise it refuses requests that a proxy forwards.

        Requests beyond a limit receive status 429; a long one counts as several with SQLite. A client is an IPv4 \
        address, or the first 64 bits of an IPv6 address.

        SIGTERM, SIGINT and SIGHUP stop the server after the requests in progress, at most 5 seconds; a second \
        signal stops it immediately. Under systemd it uses the sockets of LISTEN_FDS.
        """,
      usage: ["[SUITE...]", "[SUITE...] -- COMMAND [ARGUMENT...]"],
      operands: [names, serveCommand],
      options: [
        serveListen, serveStore, serveReady, servePublic, servePublicURL, serveHost, serveTrustedProxy,
        serveSamples, serveMetrics, serveLog,
      ],
      simulation: [serveFault] + suites().flatMap(\.serverOptions),
      settings: [
        serveRequestsPerAddress, serveRequestsPerUser, serveWrongTokens, serveConnectionsPerAddress,
        serveHistoryDays,
      ] + suites().flatMap(\.serverSettings),
      output: .plain(
        "The addresses, one per line, with that of the metrics last; with a command, only the output of the command."
      ),
      needs: [.store],
      examples: [
        Example(
          "hw serve --listen 127.0.0.1:0 -- hw wordle scores --json", "run a command with a temporary server"),
        Example("hw serve -- sh -c 'curl -s $HW_URL/scores'", "use curl with a temporary server"),
        Example(
          "hw serve --metrics-listen unix:m.sock -- curl -s --unix-socket m.sock http://localhost/metrics",
          "read the metrics of a server"),
      ],
      failures: [.connection, .unauthorized]
    ) { call, context throws(Failure) -> ExitStatus in
      try ServerSession(call, context, suites: call[names]).run()
    }
  }
}

extension ValueKind where Value == String {
  fileprivate static func suite(_ suites: @escaping @Sendable () -> [Suite]) -> ValueKind {
    ValueKind(
      "SUITE", expects: "one of \(suites().map(\.name).joined(separator: ", "))",
      choices: suites().map { Choice($0.name, "") },
      hint: "put '--' before a command; '--listen 127.0.0.1:PORT' selects the port"
    ) { name in suites().contains { $0.name == name } ? name : nil }
  }

  fileprivate static var listenAddress: ValueKind {
    ValueKind(
      "ADDRESS", expects: "an address, ADDR:PORT or unix:PATH",
      hint: "write 127.0.0.1:7400, [::1]:7400 or unix:/path (at most 107 bytes); port 0 selects a free port",
      problem: { text in
        Result { () throws(Failure) in try SocketAddress(listening: text) }.failure?.message
      }
    ) { (try? SocketAddress(listening: $0)) == nil ? nil : $0 }
  }

  /// An address without a query, to which paths are appended.
  fileprivate static var publicURL: ValueKind {
    ValueKind(
      "URL", expects: "an http or https address without a query or fragment",
      hint: "write https://HOST or https://HOST/PATH; paths are appended to it"
    ) { text in
      guard let url = try? URL(text), url.scheme.hasHost, !text.contains("?") else { return nil }
      return text
    }
  }

  fileprivate static var hostName: ValueKind {
    ValueKind(
      "NAME", expects: "a host name, or HOST:PORT",
      hint: "write the name without a scheme, a path or a wildcard"
    ) { text in
      let isPlain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._:[]".utf8.contains($0) }
      return isPlain && (try? URL("http://\(text)")) != nil ? text : nil
    }
  }
}

extension ValueKind where Value == [String] {
  fileprivate static var addresses: ValueKind {
    ValueKind("ADDRESS[,...]", expects: "IP addresses, separated by commas") { text in
      let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map {
        SocketAddress(numeric: String($0), port: 0)?.host
      }
      let known = addresses.compactMap(\.self)
      return known.count == addresses.count ? known : nil
    }
  }

  fileprivate static func names(_ valueName: String) -> ValueKind {
    ValueKind(valueName, expects: "names, separated by commas") { text in
      let names = text.split(separator: ",").map(String.init)
      return names.isEmpty ? nil : names
    }
  }
}
