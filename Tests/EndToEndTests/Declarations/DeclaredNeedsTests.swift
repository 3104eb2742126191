import Foundation
import TestSupport
import Testing

/// A test that starts a program outside POSIX declares it with `.needs`, so that it is skipped where that is missing.
@Suite(.ownThread) struct DeclaredNeeds {
  /// The utilities of POSIX that every system has, and what is built into a shell. `hw` is what is tested, and there is
  /// no `nosuch`.
  private static let base = Set(
    """
    hw nosuch ! . : [ alias autoload bg break case cd command compinit complete continue do done elif else esac eval exec exit export fg fi for hash if
    jobs local read return set shift source then times trap type ulimit umask unalias unset until wait while
    awk basename cat chmod chown cksum cmp comm cp cut date dd df diff dirname du echo env expand expr false find fold
    grep head id join kill ln ls mkdir mkfifo mv nl nohup od paste printf pwd readlink rm rmdir sed sh sleep sort split
    stty tail tee test time timeout touch tr true tty uname uniq wc xargs yes
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static let directory = GeneratedFiles.root.appending(path: "Tests")
  private static let files =
    (FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? [])
    // The lines of this table are never run.
    .filter { !$0.hasSuffix("/ShellProgramsTests.swift") }
    .filter { $0.hasSuffix("Tests.swift") || $0.hasPrefix("EndToEndTests/") && $0.hasSuffix(".swift") }
    .sorted()

  @Test(arguments: files) func programsOfTestsAreDeclared(_ file: String) throws {
    let source = SwiftSource(try String(contentsOf: Self.directory.appending(path: file), encoding: .utf8))
    #expect(Self.undeclared(in: source) == [])
  }

  static func undeclared(in source: SwiftSource) -> [String] {
    let installed = source.text.matches(of: /\.install\(\s*"([\w-]+)"/).map { String($0.output.1) }
    return source.literals.flatMap { literal -> [String] in
      let missing = programs(of: literal).filter { !base.contains($0) && !installed.contains($0) }
      guard !missing.isEmpty else { return [] }
      let declared = source.needs(at: literal.line)
      return missing.filter { name in
        !Tool.allCases.contains { $0.programs.contains(name) && declared.contains("\($0)") }
      }.map { "line \(literal.line + 1): \($0)" }
    }
  }

  private static let tools = Set(Tool.allCases.flatMap(\.programs))

  /// Of a shell line all programs, of another text the tools that it can only name as programs.
  private static func programs(of literal: SwiftSource.Literal) -> [String] {
    let text = literal.text
    guard literal.isShellLine || literal.isProgram || mayNameProgram(text) else { return [] }
    // Plug-ins are made by the tests.
    let names = ShellPrograms.names(in: text).filter {
      !$0.hasPrefix("-") && !$0.hasPrefix("hw-")
        && $0.allSatisfy { $0.isLetter || $0.isNumber || "._+-[!:".contains($0) }
    }
    if literal.isShellLine || literal.isProgram || names.contains("hw") && base.contains(names[0]) {
      return names
    }
    // hw prints lines of curl, its texts are about nodes, and `less` has options in a variable.
    return names.filter { tools.contains($0) && !["curl", "node", "less"].contains($0) }
  }

  private static func mayNameProgram(_ text: String) -> Bool {
    text.contains("hw ") || text.contains("| ")
      || text.contains(" ") && tools.contains(String(text.prefix { $0 != " " }))
  }

  @Test(arguments: [
    ("try shell(\"jq . a\")", ["line 3: jq"]), ("try shell(\"hw nodes top | jq .\")", ["line 3: jq"]),
    ("try run(\"hw nodes top | frobnicate\")", ["line 3: frobnicate"]),
    ("try Started([\"tmux\", \"-u\"], in: home)", ["line 3: tmux"]),
    ("try Started([\"sh\", \"-c\", \"frobnicate\"], in: home)", ["line 3: frobnicate"]),
    ("let a = \"\\(line) | jq .\"", ["line 3: jq"]), ("let a = #\"cat \"a\" | jq .\"#", ["line 3: jq"]),
    ("let a = \"\\(words(\"jq\")) a\"", []), ("let a = \"add it with: hw version | frob\"", []),
    ("// try shell(\"jq .\")", []), ("let a = \"curl http://h/\"", []),
    ("let a = \"jq\"", []), ("try shell(\"openssl version\")", []), ("try shell(\"sqlite3 a\")", []),
    ("try home.install(\"mail\", \"#!/bin/sh\\nhw version | mail\")", []),
  ])
  func undeclaredProgramIsReported(line: String, found: [String]) {
    let source = SwiftSource(
      "@Suite(.ownThread, .needs(.openssl)) struct A {\n  @Test(.needs(.sqlite3)) func a() {\n    \(line)\n  }\n}\n"
    )
    #expect(Self.undeclared(in: source) == found)
  }

  /// `Tests/bare/run` hides every tool, except what runs it and what the toolchain has.
  @Test func bareRunHidesEveryTool() throws {
    let script = try String(contentsOf: Self.directory.appending(path: "bare/run"), encoding: .utf8)
    let list = try #require(script.firstMatch(of: /hidden='([^']*)'/)).output.1
    let hidden = Set(list.split(separator: "\n"))
    for tool in Tool.allCases where !tool.programs.isEmpty && tool != .bash && tool != .compiler {
      #expect(hidden.contains("\(tool.rawValue) \(tool.programs.joined(separator: " "))"), "\(tool)")
    }
  }

  @Test func programsOfHelpersAreDeclared() {
    let helper = "  func run() { shell(\"jq . a\") }\n"
    let suite = "@Suite struct A {\n  @Test(.needs(NEED)) func a() {\n  }\n\n\(helper)}\n"
    #expect(Self.undeclared(in: SwiftSource(suite.replacing("NEED", with: ".jq"))) == [])
    #expect(Self.undeclared(in: SwiftSource(suite.replacing("NEED", with: ".curl"))) == ["line 5: jq"])
  }
}

/// The string literals of a file of Swift, with the needs that are declared around them.
struct SwiftSource {
  struct Literal {
    var line: Int
    /// With `…` for what is interpolated.
    var text: String
    /// What is before it, without white space.
    var before: String

    var isShellLine: Bool {
      text.hasPrefix("#!/bin/")
        || ["shell(", "attack(", "\"-c\",", "\"-ec\","].contains(where: before.hasSuffix)
    }

    /// The first of the words of a process.
    var isProgram: Bool {
      ["Started([", "Spawn.run([", "Spawn.start([", "with:["].contains(where: before.hasSuffix)
    }
  }

  let text: String
  private(set) var literals: [Literal] = []
  private let lines: [Substring]

  init(_ text: String) {
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let bytes = Array(text.utf8)
    let newLine = UInt8(ascii: "\n")
    var (at, line) = (0, 0)
    while at < bytes.count {
      let start = at
      if bytes[at] == UInt8(ascii: "/"), bytes[at...].starts(with: "//".utf8) {
        at = bytes[at...].firstIndex(of: newLine) ?? bytes.count
      } else if let end = SwiftSource.end(of: bytes, at) {
        let before = bytes[max(0, at - 80)..<at].filter { $0 > UInt8(ascii: " ") }
        let text = SwiftSource.literal(bytes, &at, end)
        literals.append(Literal(line: line, text: text, before: String(decoding: before, as: UTF8.self)))
      } else {
        at += 1
      }
      line += bytes[start..<at].count { $0 == newLine }
    }
  }

  /// What ends the literal that begins here; nil if none does.
  private static func end(of bytes: [UInt8], _ at: Int) -> [UInt8]? {
    guard bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "#") else { return nil }
    let hashes = bytes[at...].prefix { $0 == UInt8(ascii: "#") }
    let quotes = bytes[hashes.endIndex...].prefix { $0 == UInt8(ascii: "\"") }.count
    return quotes == 0 ? nil : Array(repeating: UInt8(ascii: "\""), count: quotes == 3 ? 3 : 1) + hashes
  }

  private static func literal(_ bytes: [UInt8], _ at: inout Int, _ end: [UInt8]) -> String {
    let escape = Array("\\".utf8) + end.filter { $0 == UInt8(ascii: "#") }
    var text: [UInt8] = []
    at += end.count
    while at < bytes.count, bytes[at] != end[0] || !bytes[at...].starts(with: end) {
      guard bytes[at] == escape[0], bytes[at...].starts(with: escape) else {
        text.append(bytes[at])
        at += 1
        continue
      }
      at += escape.count
      switch bytes[at] {
      case UInt8(ascii: "("):
        skipInterpolation(bytes, &at)
        text += Array("…".utf8)
      case UInt8(ascii: "n"): text.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "\n"): break
      default: text.append(bytes[at])
      }
      at += 1
    }
    at += end.count
    return String(decoding: text, as: UTF8.self)
  }

  /// To the closing parenthesis.
  private static func skipInterpolation(_ bytes: [UInt8], _ at: inout Int) {
    var depth = 0
    while at < bytes.count {
      if let end = end(of: bytes, at) {
        _ = literal(bytes, &at, end)
        continue
      }
      if bytes[at] == UInt8(ascii: "(") { depth += 1 }
      if bytes[at] == UInt8(ascii: ")") { depth -= 1 }
      if depth == 0 { return }
      at += 1
    }
  }

  /// The names of the tools that the test around a line and its suite declare; outside a test, those of the file.
  func needs(at line: Int) -> Set<String> {
    let start = lines[...line].lastIndex { $0.drop { $0 == " " }.hasPrefix("@Test") }
    guard let start, let end = lines[start...].firstIndex(where: { isEnd($0, ofBlockAt: start) }), end >= line
    else { return SwiftSource.needs(in: text) }
    let suite = lines[..<start].lastIndex { $0.hasPrefix("@Suite") } ?? start
    let header = lines[suite..<start].prefix { !$0.hasPrefix("  @Test") && !$0.hasPrefix("  private") }
    return SwiftSource.needs(in: (header + lines[start...end]).joined(separator: "\n"))
  }

  private func isEnd(_ line: Substring, ofBlockAt start: Int) -> Bool {
    line.hasSuffix("}") && line.prefix { $0 == " " } == lines[start].prefix { $0 == " " }
  }

  private static func needs(in text: String) -> Set<String> {
    if text.contains("needing: ShellPrograms.tools(") { return Set(Tool.allCases.map { "\($0)" }) }
    let lists = text.matches(of: /(?:\.needs\(|needing: \[)([^)\]]*)/).map(\.output.1)
    return Set(lists.flatMap { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) })
  }
}
