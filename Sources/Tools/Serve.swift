import Command
import HTTP
import Output
import Server
import System

extension Toolbox {
  static let serveListen = Option(
    "listen", ValueKind<String>.listenAddress, default: ListenAddress.standard, setting: .serve,
    "Listen on ADDR:PORT or unix:PATH",
    details: "Port 0 selects a free port. Without a command, the first line of the output is the address.")
  static let serveStore = Option(
    "store", ValueKind<String>.store, setting: .suites,
    "Store data in a directory or a PostgreSQL database",
    details: """
      STORE is a directory, or postgresql://USER@HOST:PORT/DATABASE for several servers that share their data. The \
      variables and files of libpq (PGHOST, PGSERVICE, PGPASSFILE) complete the address, which can contain several hosts. \
      A password belongs in PGPASSFILE or HW_STORE, not on the command line.
      """)
  static let serveCommand = Operand(
    afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "A command to run with the server"
  )
  static let serveReady = Option(
    "ready-file", ValueKind<String>.file, "Write the URLs to FILE when the server is ready",
    details: "One per line; that of --metrics-listen is the last. The file is removed when the server stops.")
  static let servePublic = Option(
    "public", ValueKind<[String]>.names("SUITE[,...]"), "Allow reading these suites without a token",
    details: """
      Changes always require the token of a user. A public server whose store has no users starts only if all of its \
      suites are listed here, or with a command.
      """)
  static let servePublicURL = Option(
    "public-url", ValueKind<String>.publicURL, setting: .serve,
    "The public address of the server",
    details: """
      Declares that the server is public, behind a proxy that adds TLS: requests that the proxy forwards are accepted, \
      and every suite needs the token of a user, or --public.
      """)
  static let serveHost = Option(
    "host", ValueKind<String>.hostName, setting: .serve, "Accept requests for host NAME",
    details: """
      A server on a loopback address that is not public accepts only requests for the names of this machine, so that web pages cannot reach \
      it under other names. With this option the server is public, as with --public-url. Requests for other names than \
      NAME, that of --public-url and those of this machine are refused.
      """)
  static let serveTrustedProxy = Option(
    "trusted-proxy", ValueKind<[String]>.addresses, setting: .serve,
    "Use the client addresses that a proxy at ADDRESS sends",
    details: """
      Of a proxy on another machine: a public server uses the client addresses that it reports in X-Forwarded-For or \
      Forwarded for limits and logs. Proxies on this machine are always trusted.
      """)
  static let serveMetrics = Option(
    "metrics-listen", ValueKind<String>.listenAddress, setting: .serve, "Serve metrics on ADDRESS",
    details: """
      GET /metrics responds there, in the text format of Prometheus, without a token. Port 0 selects a \
      free port; without a command, the last line of the output is the address. Every server also has /healthz (the process runs) and \
      /readyz (the store can be reached).
      """)
  static let serveLog = Option(
    "log", ValueKind<LogFormat>.choice, setting: .serve, "Log each request to standard error",
    details: """
      The fields are time, client address, user, request id, method, path, status, bytes, milliseconds and the error. \
      The id is also in the header field X-Request-Id of the response; a valid id in the request is used. If standard \
      error is not read in time, lines are dropped and counted.
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
    details: " Then every token of the address is refused for the rest of the minute.")
  static let serveConnectionsPerAddress = limit(
    "connections-per-address", PublicLimits.connectionsPerAddress,
    "Allow N connections per address", details: " The connections of a proxy are not limited.")
  static let serveSamples = Option(
    "samples", "Add sample data to a new store",
    details:
      "With --store: the three bikes of the original server. A store that has or had bikes is not changed.")
  static let serveFault = Option(
    "fault", ValueKind<String>.text("SPEC"), "Inject faults as described by SPEC",
    details: """
      SPEC is a list such as 429:0.1,503:0.05,delay:200ms,drop:0.01,garbage:0.01: a status, a delay, a dropped \
      connection or an invalid body, with its probability. 'nodes=429:0.5;race=drop:0.1' sets them per suite.
      """)
  /// `suites` declare options of their own.
  static func serve(_ suites: @escaping @Sendable () -> [Suite]) -> Command {
    let names = Operand(
      rest: "SUITE", ValueKind<String>.suite(suites), "The suites to serve; the default is all")
    return Command(
      withStatus: "serve", "Serve the backends of the suites",
      discussion: """
        Serves the routes of every service, each also below the name of its suite (/nodes/api/v1/...): set HW_URL or \
        HW_NODES_URL to its address. Without a command, that is the first line of the output. The databases are those of 'embedded:'; with \
        --demo the server uses sample data in memory. 'hw help server' is a guide to running a public server.

        With a command, the server uses sample data in memory unless --store is given, and runs until the command ends. \
        The command receives the address in HW_URL and in the variable of each suite, and in HW_TOKEN the token of the \
        admin 'command', who exists while the server runs. The exit status is that of the command.

        A server on a loopback address without users is open: all programs of this machine can read and write. If it has \
        users ('hw users add'), or is public, each request requires the token of a user, as 'Authorization: Bearer TOKEN' \
        or 'X-Authorization: TOKEN', which has precedence; --public makes exceptions for reading. A server is public if it listens on another \
        address, or with --public-url or --host. A server that is not public refuses requests of a proxy: those with \
        Via, X-Real-IP or a header that forwards a client's address. nginx sends none unless it is configured to.

        A client is an IPv4 address, or the first 64 bits of an IPv6 address; a client of a unix socket has none, and no \
        limits. Behind a proxy on this machine or \
        at the address in --trusted-proxy, a public server uses the last address in X-Forwarded-For or Forwarded. Requests beyond a limit receive status 429 with \
        Retry-After.

        SIGTERM, SIGINT and SIGHUP stop the server: it accepts no more connections and finishes the requests in progress \
        within 5 seconds. A second signal stops it immediately. Under systemd it uses the sockets of LISTEN_FDS instead of \
        --listen, so that no connection is lost during a restart. A socket with the name 'metrics' is for metrics. \
        Type=notify and WatchdogSec= are supported.
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
          "hw serve --metrics-listen unix:metrics.sock -- curl -s --unix-socket metrics.sock http://localhost/metrics",
          "read the metrics of a server"),
        Example("hw serve wordle -- hw wordle stats", "serve one suite"),
      ],
      failures: [.connection, .unauthorized]
    ) { call, context throws(Failure) in
      try ServerSession(call, context, suites: call[names]).run()
    }
  }
}

