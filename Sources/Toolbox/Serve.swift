import Command
import Output
import Server
import System

extension Toolbox {
  static let serveListen = Option(
    "listen", ValueKind<String>.text("ADDRESS"), default: ListenAddress.standard, setting: true,
    "Listen on ADDR:PORT or unix:PATH",
    details: "Port 0 picks a free one; the first line of the output says which.")
  static let serveStore = Option(
    "store", ValueKind<String>.text("STORE", .folders), setting: true,
    "Keep the data in a directory or a PostgreSQL database",
    details: """
      STORE is a directory, or postgresql://USER@HOST:PORT/DATABASE for several servers that share their data. What the \
      address leaves out comes from the variables and files of libpq (PGHOST, PGSERVICE, PGPASSFILE). It may name \
      several hosts. A password belongs in PGPASSFILE or HW_STORE, and not on the command line.
      """)
  static let serveCommand = Operand(
    afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "A command to run while the server runs"
  )
  static let serveReady = Option(
    "ready-file", ValueKind<String>.file, "Write the URL into FILE once requests are answered")
  static let servePublic = Option(
    "public", ValueKind<[String]>.names("SUITE[,...]"), "Let anybody read these suites without a token",
    details: """
      Changes always need the token of a user. A suite that is neither public nor protected by users is not served by a \
      public server.
      """)
  static let servePublicURL = Option(
    "public-url", ValueKind<String>.text("URL"), setting: true,
    "The address under which others reach the server",
    details: """
      Declares that the server is public, behind a proxy that adds TLS: requests that the proxy forwards are accepted, \
      and every suite needs the token of a user, or --public.
      """)
  static let serveHost = Option(
    "host", ValueKind<String>.text("NAME"), setting: true, "Answer to this host name too",
    details: """
      A server that listens on this machine answers only to the names of this machine, so that no page in a browser can \
      reach it under a name of its own. With this option it is public, as with --public-url.
      """)
  static let serveMetrics = Option(
    "metrics-listen", ValueKind<String>.text("ADDRESS"), setting: true, "Serve metrics on another address",
    details: """
      GET /metrics responds there, in the text format of Prometheus, to everybody who can reach the address. Port 0 \
      picks a free one; the last line of the output says which. Beside it, every server answers /healthz (it runs) and \
      /readyz (its store can be reached) without a token.
      """)
  static let serveLog = Option(
    "log", ValueKind<LogFormat>.choice, setting: true, "Write a line per request to standard error",
    details: """
      The fields are time, client address, user, request id, method, path, status, bytes, milliseconds and the error. \
      The response has the id in X-Request-Id; it is the client's own if it sent a harmless one. Lines are lost, and \
      counted, if nobody reads them in time.
      """)
  private static func limit(_ name: String, _ standard: Int, _ summary: String) -> Option<Int?> {
    Option(
      name, ValueKind<Int>.count(0...1_000_000), setting: true, summary,
      details:
        "0 is no limit. Without this option, a public server allows \(standard), and others have no limit.")
  }
  static let serveRequestsPerAddress = limit(
    "requests-per-address", ServerLimits.standard.requestsPerAddress ?? 0,
    "Allow N requests per second per address")
  static let serveRequestsPerUser = limit(
    "requests-per-user", ServerLimits.standard.requestsPerUser ?? 0, "Allow N requests per second per user")
  static let serveWrongTokens = limit(
    "wrong-tokens", ServerLimits.standard.wrongTokens ?? 0, "Allow N unknown tokens per minute per address")
  static let serveConnectionsPerAddress = limit(
    "connections-per-address", ServerLimits.standard.connectionsPerAddress ?? 0,
    "Allow N connections per address")
  static let serveCORS = Option(
    "cors", ValueKind<String>.text("ORIGIN"), setting: true, "Let the pages of ORIGIN use the server",
    details: "ORIGIN is what the browser sends, such as https://app.example. Other pages may change nothing.")
  static let serveSamples = Option(
    "samples", "Start a new store with sample data",
    details:
      "With --store: the three bikes that the original server has. A store that had bikes stays as it is.")
  static let serveFault = Option(
    "fault", ValueKind<String>.text("SPEC"), "Fail on purpose as SPEC says, to rehearse it",
    details: """
      SPEC is a list such as 429:0.1,503:0.05,delay:200ms,drop:0.01,garbage:0.01: a status, a delay, a lost answer or \
      nonsense, with its chance. 'nodes=429:0.5;race=drop:0.1' sets them suite by suite.
      """)
  /// `suites` declare options of their own.
  static func serve(_ suites: @escaping @Sendable () -> [Suite]) -> Command {
    let names = Operand(
      rest: "SUITE", ValueKind<String>.suite(suites), "What to serve; without operands, all suites")
    return Command(
      withStatus: "serve", "Serve the backends of the suites on one port",
      discussion: """
        Answers the routes of every service, each also below its suite's name (/nodes/api/v1/...), so that HW_URL or \
        HW_NODES_URL can point here. The first line of the output is the address. The databases are those of \
        'embedded:', or with --demo sample data in memory; SIGTERM and SIGINT let the requests in flight finish.

        With a command, everything is in memory with sample data unless --store is given. The server runs as long as \
        the command, which finds the address in HW_URL and in the variable of each suite, and the token of a user in \
        HW_TOKEN. The exit status is that of the command.

        A server on a loopback address without users is open: any program of this machine may read and write. As soon \
        as it has users ('hw users add'), or is public, each request needs the token of a user, as \
        'Authorization: Bearer TOKEN' or 'X-Authorization: TOKEN'; --public makes exceptions for reading. It is public \
        if it listens beyond this machine, or with --public-url or --host.

        Clients are told apart by their IPv4 addresses, or by the first 64 bits of their IPv6 addresses. Behind a proxy \
        on this machine, a public server takes the last address of X-Forwarded-For (or of Forwarded). What exceeds a \
        limit is refused with status 429 and Retry-After.

        SIGTERM, SIGINT and SIGHUP end the server: it accepts no more connections and finishes the requests in \
        progress, for 5 seconds at most; a second signal ends it at once. Under systemd it takes the sockets of \
        LISTEN_FDS instead of --listen, so that no connection is lost during a restart (a socket with the name \
        'metrics' is for metrics), and it supports Type=notify and WatchdogSec=.
        """,
      usage: ["[SUITE...]", "[SUITE...] -- COMMAND [ARGUMENT...]"],
      operands: [names, serveCommand],
      options: [
        serveListen, serveStore, serveReady, servePublic, servePublicURL, serveHost, serveCORS, serveSamples,
        serveMetrics,
        serveLog, serveRequestsPerAddress, serveRequestsPerUser, serveWrongTokens, serveConnectionsPerAddress,
        serveFault,
      ] + suites().flatMap(\.serverOptions),
      output: .plain(
        "The addresses, one per line, with that of the metrics last; with a command, only the output of the command."
      ),
      needs: [.store],
      examples: [
        Example(
          "hw serve --listen 127.0.0.1:0 -- hw wordle scores --json", "a whole check, with nothing installed"),
        Example("hw serve -- sh -c 'curl -s $HW_URL/scores'", "the same routes for any other program"),
        Example(
          "hw serve --metrics-listen 127.0.0.1:0 -- hw wordle scores",
          "metrics on another port"),
        Example("hw serve wordle -- hw wordle stats", "serve one suite"),
        Example("hw serve --listen 0.0.0.0:0", "a public server needs users, or --public", exits: 2),
      ],
      failures: [.connection, .storage]
    ) { call, context throws(Failure) in
      try ServerSession(call, context, suites: call[names]).run()
    }
  }
}

extension ValueKind where Value == String {
  /// The name of one of the suites.
  fileprivate static func suite(_ suites: @escaping @Sendable () -> [Suite]) -> ValueKind {
    ValueKind(
      "SUITE", wants: "one of \(suites().map(\.name).joined(separator: ", "))",
      choices: suites().map { Choice($0.name, $0.summary) }, hint: "put '--' before a command", show: { $0 }
    ) { name in suites().contains { $0.name == name } ? name : nil }
  }
}

extension ValueKind where Value == [String] {
  /// Names, separated by commas.
  fileprivate static func names(_ valueName: String) -> ValueKind {
    ValueKind(valueName, wants: "names, separated by commas", show: { $0.joined(separator: ",") }) { text in
      let names = text.split(separator: ",").map(String.init)
      return names.isEmpty ? nil : names
    }
  }
}
