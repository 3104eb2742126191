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
    command: "COMMAND", ValueKind<String>.text("COMMAND"),
    "A command to run while the server stands, after '--'"
  )
  static let serveReady = Option(
    "ready-file", ValueKind<String>.file, "Write the URL into FILE once requests are answered")
  static let serveToken = Option(
    "token-file", ValueKind<String>.file,
    "Answer only who sends the token in FILE, as 'Authorization: Bearer'")
  static let serveUsers = Option(
    "users", ValueKind<String>.file, "Know the people in FILE, a line name:token each",
    details: """
      The bikes then have owners: only they and the renter see a PIN, and only they return, move or delete a bike; one \
      that nobody brought is everybody's. All send their own token, as 'Authorization: Bearer' or 'X-Authorization'; \
      'hw bikes' does so with HW_BIKES_TOKEN. 'hw serve user add' adds a line, with the token's hash in place of the \
      token; the file is read once, at the start.
      """)
  static let servePublic = Option("public", "Listen beyond this machine without a token")
  static let serveFault = Option(
    "fault", ValueKind<String>.text("SPEC"), "Fail on purpose as SPEC says, to rehearse it",
    details: """
      SPEC is a list such as 429:0.1,503:0.05,delay:200ms,drop:0.01,garbage:0.01: a status, a delay, a lost answer or \
      nonsense, with its chance. 'nodes=429:0.5;race=drop:0.1' sets them suite by suite.
      """)
  /// `suites` declare options of their own.
  static func serve(_ suites: @escaping @Sendable () -> [Suite]) -> Command {
    Command(
      withStatus: "serve", "Serve the backends of all suites on one port",
      discussion: """
        Answers the routes of every service, each also below its suite's name (/nodes/api/v1/...), so that HW_URL or \
        HW_NODES_URL can point here. The first line of the output is the address. The databases are those of \
        'embedded:', or with --demo sample data in memory; SIGTERM and SIGINT let the requests in flight finish.

        With a command, everything is in memory with sample data unless --store names a folder: the server stands only \
        while the command runs, which finds the address in HW_URL and in the variable of each suite, and its status is \
        the status of hw.

        Beyond this machine it wants a token, from --token-file or HW_SERVE_TOKEN, unless --public says that anybody may.
        """,
      usage: ["", "-- COMMAND [ARGUMENT...]"],
      operands: [serveCommand],
      options: [serveListen, serveStore, serveReady, serveToken, serveUsers, servePublic, serveFault]
        + suites().flatMap(\.serverOptions),
      output: .plain("The address, as a line; nothing but the command's own output where there is one."),
      needs: [.store],
      examples: [
        Example(
          "hw serve --listen 127.0.0.1:0 -- hw wordle scores --json", "a whole check, with nothing installed"),
        Example("hw serve -- sh -c 'curl -s $HW_URL/scores'", "the same routes for any other program"),
        Example("hw serve --listen 0.0.0.0:0", "open to everybody, and refused for that", exits: 2),
      ],
      failures: [.connection, .storage]
    ) { call, context throws(Failure) in
      try ServerSession(call, context).run()
    }
  }
}
