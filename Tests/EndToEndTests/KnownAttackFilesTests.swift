import Foundation
import TestSupport
import Testing

/// What is lost or given away without a crash: files, cached responses, tokens.
@Suite(.ownThread, .needs(.bash)) struct KnownAttacksOnData {
  private func attack(_ line: String, in home: Home, _ more: [String: String?] = [:]) throws -> Ending {
    try KnownAttacks.attack(line, in: home, more)
  }

  // MARK: 9 Only regular files are replaced

  /// Needs root, for the device.
  @Test(
    .enabled(if: geteuid() == 0),
    arguments: [
      "HW_CONFIG=$PWD/null hw config set nodes.lang de",
      "hw serve --demo --listen 127.0.0.1:0 --ready-file null -- true",
    ])
  func aDeviceStaysADevice(_ line: String) throws {
    let home = try Home()
    // A container may forbid it.
    guard mknod(home.file("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
    let ending = try attack("\(line); test -c null || echo lost; echo null*", in: home)
    #expect(ending.output.hasSuffix("null\n") && !ending.output.contains("lost"), "\(ending)")
  }

  @Test(
    arguments: [
      "hw serve --demo --listen 127.0.0.1:0 --ready-file pipe -- true"
    ])
  func aPipeStaysAPipe(_ line: String) throws {
    let home = try Home()
    let ending = try attack(
      """
      mkfifo pipe; cat pipe >received & \(line); s=$?
      if test -p pipe; then wait; exit $s; else kill $!; exit 99; fi
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(!home.text("received").isEmpty)
  }

  @Test(
    arguments: [
      "HW_CONFIG=$PWD/link hw config set nodes.lang de"
    ])
  func aLinkStaysALink(_ line: String) throws {
    let home = try Home()
    let ending = try attack(
      "mkdir far; : >far/file; ln -s far/file link; \(line) >/dev/null && test -L link && test -s far/file",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test func eventsAreWrittenToASubstitutedProcess() throws {
    let home = try Home()
    let ending = try attack(
      "hw serve --race-seconds 1 -- hw race watch -q --save >(cat >received) >/dev/null; s=$?; wait $!; exit $s",
      in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    try home.wait(for: "received")
  }

  // MARK: 10 Only our own files are deleted

  @Test func theCacheDeletesItsOwnFilesOnly() throws {
    let home = try Home()
    let server = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let ending = try attack(
      """
      mkdir other .cache
      for f in film.mp4 .hidden; do dd if=/dev/null of=other/$f bs=1 seek=70000000 2>/dev/null; done
      touch -d '2 days ago' other/film.mp4 other/.hidden
      ln -s ../other .cache/hw; hw wordle scores --max-age 60 --url \(server.url) >/dev/null
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(home.path)/other")
    #expect(Set(["film.mp4", ".hidden"]).isSubset(of: names), "\(names)")
  }

  // MARK: 11 Proxies

  @Test(arguments: ["http_proxy", "all_proxy", "ALL_PROXY"], ["127.0.0.1", "localhost"])
  func loopbackTrafficTakesNoProxy(_ variable: String, _ host: String) throws {
    let proxy = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let server = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let ending = try attack(
      "hw wordle scores --json --url http://\(host):\(server.port)", in: Home(),
      [variable: proxy.url, "HW_WORDLE_TOKEN": "hush-hush", "no_proxy": nil, "NO_PROXY": nil])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(proxy.requests.count == 0)
    #expect(server.requests.count == 1)
  }

  /// And any other address takes it.
  @Test func otherTrafficTakesTheProxy() throws {
    let proxy = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let ending = try attack(
      "hw wordle scores --json --url http://scores.invalid", in: Home(),
      ["http_proxy": proxy.url, "no_proxy": nil, "NO_PROXY": nil])
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(proxy.requests.map(\.target) == ["http://scores.invalid/scores"])
  }

  // MARK: 13 What may be cached

  private static func team(_ id: Int, _ name: String) -> String {
    """
    {"id":\(id),"conference":"West","division":"Pacific","city":"Town","name":"\(name)","full_name":"Town \(name)",\
    "abbreviation":"T\(id)"}
    """
  }

  private static func teams(_ name: String) -> String {
    #"{"data":[\#(team(1, name)),\#(team(2, "Others"))]}"#
  }

  private func teams(_ server: LoopbackServer, in home: Home, _ options: String = "") throws -> Ending {
    try attack(
      "hw nba teams --tsv --no-header --fields name --retries 0 --url \(server.url) \(options)", in: home,
      ["HW_NBA_KEY": "key"])
  }

  @Test(
    arguments: [
      #"{"data":[]}"#, #"{"data":[{"id":"x"}]}"#, #"{"data":null}"#, "{}", "<html>Log in to Wi-Fi</html>",
    ])
  func aBadResponseIsNotCached(_ bad: String) throws {
    let home = try Home()
    let server = try LoopbackServer { request in
      .response(
        headers: ["Cache-Control: max-age=86400"], body: request.number == 1 ? bad : Self.teams("Lakers"))
    }
    _ = try teams(server, in: home)
    #expect(server.requests.count == 1)
    let second = try teams(server, in: home)
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.output.contains("Lakers"))
  }

  @Test func aGoodResponseIsCached() throws {
    let home = try Home()
    let server = try LoopbackServer { _ in .response(body: Self.teams("Lakers")) }
    #expect(try teams(server, in: home).output.contains("Lakers"))
    #expect(try teams(server, in: home).output.contains("Lakers"))
    #expect(server.requests.count == 1)
  }

  @Test func aMaxAgeOfZeroAsksAndReplaces() throws {
    let home = try Home()
    let server = try LoopbackServer { request in .response(body: Self.teams("Team\(request.number)")) }
    #expect(try teams(server, in: home).output.contains("Team1"))
    let fresh = try teams(server, in: home, "--max-age 0")
    let third = try teams(server, in: home)
    #expect(fresh.output.contains("Team2"))
    #expect(third.output.contains("Team2"))
    #expect(server.requests.count == 2)
  }

  @Test(arguments: ["", "--max-age 3600"]) func noStoreIsRespected(_ options: String) throws {
    let home = try Home()
    let server = try LoopbackServer { request in
      .response(headers: ["Cache-Control: no-store"], body: Self.teams("Team\(request.number)"))
    }
    #expect(try teams(server, in: home, options).output.contains("Team1"))
    let second = try teams(server, in: home, options)
    #expect(second.output.contains("Team2"))
    #expect(server.requests.count == 2)
  }

  // MARK: 14 Tokens, PINs and terminals

  /// Two requests of one program. The proxy of the test stands in for a network: no other machine is asked.
  private func overPlainHTTP(_ variables: [String: String?]) throws -> Ending {
    let proxy = try LoopbackServer { request in
      request.method == "GET" ? .response(body: #"{"scores":[]}"#) : .response(status: 201, body: "{}")
    }
    let ending = try attack(
      "hw wordle add --id 1 --date 2021-06-20 --word watch --tries watch --url http://scores.invalid",
      in: Home(),
      ["http_proxy": proxy.url, "no_proxy": nil, "NO_PROXY": nil].merging(variables) { $1 })
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(proxy.requests.map(\.method) == ["GET", "POST"])
    return ending
  }

  @Test func aTokenOverPlainHTTPIsWarnedOf() throws {
    let ending = try overPlainHTTP(["HW_WORDLE_TOKEN": "hush-hush"])
    #expect(ending.errors.split(separator: "\n").count { $0.hasPrefix("hw: ") } == 1, "\(ending.errors)")
    #expect(!ending.errors.contains("hush"))
  }

  @Test func withoutATokenPlainHTTPIsNoMatter() throws {
    #expect(try overPlainHTTP(["HW_WORDLE_TOKEN": nil]).errors == "")
  }

  @Test func onLoopbackPlainHTTPIsNoMatter() throws {
    let server = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let ending = try attack(
      "hw wordle scores --json --url \(server.url)", in: Home(), ["HW_WORDLE_TOKEN": "hush-hush"])
    #expect(ending.errors == "")
  }

  @Test(.needs(.setsid), arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGHUP])
  func aSignalLeavesNoRawTerminal(_ signal: Int32) throws {
    let home = try Home()
    let terminal = try Terminal(columns: 80)
    let before = terminal.settings
    let started = try Started(
      ["setsid", "-cw", "sh", "-c", "echo $$ >id; exec hw wordle scores -i --demo"], in: home,
      environment: KnownAttacks.variables.merging(["TERM": "xterm"]) { $1 }, input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
    _ = try #require(terminal.see("q quit"))
    #expect(terminal.settings != before)
    let id = try #require(pid_t(home.text("id").dropLast()))
    kill(id, signal)
    // Either it ends, or it goes on and takes keys.
    terminal.type("q")
    _ = started.end()
    #expect(terminal.settings == before)
    #expect(terminal.text.contains(Terminal.leaves))
  }

  private static func databases(in folder: String) throws -> [UInt8] {
    try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
      Array(FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
    }
  }

  @Test(.needs(.sqlite3)) func aDeletedBikeKeepsNoPIN() throws {
    let home = try Home()
    let ending = try attack(
      """
      hw serve --samples --store store -- sh -c '
        printf "name,color,pin,latitude,longitude\\nWanda,red,7391,50.12,8.64\\n" | hw bikes import - >/dev/null
        id=$(hw bikes list --anywhere --where name=Wanda --tsv --no-header --fields id)
        test -n "$id" && hw bikes delete "$id" --yes'
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let dump = try shell("sqlite3 store/bikes.db .dump", in: home).output
    #expect(dump.contains("CREATE TABLE"))
    #expect(!dump.contains("'7391'"))
  }

  @Test func noTokenIsInADatabase() throws {
    let home = try Home()
    let ending = try attack(
      """
      export HW_WORDLE_TOKEN=hush-hush-hush-hush
      hw serve --samples --store store -- hw wordle add --id 1 --date 2021-06-20 --word watch --tries watch
      """, in: home)
    #expect(ending.status == 0, "\(ending.errors)")
    let bytes = try Self.databases(in: "\(home.path)/store")
    #expect(bytes.firstRange(of: Array("watch".utf8)) != nil)
    #expect(bytes.firstRange(of: Array("hush-hush".utf8)) == nil)
  }
}

extension Started {
  /// In kB, so far.
  var peakMemory: Int? {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    return status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.output.1) }
  }
}
