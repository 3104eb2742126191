import Foundation
import JSON
import TestSupport
import Testing

/// How the client names itself, waits, reports and caches, over a real socket.
@Suite(.ownThread) struct NetworkOptions {
  private static let scores = #"{"scores":[{"id":262,"date":"2022-03-08","word":"sweet","tries":["sweet"]}]}"#

  private func hw(
    _ words: String, _ server: LoopbackServer, in home: Home? = nil, environment: [String: String?] = [:]
  ) throws -> Ending {
    try shell(
      "hw \(words) --url \(server.url)", in: home, environment: ["HW_URL": nil].merging(environment) { $1 })
  }

  @Test func theClientSaysWhatItIs() throws {
    let server = try LoopbackServer { _ in .response(body: Self.scores) }
    let version = try shell("hw --version").output.split(separator: " ").last ?? ""
    for variables in [[:], ["HW_USER_AGENT": "theirs"], ["HW_WORDLE_USER_AGENT": "ours"]] {
      #expect(try hw("wordle scores", server, environment: variables).status == 0)
    }
    #expect(
      server.requests.map { $0.field("User-Agent") } == [
        "hw/\(version.trimmingCharacters(in: .newlines))", "theirs", "ours",
      ])
    let forged = ["HW_USER_AGENT": "a\nX-Evil: 1"]
    #expect(try hw("wordle scores", server, environment: forged).status == 2)
    #expect(server.requests.count == 3)
  }

  @Test func aWaitThatIsTooLongIsNamed() throws {
    let server = try LoopbackServer { _ in .response(status: 429, headers: ["Retry-After: 7200"]) }
    let ending = try hw("wordle scores", server)
    #expect(ending.status == 8 && ending.signal == nil)
    #expect(
      ending.errors.contains("7200 s") && ending.errors.contains("'HW_MAX_WAIT=7200'"), "\(ending.errors)")
    let short = try LoopbackServer { request in
      request.number == 1
        ? .response(status: 503, headers: ["Retry-After: 1"]) : .response(body: Self.scores)
    }
    #expect(try hw("wordle scores", short, environment: ["HW_MAX_WAIT": "0.5"]).status == 5)
    #expect(short.requests.count == 1)
    #expect(try hw("wordle scores", short).status == 0)
  }

  @Test(
    "The sub-kind of status 5 in JSON",
    arguments: [
      ("hw nodes top --url http://127.0.0.1:1", "refused"),
      ("hw serve -- sh -c 'hw nodes top --json --url https${HW_URL#http}'", "tls"),
      ("hw serve --fault 500:1 -- hw nodes top --json", "serverError"),
      ("hw serve --fault drop:1 -- hw nodes top --json", "truncated"),
      ("hw serve --fault delay:5s -- hw nodes top --json --timeout 0.1", "timeout"),
      ("hw serve --fault delay:5s -- hw nodes top --json --deadline 0.1", "timeout"),
    ])
  func subkinds(_ line: String, _ subkind: String) throws {
    let ending = try shell("\(line) --retries 0 --json".replacing(" --json --json", with: " --json"))
    #expect(ending.status == 5, "\(ending)")
    #expect(ending.errors.contains(#""subkind":"\#(subkind)""#), "\(ending.errors)")
  }

  /// The proxy is on this machine and refuses, so nothing leaves it.
  @Test func whoeverGaveNoAddressIsToldOfTheSampleData() throws {
    let proxy: [String: String?] = ["HW_URL": nil, "HTTPS_PROXY": "http://127.0.0.1:1"]
    let ending = try shell("hw nodes top --retries 0", environment: proxy)
    #expect(ending.status == 5)
    #expect(ending.errors.contains("--demo") && ending.errors.contains("HW_URL=demo:"), "\(ending.errors)")
    let typed = try shell("hw nodes top --retries 0 --url https://mempool.space", environment: proxy)
    #expect(typed.status == 5 && !typed.errors.contains("HW_URL=demo:"), "\(typed.errors)")
  }

  @Test func bodiesAreLoggedWithoutSecrets() throws {
    let ending = try shell(
      "hw serve -- sh -c 'hw bikes list -vv && hw bikes rent 1 -vv'", environment: ["HW_URL": nil])
    #expect(ending.errors.contains(#""name":"Henry","color":"00C8E6","pin":"•••""#), "\(ending.errors)")
    #expect(!ending.errors.contains("1234") && !ending.errors.contains("5678"))
    #expect(
      !(try shell("hw serve -- hw bikes list -v", environment: ["HW_URL": nil]).errors.contains("Henry")))
  }

  @Test func metaNamesSourceAndTime() throws {
    let line = """
      hw serve -- sh -c 'HW_META=on hw nodes top -n 1 --max-age 60 >/dev/null; HW_META=on hw nodes top -n 1 --max-age 60 >/dev/null
      hw nodes top -n 1 --record r >/dev/null' 2>meta
      HW_META=on hw nodes top -n 1 --demo >/dev/null 2>>meta
      """
    let home = try Home()
    let ending = try shell(line, in: home, environment: ["HW_URL": nil])
    let sources = try home.text("meta").split(separator: "\n").map { line in
      let meta = try JSON.parse(String(line))
      #expect(meta["asOf"].kind == .number)
      return try "\(meta["from"].string) \(meta["status"].int)"
    }
    #expect(sources == ["network 200", "cache 200", "embedded 200"], "\(ending)")
  }

  @Test func theCacheIsCountedAndCleared() throws {
    let line = """
      hw serve -- hw nodes top -n 1 --max-age 60 >/dev/null
      hw cache clear --dry-run --json | cut -c 1-14; hw cache clear --json | cut -c 1-14
      touch .cache/hw/mine; hw cache clear; ls .cache/hw
      """
    let ending = try shell(line, environment: ["HW_URL": nil])
    let one = #"{"responses":1"#
    #expect(ending.output == "\(one)\n\(one)\n0 cached responses, 0 bytes\nmine\n", "\(ending)")
  }
}
