import Foundation
import TestSupport
import Testing

/// What a hostile service, file, terminal or caller has done to hw. Where an attack still succeeds the test says so:
/// the fix is noticed, and the mark goes. A program that crashes is a signal in its `Ending`, and no more.
@Suite(.ownThread, .needs(.bash)) struct KnownAttacks {
  /// A crash is looked for, not looked at.
  static let variables: [String: String?] = ["HW_URL": nil, "SWIFT_BACKTRACE": "enable=no"]

  static func attack(_ line: String, in home: Home? = nil, _ more: [String: String?] = [:]) throws -> Ending {
    try shell(
      line, in: home, with: ["bash", "-c"], environment: variables.merging(more) { $1 })
  }

  /// The JSON of a node with this alias.
  static func node(_ alias: String) throws -> String {
    let node: [String: Any] = [
      "publicKey": "02" + String(repeating: "0", count: 64), "alias": alias, "channels": 7,
      "capacity": 100_000_000, "firstSeen": 1, "updatedAt": NSNull(),
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: [node]), as: UTF8.self)
  }

  // MARK: 1 A map without a width

  @Test(arguments: ["0", "0.0000000000000000000001", "0.5", "20000000"])
  func aMapOfAnyRadius(_ radius: String) throws {
    let ending = try KnownAttacks.attack("hw bikes map --demo --near 50.1195,8.6382 --radius \(radius)")
    #expect(ending.signal == nil)
    #expect([0, 2].contains(ending.status), "\(ending.errors)")
  }

  @Test(.needs(.setsid), arguments: ["0", "0.0000000000000000000001"])
  func anInteractiveMapOfAnyRadius(_ radius: String) throws {
    let terminal = try Terminal(columns: 80)
    let run = try Started(
      [
        "setsid", "-cw", "hw", "bikes", "map", "--demo", "--near", "50.1195,8.6382", "--radius", radius, "-i",
      ], in: Home(), environment: KnownAttacks.variables.merging(["TERM": "xterm"]) { $1 },
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    terminal.type("q")
    let ending = run.end()
    #expect(ending.status < 128, "\(ending.status)")
    #expect([0, 2].contains(ending.status))
  }

  // MARK: 2 Numbers that cannot be added

  private static let least = "-9223372036854775808"
  private static let most = "9223372036854775807"

  @Test(
    arguments: [
      (least, "0", "[0,0,0,0,0,0]"), ("1", most, "[0,0,0,0,0,0]"),
      ("1", least, "[0,0,0,0,0,0]"), (least, most, "[0,0,0,0,0,0]"),
      (most, most, "[\(most),\(most),0,0,0,0]"), ("1", "1", "[\(least),1,1,1,1,\(least)]"),
      ("1", "1", "[\(most),0,0,0,0,\(most)]"), ("-1", "-2", "[-1,-1,-1,-1,-1,-1]"),
    ], ["", "--json"])
  func statisticsThatOverflow(
    _ sums: (played: String, solved: String, distribution: String), _ format: String
  )
    throws
  {
    let body = """
      {"statistics":{"played":\(sums.played),"solved":\(sums.solved),"currentStreak":\(sums.solved),
      "longestStreak":\(sums.played),"distribution":\(sums.distribution),"newest":3}}
      """
    let server = try LoopbackServer { _ in .response(body: body) }
    let ending = try KnownAttacks.attack("hw wordle stats \(format) --retries 0 --url \(server.url)")
    #expect(!server.requests.isEmpty)
    #expect(ending.signal == nil)
    #expect(ending.status == 6, "statistics that no games add up to are invalid data")
  }

  // MARK: 3 An id is not a size

  @Test(.needs(.sqlite3)) func aHugeIdOfABike() throws {
    let home = try Home()
    let ending = try KnownAttacks.attack(
      """
      hw bikes list --anywhere --url embedded:store >/dev/null || exit 99
      sqlite3 store/bikes.db "INSERT INTO bike SELECT 1000000000, name, color, pin, latitude, longitude, cell, rented, \
      owner, renter, deleted, revision + 100, writer FROM bike WHERE id = 0" || exit 99
      ulimit -v 4000000
      hw serve --samples --store store -- sh -c 'for i in 1 2 3 4 5 6; do hw bikes list --anywhere --no-cache || exit 50; done'
      """, in: home)
    try #require(ending.status != 99, "\(ending.errors)")
    #expect(ending.output.contains("1000000000"))
    #expect(ending.signal == nil)
    #expect(ending.status == 0, "\(ending.status) \(ending.errors.prefix(200))")
  }

  // MARK: 5 Text that is offered for pasting

  @Test(
    arguments: [
      "https://x/';touch${IFS}PWN;'", "https://x/;touch${IFS}PWN;", "https://x/$(touch${IFS}PWN)",
      "https://x/`touch${IFS}PWN`", "https://x/#&touch${IFS}PWN&", "https://x/#\";touch${IFS}PWN;\"",
    ])
  func theHintOfACaptchaCanBePasted(_ address: String) throws {
    let home = try Home()
    let body = try JSONSerialization.data(withJSONObject: ["captchaUrl": address])
    let server = try LoopbackServer { _ in .response(status: 403, body: String(decoding: body, as: UTF8.self))
    }
    let ending = try KnownAttacks.attack("hw race status --url \(server.url)", in: home)
    // An address that is refused altogether offers nothing.
    #expect([6, 9].contains(ending.status))
    try home.install("hw", "#!/bin/sh\nexit 0\n")
    // What somebody copies of a line: the command to the end of the line, of the address or of the quotes around it.
    for line in ending.errors.split(separator: "\n") {
      guard let range = line.range(of: "hw race captcha ") else { continue }
      let command = String(line[range.lowerBound...])
      let quoted = command.components(separatedBy: " or in a browser")[0]
      let address = String(quoted.dropLast(quoted.hasSuffix("'") ? 1 : 0))
      for text in [command, quoted, address, "'" + quoted] {
        try text.write(toFile: "\(home.path)/paste", atomically: true, encoding: .utf8)
        _ = try shell("PATH=$PWD/.bin:$PATH; sh ./paste", in: home)
      }
    }
    #expect(!home.names.contains("PWN"), "\(ending.errors)")
  }

  // MARK: 6 The address of a CAPTCHA

  /// As JSON escapes them.
  private static let controls = ["\\u001b]0;x\\u0007", "\\u009b2J", "\\r\\nhw: done", "\\u202e", "\\u0085"]

  @Test(arguments: controls, ["wait", "open", "fail"])
  func theFragmentOfACaptchaControlsNothing(_ text: String, _ mode: String) throws {
    let home = try Home()
    try home.install("browser", "#!/bin/sh\nprintf %s \"$1\" >opened\n")
    let server = try LoopbackServer { _ in
      .response(status: 403, body: #"{"captchaUrl":"https://example.com/#\#(text)"}"#)
    }
    let ending = try KnownAttacks.attack(
      "hw race captcha --captcha \(mode) --url \(server.url)", in: home, ["BROWSER": "./.bin/browser"])
    #expect(ending.status == 6)
    #expect(KnownAttacks.isClean(ending.output))
    #expect(KnownAttacks.isClean(ending.errors))
    #expect(!home.names.contains("opened"))
  }

  @Test func theFragmentOfAnOperandControlsNothing() throws {
    let ending = try KnownAttacks.attack(
      "hw race captcha --demo --captcha wait $'https://example.com/#\\e[2J'")
    #expect([2, 6].contains(ending.status))
    #expect(KnownAttacks.isClean(ending.output))
  }

  /// No control character but the newline, and nothing that turns the text around.
  static func isClean(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
          || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
          || [0x200E, 0x200F].contains(scalar.value))
    }
  }

  // MARK: 7 Text from outside

  private static let alias = "a\u{1B}[2Jb\u{9B}31mc\u{202E}d\u{7}e\u{2066}f"

  private func top(_ options: String, alias: String = alias, output: Terminal? = nil) throws -> Ending {
    let body = try KnownAttacks.node(alias)
    let server = try LoopbackServer { _ in .response(body: body) }
    return try Started(
      ["hw", "nodes", "top", "--url", server.url] + options.split(separator: " ").map(String.init),
      in: Home(),
      environment: KnownAttacks.variables.merging(["TERM": "xterm"]) { $1 }, output: output?.descriptor
    ).end()
  }

  @Test(arguments: ["", "-o table", "--fields alias", "--human"])
  func aTableInAPipeIsClean(_ options: String) throws {
    let ending = try top(options)
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.contains("f"))
    #expect(KnownAttacks.isClean(ending.output), "\(ending.output.debugDescription)")
  }

  @Test func textOfARunIsClean() throws {
    let body = try KnownAttacks.node(KnownAttacks.alias)
    let server = try LoopbackServer { _ in .response(body: body) }
    let ending = try KnownAttacks.attack(
      "cp \"$(hw nodes snapshot --url \(server.url))\" a.json && hw nodes diff a.json a.json; hw rows a.json",
      in: Home())
    #expect(KnownAttacks.isClean(ending.output), "\(ending.output.debugDescription)")
    #expect(KnownAttacks.isClean(ending.errors))
  }

  /// JSON needs no control characters: it has escapes for them, also for those that only a terminal reacts to.
  @Test(arguments: ["--json", "--jsonl"]) func jsonEscapesAllOfThem(_ format: String) throws {
    let ending = try top(format)
    #expect(ending.status == 0)
    let read = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
    let row = (read as? [[String: Any]])?.first ?? read as? [String: Any]
    #expect(row?["alias"] as? String == KnownAttacks.alias)
    #expect(KnownAttacks.isClean(ending.output), "\(ending.output.debugDescription)")
  }

  /// What goes to a program is the value itself.
  @Test(arguments: ["--csv", "--tsv"]) func separatedValuesInAPipeAreUnchanged(_ format: String) throws {
    let ending = try top("\(format) --no-header --fields alias")
    let end = format == "--csv" ? "\r\n" : "\n"
    #expect(ending.output == KnownAttacks.alias + end, "\(ending.output.debugDescription)")
  }

  @Test(arguments: ["--csv", "--tsv"]) func separatedValuesOnATerminalAreClean(_ format: String) throws {
    let terminal = try Terminal(columns: 80)
    let ending = try top("\(format) --no-header --fields alias --no-pager", output: terminal)
    #expect(ending.status == 0)
    let text = terminal.text
    #expect(text.contains("f"))
    #expect(
      KnownAttacks.isClean(String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))),
      "\(text.debugDescription)")
  }

  /// A family is one emoji, of four joined ones.
  @Test func joinersInsideAnEmojiStay() throws {
    let family = "👨‍👩‍👧‍👦 ❤️"
    #expect(try top("--fields alias --no-header", alias: family).output == family + "\n")
  }

  // MARK: 8 The server's log

  private func log(of request: String) throws -> String {
    let server = try Serving.Server(["--demo", "-v"])
    let connection = try #require(RawConnection(server.url))
    connection.send(Array("\(request) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    _ = try #require(connection.answer())
    return server.stop().errors
  }

  @Test(arguments: ["/bikes/%0Ahw:%20DELETE%20forged", "/scores/%0Ahw:%20DELETE%20forged"])
  func aLineOfTheLogCannotBeForged(_ path: String) throws {
    let text = try log(of: "GET \(path)")
    #expect(text.contains("forged"))
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("hw: DELETE") }, "\(text)")
    #expect(text.split(separator: "\n").count == 1)
  }

  @Test(arguments: ["/bikes/%1B%5B2Jx%C2%9Bx%E2%80%AEx"])
  func theLogControlsNothing(_ path: String) throws {
    let text = try log(of: "GET \(path)")
    #expect(KnownAttacks.isClean(text))
  }

  @Test(arguments: ["/bikes?token=hush-hush", "/scores?api_key=hush-hush&x=1", "/nope?secret=hush-hush"])
  func theLogKeepsASecretOfAQuery(_ path: String) throws {
    let text = try log(of: "GET \(path)")
    #expect(text.contains("GET /"))
    #expect(!text.contains("hush"), "\(text)")
  }
}
