import Foundation
import JSON
import TestSupport
import Testing

/// `hw nodes`, as it is installed: against the sample data, a real server, and a service that breaks its contract.
@Suite(.ownThread) struct NodesCommands {
  /// What the service says in place of what it should, as a recording that is played.
  private func hw(_ words: String, answered status: Int = 200, _ body: String, at path: String? = nil) throws
    -> Ending
  {
    let home = try Home()
    let target = path ?? "/api/v1/lightning/nodes/rankings/connectivity"
    let exchange =
      "# hw recording 2\n> GET \(target)\n\n< \(status)\n< Content-Type: application/json\n\n\(body)\n"
    try FileManager.default.createDirectory(atPath: "\(home.path)/rec", withIntermediateDirectories: true)
    try exchange.write(toFile: "\(home.path)/rec/0001-answer.exchange", atomically: true, encoding: .utf8)
    return try shell("hw nodes \(words) --url http://127.0.0.1:1 --replay rec", in: home)
  }

  private static func row(_ number: Int, _ extra: String = #""channels":7,"capacity":100000000"#) -> String {
    let key = String(repeating: "0", count: 64 - "\(number)".count) + "\(number)"
    return #"{"publicKey":"02\#(key)","alias":"node \#(number)",\#(extra),"firstSeen":1,"updatedAt":null}"#
  }

  private static func rows(_ count: Int, broken: Int? = nil, _ extra: String = "") -> String {
    "[" + (1...count).map { $0 == broken ? row($0, extra) : row($0) }.joined(separator: ",") + "]"
  }