extension ValueKind where Value == String {
  /// The name of one of the suites.
  fileprivate static func suite(_ suites: @escaping @Sendable () -> [Suite]) -> ValueKind {
    ValueKind(
      "SUITE", expects: "one of \(suites().map(\.name).joined(separator: ", "))",
      choices: suites().map { Choice($0.name, $0.summary) },
      hint: "put '--' before a command; '--listen 127.0.0.1:PORT' selects the port"
    ) { name in suites().contains { $0.name == name } ? name : nil }
  }
}

extension ValueKind where Value == [String] {
  /// Addresses of machines, separated by commas, as the system writes them.
  fileprivate static var addresses: ValueKind {
    ValueKind(
      "ADDRESS[,...]", expects: "IP addresses, separated by commas"
    ) { text in
      let addresses = text.split(separator: ",", omittingEmptySubsequences: false).map {
        SocketAddress(numeric: String($0), port: 0)?.host
      }
      let known = addresses.compactMap(\.self)
      return known.count == addresses.count ? known : nil
    }
  }

  /// Names, separated by commas.
  fileprivate static func names(_ valueName: String) -> ValueKind {
    ValueKind(valueName, expects: "names, separated by commas") { text in
      let names = text.split(separator: ",").map(String.init)
      return names.isEmpty ? nil : names
    }
  }
}

extension ValueKind where Value == String {
  fileprivate static var listenAddress: ValueKind {
    ValueKind(
      "ADDRESS", expects: "an address such as 127.0.0.1:7400",
      hint: "write 127.0.0.1:7400, [::1]:7400 or unix:/path (at most 107 bytes); port 0 selects a free port",
      problem: { text in
        do throws(Failure) {
          _ = try ListenAddress(text)
          return nil
        } catch {
          return error.message
        }
      }
    ) { (try? ListenAddress($0)) == nil ? nil : $0 }
  }

  /// An address that paths can be appended to, so without a query.
  fileprivate static var publicURL: ValueKind {
    ValueKind(
      "URL", expects: "an http or https address without a query or fragment",
      hint: "write https://HOST or https://HOST/PATH; paths are appended to it"
    ) { text in
      guard let url = try? URL(text), url.scheme.hasHost, !text.contains("?") else { return nil }
      return text
    }
  }

  /// A host as in the `Host` field of a request.
  fileprivate static var hostName: ValueKind {
    ValueKind(
      "NAME", expects: "a host name such as bikes.example, or HOST:PORT",
      hint: "write the name without a scheme, a path or a wildcard"
    ) { text in
      let isPlain = text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._:[]".utf8.contains($0) }
      return isPlain && (try? URL("http://\(text)")) != nil ? text : nil
    }
  }
}
