import Foundation
import TestSupport
import Testing

/// `hw NAME` where the program has no NAME, and a program hw-NAME stands on PATH.
@Suite(.ownThread) struct PlugInProcesses {
  /// Says what it was given.
  private static let script = """
    #!/bin/sh
    for word; do printf '<%s>' "$word"; done
    echo
    env | grep '^HW_' | grep -v '^HW_BIN=' | LC_ALL=C sort
    exit 7
    """

  private func home(_ plugIns: [String: String] = ["hw-say": script]) throws -> Home {
    let home = try Home()
    for (name, text) in plugIns { try home.install(name, text) }
    return home
  }

  private func run(_ line: String, in home: Home, _ more: [String: String?] = [:]) throws -> Ending {
    let path = "\(home.path)/.bin:\(Installed.environment(home: home.path)["PATH"] ?? "")"
    var environment: [String: String?] = ["PATH": path, "HW_URL": nil]
    environment.merge(more) { $1 }
    return try shell(line, in: home, environment: environment)
  }

  @Test(
    arguments: [
      ("hw say", "<>|"), ("hw say a 'b c' --json -h -- -x", "<a><b c><--json><-h><--><-x>|"),
      ("hw --json say a", nil), ("hw -q --no-config say", nil), ("hw --fields a,b --limit say", nil),
      ("hw --help say", "<--help>|"), ("hw -h say x", "<--help>|"), ("hw help say", "<--help>|"),
    ] as [(String, String?)])
  func plugInReceivesWordsAndVariables(line: String, said: String?) throws {
    let ending = try run(line, in: home())
    guard let said else {
      #expect(ending.status == 2)
      return
    }
    let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let variables = lines.dropFirst().filter { !$0.isEmpty }.joined(separator: " ")
    #expect(
      "\(lines.first ?? "")|\(variables)" == said.replacingOccurrences(of: "<>", with: ""), "\(ending.errors)"
    )
    #expect(ending.status == 7)
    #expect(ending.errors == "")
  }

  /// hw ignores SIGPIPE, and an ignored signal would stay so in the plug-in and all that it starts.
  @Test func plugInHasDefaultSignals() throws {
    let home = try home(["hw-say": "#!/bin/sh\nkill -PIPE $$\necho alive\n"])
    let ending = try run("hw say; echo $?", in: home)
    #expect(ending.output == "141\n", "\(ending)")
  }

  @Test func ownCommandTakesPrecedenceOverPlugIn() throws {
    let home = try home(["hw-nodes": PlugInProcesses.script, "hw-rows": PlugInProcesses.script])
    #expect(try run("hw nodes", in: home).output.hasPrefix("hw nodes: "))
    #expect(try run("echo '[]' | hw rows --json", in: home).output == "[]\n")
    #expect(try !run("hw help", in: home).output.contains("on PATH"))
  }

  @Test func helpListsPlugInsWithoutRunningThem() throws {
    let trap = "#!/bin/sh\ntouch ran"
    let home = try home(["hw-zeta": trap, "hw-alpha": trap, "hw-.hidden": trap])
    try home.write("", to: ".bin/hw-plain")
    for line in ["hw", "hw help", "hw --help"] {
      let lines = try run(line, in: home).output.split(separator: "\n").filter { $0.hasSuffix("on PATH") }
      let own = lines.filter { $0.contains("alpha") || $0.contains("zeta") || $0.contains("plain") }
      #expect(own.map { $0.split(separator: " ")[0] } == ["alpha", "zeta"], "\(line)")
      #expect(!lines.contains { $0.contains("hidden") })
    }
    #expect(!home.names.contains("ran"))
  }

  @Test(arguments: [
    ("hw sya", 2, "hw: 'sya' is not a command of hw\n    did you mean 'say'?\n"),
    ("hw ../.bin/say", 2, "hw: '../.bin/say' is not a command of hw\n    see 'hw --help'\n"),
    ("hw broken", 10, "broken': exec format error\n    a script names its interpreter"),
  ])
  func unrunnablePlugInIsReported(line: String, status: Int32, errors: String) throws {
    let ending = try run(line, in: home(["hw-say": PlugInProcesses.script, "hw-broken": "\u{7F}nothing"]))
    #expect(ending.status == status)
    #expect(ending.errors.contains(errors), "\(ending.errors)")
  }

  @Test func exampleOfPlugInTopicRuns() throws {
    let topic = try shell("hw help plugins").output.split(separator: "\n").map { $0.drop { $0 == " " } }
    let start = try #require(topic.firstIndex(of: "#!/bin/sh"))
    let script = topic[start...].prefix(4).joined(separator: "\n")
    let ending = try run("HW_URL=demo: hw where --limit 3 --tsv", in: home(["hw-where": script]))
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.split(separator: "\n", omittingEmptySubsequences: false).first == "iso_code")
  }

  @Test func aliasCallsPlugIn() throws {
    let home = try Home()
    for name in ["hw-greet", "hw-say"] {
      try home.install(name, "#!/bin/sh\necho \"plug-in $*\"\n")
    }
    try home.write("alias.g = greet 'a b'\nalias.say = version\n", to: "c")
    let line = "export HW_CONFIG=$PWD/c; hw g c && hw say"
    #expect(try run(line, in: home).output == "plug-in a b c\nhw 1.0.0-rc.1\n")
  }
}