  @Test(
    "A row that breaks the contract: exit 6, and which row and field",
    arguments: [
      (#""channels":"7","capacity":1"#, "[56].channels: expected an integer, found a string"),
      (#""channels":7,"capacity":3000000000000000000000"#, "[56].capacity: expected an integer of 64 bits"),
      (#""channels":7"#, "[56].capacity: expected an integer, found nothing"),
    ] as [(String, String)])
  func malformed(_ members: String, _ says: String) throws {
    let ending = try hw("top", NodesCommands.rows(100, broken: 57, members))
    #expect(ending.status == 6)
    #expect(ending.output == "")
    #expect(ending.errors.contains("row 57: "))
    #expect(ending.errors.contains(says))
  }

  @Test func cutShort() throws {
    let ending = try hw("top", String(NodesCommands.rows(100).dropLast(40)))
    #expect(ending.status == 6)
    #expect(ending.output == "")
  }

  @Test(
    "An empty list: its header, status 0",
    arguments: [
      ("", "Rank  Alias  Channels  Capacity  Country  City  Updated\n"), ("--json", "[]\n"), ("--jsonl", ""),
      ("--csv", "rank,alias,channels,capacity,country,city,updatedAt\r\n"),
      ("--tsv", "rank\talias\tchannels\tcapacity\tcountry\tcity\tupdatedAt\n"),
    ] as [(String, String)])
  func empty(_ format: String, _ output: String) throws {
    let ending = try hw("top \(format)", "[]")
    #expect(ending == Ending(status: 0, output: output))
  }

  @Test func anAliasFullOfEscapes() throws {
    let alias = #"\u001b[2Jevil\u202e\u0007\ttab"#
    let body = "[" + NodesCommands.row(1).replacing("node 1", with: alias) + "]"
    let json = try hw("top --json --fields alias", body)
    #expect(json.output == "[{\"alias\":\"\\u001b[2Jevil\\u202e\\u0007\\ttab\"}]\n")
    let tsv = try hw("top --tsv --no-header --fields alias,rank", body)
    #expect(tsv.output.hasSuffix("\\ttab\t1\n"))
  }

  @Test(
    "Values that no option takes: status 2, and what it takes",
    arguments: [
      ("--limit -1", "'--limit' requires a whole number, 0 or more, not '-1'"),
      ("--lang xx", "'--lang' requires a language such as de, en"),
      ("--sort size", "unknown field 'size'"),
      ("--sort alias:up", "unknown field 'alias:up'"),
      ("--where capacity", "quote the expression"), ("--where 'rank>first'", "'rank' is a number"),
      ("--by size", "'--by' requires one of connectivity, liquidity, age"),
      ("--watch 9", "'--watch' requires 10 s or more"),
    ] as [(String, String)])
  func refused(_ option: String, _ says: String) throws {
    let ending = try shell("hw nodes top \(option)")
    #expect(ending.status == 2)
    #expect(ending.output == "")
    #expect(ending.errors.contains(says))
  }

  @Test(
    "The three backends have the same nodes",
    arguments: [
      "hw nodes top --json --url demo:", "hw nodes top --json --url embedded:",
      "hw serve -- hw nodes top --json", "hw serve -- sh -c 'HW_NODES_URL=$HW_URL/nodes hw nodes top --json'",
    ])
  func backends(_ line: String) throws {
    let ending = try shell(line)
    let reference = try shell("hw nodes top --json")
    #expect(ending.status == 0)
    #expect(ending.output == reference.output)
    #expect(reference.output.split(separator: "\n").count == 100)
  }

  @Test func theTable() throws {
    let ending = try shell("TZ=UTC hw nodes top -n 2")
    #expect(
      ending.output == """
        Rank  Alias           Channels      Capacity  Country        City     Updated
           1  lunar.dock.com      2923  239.71977737  Japan          Tokyo    -
           2  keen.kiosk.com      2820  278.81468675  United States  Ashburn  2025-12-30 21:49+00:00

        """)
    let elsewhere = try shell("TZ=XXX-2 hw nodes top -n 2")
    #expect(elsewhere.output.contains("2025-12-30 23:49+02:00"))
  }

  @Test func theLanguage() throws {
    for line in [
      "hw nodes top -n 1 --lang de", "LC_ALL=de_AT.UTF-8 hw nodes top -n 1",
      "HW_NODES_LANG=de hw nodes top -n 1",
      "hw config set nodes.lang de; hw nodes top -n 1",
      "hw config set lang fr; hw config set nodes.lang de; hw nodes top -n 1",
    ] {
      #expect(try shell(line).output.contains("Tokio"), "\(line)")
    }
  }

  @Test func sorting() throws {
    let line = "hw nodes top --sort capacity:desc --tsv --no-header --fields capacity"
    #expect(try shell("\(line) | sort -rnc").status == 0)
    // By a country's name in the language, nodes without a country last in either direction.
    for (order, flags) in [("country", "-c"), ("country:desc", "-rc")] {
      let line = "hw nodes top --lang de --tsv --no-header --fields country --sort \(order) >all"
      let sorted = "grep -v '^$' all >some; LC_ALL=C sort \(flags) some && test $(wc -l <some) -lt 100"
      let last = "test -z \"$(tail -n $((100 - $(wc -l <some))) all | tr -d '\\n')\""
      #expect(try shell("\(line); \(sorted) && \(last)").status == 0, "\(order)")
    }
    let country = try shell("hw nodes top --country de --tsv --no-header --fields iso_code | sort -u")
    #expect(country.output == "DE\n")
  }

  @Test func humanNumbers() throws {
    let ending = try shell("hw nodes top -n 1 --by liquidity --human")
    #expect(ending.output.contains("2.7k"))
    #expect(ending.output.contains("564.6 BTC"))
    #expect(ending.output.contains(" ago"))
  }
}

/// One node, by whatever it is called.
@Suite(.ownThread) struct NodesShow {
  @Test(
    arguments: [
      "lunar.dock.com", "LUNAR.DOCK.COM", "03e546e2", "03E546E2A4",
      "03e546e2a4a1bd9e080305eed369a1050f72d6667c50e1066be9e98cb0f4d5bb11",
    ])
  func found(_ name: String) throws {
    let ending = try shell("hw nodes show \(name) --tsv --no-header --fields alias,capacity")
    #expect(ending == Ending(status: 0, output: "lunar.dock.com\t23971977737\n"))
  }

  @Test func severalMatches() throws {
    let text = try shell("hw nodes show 'ZAP HARBOUR'")
    #expect(text.status == 4)
    #expect(text.errors.split(separator: "\n").count == 5)
    let json = try shell("hw nodes show 'ZAP HARBOUR' --json 2>&1 >/dev/null").json()
    #expect(try json["error"]["candidates"].array.count == 3)
    #expect(text.errors.contains(" channels, "))
    // One of the three is equal by case.
    #expect(
      try shell("hw nodes show 'zap harbour' --tsv --no-header --fields alias").output == "zap harbour\n")
    #expect(try shell("hw nodes search 'zap harbour' --jsonl | wc -l").output == "3\n")
  }

  /// Both texts of an unknown key are status 3; any other error 500 is an error of the server.
  @Test(
    arguments: [
      (#"{"error":"Failed to get node"}"#, 3),
      ("This node does not exist, or our node is not seeing it yet", 3),
      (#"{"error":"Failed to connect"}"#, 5),
    ])
  func anErrorThatMeansNotFound(_ body: String, _ status: Int32) throws {
    let server = try LoopbackServer { _ in .response(status: 500, body: body) }
    let key = String(repeating: "ab", count: 33)
    let ending = try shell("hw nodes show \(key) --retries 0 --url \(server.url)")
    #expect(ending.status == status, "\(ending)")
  }

  /// The service answers 500 to a key that nobody has.
  @Test(arguments: [String(repeating: "ab", count: 33), "03e546e9ffff", "nobody at all"])
  func notFound(_ name: String) throws {
    let ending = try shell("hw nodes show '\(name)' --json")
    #expect(ending.status == 3)
    #expect(ending.output == "")
  }

  @Test func manyFromStandardInput() throws {
    let ending = try shell(
      "hw nodes top --tsv --no-header --fields publicKey -n 3 | hw nodes show - --tsv --no-header --fields alias"
    )
    #expect(ending.output == "lunar.dock.com\nkeen.kiosk.com\nhumble engine\n")
  }

  @Test func nothingNamed() throws {
    #expect(try shell("hw nodes show").status == 2)
    #expect(try shell("hw nodes show ' '").status == 2)
  }
}

/// Copies of a ranking, and what lies between two.
@Suite(.ownThread) struct NodesSnapshots {
  @Test func noDifference() throws {
    #expect(
      try shell("hw nodes snapshot >/dev/null && hw nodes diff latest --json")
        == Ending(status: 0, output: "[]\n"))
  }

  @Test func aDifference() throws {
    // The second node loses two channels and gains a coin, and the first one has another key.
    let line = """
      cp "$(hw nodes snapshot)" a.json
      sed 's/"channels":2820,"capacity":27881468675,/"channels":2818,"capacity":27981468675,/; s/"03e546e2/"02e546e2/' \
        a.json >b.json
      hw nodes diff a.json b.json --tsv --no-header --fields change,alias,channels.delta,capacity.delta
      """
    let ending = try shell(line)
    #expect(ending.status == 1)
    #expect(
      ending.output.split(separator: "\n").sorted() == [
        "changed\tkeen.kiosk.com\t-2\t100000000", "entered\tlunar.dock.com\t\t", "left\tlunar.dock.com\t\t",
      ])
  }

  /// Ten at once leave whole files. None removes one of the newest three, and the oldest are gone.
  @Test func inParallel() throws {
    let home = try Home()
    let line = """
      f=.local/state/hw/nodes; mkdir -p $f
      for s in 1 2 3 4; do touch $f/connectivity-2001-01-01T00000${s}Z-mainnet-demo%3A.json; done
      for i in 1 2 3 4 5 6 7 8 9 10; do hw nodes snapshot --keep 3 >>paths & done; wait
      hw nodes diff latest
      """
    let ending = try shell(line, in: home)
    #expect(ending.status == 0 && ending.errors == "")
    let left = home.names(".local/state/hw/nodes").map { Substring($0) }
    for name in left where !name.contains("2001") {
      let snapshot = try JSON.parse(home.text(".local/state/hw/nodes/\(name)"))
      #expect(try snapshot["nodes"].array.count == 100, "\(name)")
    }
    let taken = Set(home.text("paths").split(separator: "\n").compactMap { $0.split(separator: "/").last })
    #expect(!taken.isEmpty && taken.count <= 10)
    let end = "Z-mainnet-demo%3A.json"
    let newest = (["connectivity-2001-01-01T000003\(end)", "connectivity-2001-01-01T000004\(end)"] + taken)
      .sorted().suffix(3)
    #expect(newest.allSatisfy { left.contains($0) })
    #expect((3...taken.count + 2).contains(left.count))
    #expect(left.allSatisfy { taken.contains($0) || $0.hasSuffix("3\(end)") || $0.hasSuffix("4\(end)") })
  }

  /// The README's script for cron, with a `mail` that writes to a file.
  @Test func theScriptForCron() throws {
    let readme = try String(contentsOf: GeneratedFiles.root.appending(path: "README.md"), encoding: .utf8)
    let script = try #require(TheReadme.blocks(of: readme).first { $0.text.contains("mail -s") }).text
    let home = try Home()
    try home.install("mail", "#!/bin/sh\necho mail >>mails; cat >>mails\n")
    func run(_ setting: String = "") throws -> String {
      try Data().write(to: URL(filePath: "\(home.path)/mails"))
      _ = try shell("PATH=$PWD/.bin:$PATH\n\(setting)\n\(script)", in: home)
      return home.text("mails")
    }
    // Without a snapshot, and without a change, there is nothing to mail.
    #expect(try run() == "")
    #expect(try run() == "")
    let count = "ls .local/state/hw/nodes | wc -l"
    #expect(try ["1\n", "2\n"].contains(shell(count, in: home).output))
    let edit = """
      cd .local/state/hw/nodes; for f in *; do sed 's/"channels":2923,/"channels":2916,/' $f >../new && mv ../new $f; done
      """
    #expect(try shell(edit, in: home).status == 0)
    let mail = try run().split(separator: "\n")
    #expect(mail.count == 3 && mail.first == "mail")
    #expect(mail.last?.hasPrefix("changed  lunar.dock.com  ") == true)
    #expect(mail.last?.contains("  +7 channels") == true)
    // It is mailed once.
    #expect(try run() == "")
    // An error is no change.
    #expect(try run("export HW_URL=http://127.0.0.1:1") == "")
  }

  /// The README's recipe with two sources: a run of the sample data neither removes nor compares a snapshot of a server.
  @Test func sourcesDoNotMix() throws {
    let line = """
      hw serve -- sh -c 'hw nodes snapshot && hw nodes snapshot --demo --keep 1 --diff' && ls .local/state/hw/nodes
      hw nodes snapshots --tsv --no-header --fields source,network; hw nodes diff latest~1 --demo; echo $?
      """
    let ending = try shell(line, environment: ["HW_URL": nil])
    let lines = ending.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 7, "\(ending)")
    #expect(lines[2...3].contains { $0.contains("Z-mainnet-http%3A%2F%2F127.0.0.1%3A") }, "\(ending)")
    #expect(lines[4...5].contains("demo:\tmainnet"), "\(ending)")
    #expect(
      lines.last == "3" && ending.errors.contains("there is no 'latest~1', one snapshot is saved"),
      "\(ending)")
  }

  @Test func snapshotsOfOneSecondAreSeveral() throws {
    let home = try Home()
    let ending = try shell(
      "for s in 1 2 3 4 5; do HW_SEED=$s hw nodes snapshot & done; wait; hw nodes snapshots --jsonl | wc -l",
      in: home, environment: ["HW_URL": "demo:"])
    let lines = ending.output.split(separator: "\n")
    #expect(Set(lines).count == 6 && lines.last == "5")
    let taken = try home.names(".local/state/hw/nodes").map {
      try JSON.parse(home.text(".local/state/hw/nodes/\($0)"))["taken"].int
    }
    #expect(Set(taken).count == 5)
  }
}

/// Languages and networks, as a script uses them.
@Suite(.ownThread) struct NodesForScripts {
  /// The locale of a terminal decides about tables alone.
  @Test func theLocaleDoesNotChangeCSV() throws {
    for format in ["--csv", "--tsv", "--jsonl --sort country"] {
      let line = "hw nodes top --fields rank,country \(format)"
      #expect(
        try shell("LC_ALL=de_DE.UTF-8 \(line)").output == shell("LC_ALL=C \(line)").output, "\(format)")
    }
    #expect(try shell("hw nodes top --csv --lang de").output.contains("Deutschland"))
    #expect(try shell("LC_ALL=de_DE.UTF-8 hw nodes top").output.contains("Deutschland"))
  }

  @Test func networksOfAServer() throws {
    let ending = try shell(
      "hw serve -- sh -c 'hw nodes stats --network signet --jsonl --fields node_count; hw nodes top --network testnet --jsonl | wc -l'",
      environment: ["HW_URL": nil])
    #expect(ending.output == "{\"node_count\":12}\n40\n", "\(ending)")
  }
}
