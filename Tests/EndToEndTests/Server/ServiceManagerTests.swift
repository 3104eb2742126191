import Foundation
import TestSupport
import Testing

/// `hw serve` under a service manager: this process passes sockets and receives notifications, as systemd does.
@Suite(.ownThread, .needs(.libsqlite3)) struct ServiceManagerIntegration {
  /// What systemd is for one service.
  private final class Manager {
    let home: Home
    let sockets: [Int32]
    let ports: [Int]
    private let notifications: Int32

    init(sockets count: Int = 1) throws {
      home = try Home()
      let listening = try (0..<count).map { _ in try Loopback.listen() }
      sockets = listening.map(\.descriptor)
      ports = listening.map(\.port)
      notifications = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      _ = fcntl(notifications, F_SETFD, FD_CLOEXEC)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: home.file("notify").utf8) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size)
      let status = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(notifications, $0, length) }
      }
      #expect(status == 0)
      var patience = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(notifications, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { for descriptor in sockets + [notifications] { close(descriptor) } }

    func start(
      _ words: [String] = [], environment: [String: String] = [:], passing: [Int32]? = nil
    ) throws -> Started {
      let passing = passing ?? sockets
      var variables: [String: String?] = [
        "NOTIFY_SOCKET": home.file("notify"), "LISTEN_FDS": "\(passing.count)",
      ]
      for (name, value) in environment { variables[name] = value }
      // The process that becomes the server knows its id.
      let line = "export LISTEN_PID=$$; exec hw serve --store data \"$@\""
      return try Started(
        ["sh", "-c", line, "sh"] + words, in: home, environment: variables, passing: passing)
    }

    /// The next notification; nil if none comes within a minute.
    func notification() -> String? {
      var buffer = [UInt8](repeating: 0, count: 200)
      let count = recv(notifications, &buffer, buffer.count, 0)
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }

  @Test func statesAreReportedToSystemd() throws {
    let manager = try Manager()
    let server = try manager.start(environment: ["WATCHDOG_USEC": "100000"])
    #expect(manager.notification() == "READY=1")
    #expect(RawConnection("http://127.0.0.1:\(manager.ports[0])")?.ask("GET", "/healthz")?.status == 200)
    for _ in 0..<4 { #expect(manager.notification() == "WATCHDOG=1") }
    kill(server.id, SIGTERM)
    var last = manager.notification()
    while last == "WATCHDOG=1" { last = manager.notification() }
    #expect(last == "STOPPING=1")
    #expect(server.end() == Ending(status: 0, output: "http://127.0.0.1:\(manager.ports[0])\n"))
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT]) func signalDrainsRequests(_ signal: Int32) throws {
    let manager = try Manager()
    let server = try manager.start(["--fault", "delay:100ms"])
    #expect(manager.notification() == "READY=1")
    let client = try #require(RawConnection("http://127.0.0.1:\(manager.ports[0])"))
    client.send("GET", "/scores")
    try waitUntil("the request to be read") { client.isRead }
    kill(server.id, signal)
    #expect(manager.notification() == "STOPPING=1")
    #expect(client.answer()?.status == 200)
    #expect(server.end().status == 0)
  }

  @Test func secondSignalEndsServerAtOnce() throws {
    let manager = try Manager()
    let server = try manager.start(["--fault", "delay:1000s"])
    #expect(manager.notification() == "READY=1")
    let client = try #require(RawConnection("http://127.0.0.1:\(manager.ports[0])"))
    client.send("GET", "/scores")
    try waitUntil("the request to be read") { client.isRead }
    kill(server.id, SIGTERM)
    #expect(manager.notification() == "STOPPING=1")
    kill(server.id, SIGTERM)
    #expect(server.end().signal == SIGTERM)
  }

  @Test func restartLosesNoRequest() throws {
    let manager = try Manager()
    let url = "http://127.0.0.1:\(manager.ports[0])"
    let load = SteadyLoad(at: url) { client, _ in
      // Also a client that needs a moment for its request.
      if client == 3 { usleep(20_000) }
      return ("GET", "/scores", "", ["Connection: close"])
    }
    load.start(4)
    var server = try manager.start()
    for _ in 0..<5 {
      let before = load.count
      try waitUntil("requests to be answered") { load.count > before + 20 }
      kill(server.id, SIGTERM)
      let ending = server.end()
      #expect(ending.status == 0, "\(ending)")
      server = try manager.start()
    }
    load.stop()
    #expect(load.losses == [])
    kill(server.id, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test func allPassedSocketsAreServed() throws {
    let manager = try Manager(sockets: 2)
    let server = try manager.start()
    #expect(manager.notification() == "READY=1")
    let urls = manager.ports.map { "http://127.0.0.1:\($0)" }
    #expect(try manager.home.wait(for: ".1") == "\(urls[0])\n\(urls[1])\n")
    for url in urls { #expect(RawConnection(url)?.ask("GET", "/scores")?.status == 200) }
    kill(server.id, SIGTERM)
    #expect(server.end().status == 0)
  }

  @Test func unusableSocketIsRefused() throws {
    let manager = try Manager()
    let typed = try manager.start(["--listen", "127.0.0.1:0"]).end()
    #expect(typed.status == 2 && typed.errors.contains("'--listen'"), "\(typed.errors)")
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    let wrong = try manager.start(passing: [file]).end()
    #expect(wrong.status == 5 && wrong.errors.contains("descriptor 3"), "\(wrong.errors)")
  }

  /// A socket beyond this machine makes the server public, as --listen does.
  @Test func passedPublicSocketRequiresUsers() throws {
    let manager = try Manager()
    let everywhere = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(everywhere) }
    _ = fcntl(everywhere, F_SETFD, FD_CLOEXEC)
    #expect(listen(everywhere, 10) == 0)
    let ending = try manager.start(passing: [everywhere]).end()
    #expect(ending.status == 2 && ending.errors.contains("public"), "\(ending.errors)")
  }

  /// The command must not take the variables for its own.
  @Test func commandDoesNotInheritSystemdVariables() throws {
    let manager = try Manager()
    let server = try manager.start(["--", "sh", "-c", "env | grep -c -e LISTEN_ -e NOTIFY_ -e WATCHDOG_"])
    #expect(server.end() == Ending(status: 1, output: "0\n"))
  }

  /// The ready file is written, and the loop has not begun, while nobody reads the standard output.
  @Test func signalBeforeLoopDrainsRequests() throws {
    let home = try Home()
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    while write(ends[1], "x", 1) == 1 {}
    _ = fcntl(ends[1], F_SETFL, 0)
    let server = try Started(
      ["hw", "serve", "--listen", "127.0.0.1:0", "--ready-file", "ready"], in: home, output: ends[1])
    let url = try home.wait(for: "ready").trimmingCharacters(in: .newlines)
    try server.settle()
    let client = try #require(RawConnection(url))
    client.send("GET", "/scores", headers: ["Connection: close"])
    kill(server.id, SIGTERM)
    #expect(client.answer()?.status == 200)
    #expect(server.end().status == 0)
  }
}
