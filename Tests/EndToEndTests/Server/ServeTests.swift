import Foundation
import TestSupport
import Testing

/// `hw serve`, asked over real sockets by hw itself and by connections that send bytes.
@Suite(.ownThread, .needs(.libsqlite3)) struct Serving {
  /// A server of its own for one test; asked to stop, by its process, when the test is over.
  final class Server {
    let home: Home
    let started: Started
    let url: String

    init(_ words: [String] = [], in home: Home? = nil, environment: [String: String?] = [:]) throws {
      let home = try home ?? Home()
      self.home = home
      started = try Started(
        ["hw", "serve", "--listen", "127.0.0.1:0", "--ready-file", ".ready"] + words, in: home,
        environment: environment)
      let ready = try waitFor("the server to start") { [started] in
        let text = home.text(".ready")
        return !text.isEmpty || started.hasEnded ? text : nil
      }
      url = ready.trimmingCharacters(in: .newlines)
      // What the test runs next in the same home writes to the same file.
      if !url.isEmpty { _ = try home.wait(for: ".1") }
      try #require(!url.isEmpty, "the server did not start: \(home.text(".2"))")
    }

    func stop() -> Ending {
      kill(started.id, SIGTERM)
      return started.end()
    }
  }

  @Test func firstLineIsAddress() throws {
    let server = try Server()
    #expect(try server.home.wait(for: ".1") == server.url + "\n")
    #expect(server.url.hasPrefix("http://127.0.0.1:"))
    // It serves: from then on it is stopped in an orderly way.
    #expect(RawConnection(server.url)?.ask("GET", "/scores")?.status == 200)
    let ending = server.stop()
    #expect(ending == Ending(status: 0, output: server.url + "\n"))
  }

  @Test(
    arguments: [
      ("sh -c 'exit 7'", 7), ("true", 0), ("sh -c 'kill -9 $$'", 137), ("no-such-program", 127),
      ("/etc/passwd", 126), ("hw wordle scores --tsv", 0),
    ] as [(String, Int32)])
  func commandStatusIsReturned(_ command: String, _ status: Int32) throws {
    #expect(try shell("hw serve -- \(command)").status == status)
  }

  @Test func commandReceivesAddressInVariables() throws {
    let ending = try shell(
      #"hw serve -- sh -c 'echo "$HW_URL $HW_WORDLE_URL $HW_NODES_URL"; hw nodes top -n 1 --tsv --no-header'"#
    )
    let lines = ending.output.split(separator: "\n")
    #expect(ending.status == 0)
    let addresses = lines[0].split(separator: " ")
    #expect(addresses.count == 3 && Set(addresses).count == 1 && addresses[0].hasPrefix("http://127.0.0.1:"))
    #expect(lines.count == 2)
  }

  @Test func stoppingServerStopsCommand() throws {
    let home = try Home()
    // No wait: a program without an end.
    let started = try Started(["hw", "serve", "--", "sh", "-c", "echo $$ >pid; exec sleep 1000"], in: home)
    try home.wait(for: "pid") { $0.hasSuffix("\n") }
    kill(started.id, SIGTERM)
    #expect(started.end().status == 143)
    let id = try #require(pid_t(home.text("pid").trimmingCharacters(in: .newlines)))
    #expect(kill(id, 0) == -1)
  }

  @Test func refusedPublicServerCreatesNoFiles() throws {
    let home = try Home()
    let ending = try shell(
      "hw serve bikes --public-url https://host --store new; ls; hw store verify --store new", in: home)
    #expect(ending.output == "" && ending.status == 3, "\(ending.errors)")
    // The command is a user, so that somebody can use the server.
    let run = try shell(
      "hw serve wordle --public-url https://host -- sh -c 'hw wordle scores --json; env -u HW_TOKEN hw wordle scores; echo $?'",
      in: home)
    #expect(run.output.contains("sweet") && run.output.hasSuffix("\n7\n"), "\(run.errors)")
  }

  /// Whoever waits for the next server finds no address of the last one. The file of the next one stays, though it has
  /// the same address in it.
  @Test(arguments: [true, false])
  func readyFileIsRemoved(isOwn: Bool) throws {
    let server = try Server()
    let text = "\(server.url)\n"
    #expect(server.home.text(".ready") == text)
    if !isOwn { try text.write(toFile: "\(server.home.path)/.ready", atomically: true, encoding: .utf8) }
    #expect(server.stop().status == 0)
    #expect(server.home.names.contains(".ready") == !isOwn)
    #expect(server.home.text(".2") == "")
  }
}

/// Starts a server with sample data on the store, and ends it.
func serve(_ store: String, in home: Home? = nil, environment: [String: String?] = [:]) throws -> Ending {
  try shell("hw serve --samples --store '\(store)' -- true", in: home, environment: environment)
}
