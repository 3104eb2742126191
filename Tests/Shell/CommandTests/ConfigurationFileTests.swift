import Foundation
import System
import Testing
import TestSupport

@testable import Command

/// A configuration file, line by line: what is read, what is wrong, and what a change leaves alone.
@Suite struct ConfigurationFileTests {
  private func read(_ bytes: [UInt8]) throws -> Configuration { try Configuration(bytes, path: "config") }
  private func read(_ text: String) throws -> Configuration { try read(Array(text.utf8)) }

  private func text(_ configuration: Configuration) -> String {
    String(decoding: configuration.bytes, as: UTF8.self)
  }

  private static let lines = [
    "# comment", "", "; other", "  color = never # now", "timeout: 7", "= x", "retries = \"3", "url = a",
    "url = b", "a\u{1}b = c", "nba.order=x",
  ]

  @Test func everyLineIsReadOrReported() throws {
    let configuration = try read(Self.lines.joined(separator: "\n"))
    #expect(
      configuration.settings.map { "\($0.line) \($0.key)=\($0.value)" } == [
        "4 color=never", "8 url=a", "9 url=b", "11 nba.order=x",
      ])
    #expect(configuration["url"]?.value == "b" && configuration["timeout"] == nil)
    #expect(
      configuration.invalidLines.map { "\($0.line) \($0.problem)" } == [
        "5 is not 'name = value'", "6 has no name before its '='",
        "7 has a quote that is not closed at its end", "10 holds a control character",
      ])
    let failure = #expect(throws: Failure.self) { try configuration.checkLines() }
    #expect(failure?.kind == .storage && failure?.message == "'config', line 5 is not 'name = value'")
    #expect(failure?.hint == "correct the line, or ignore the file with --no-config")
  }

  /// Bytes that are no UTF-8 stay what they are.
  @Test func lineThatIsNotUTF8IsKept() throws {
    let bytes = Array("color = never\n".utf8) + [0x61, 0xFF] + Array("\nurl = a\n".utf8)
    var configuration = try read(bytes)
    #expect(configuration.invalidLines.map { "\($0.line) \($0.problem)" } == ["2 is not UTF-8"])
    #expect(configuration.bytes == bytes)
    try configuration.set("url", to: "b")
    #expect(configuration.bytes == bytes.dropLast(2) + Array("b\n".utf8))
  }

  /// The help of a command does not say how to mend a file.
  @Test func unreadableFileIsStorageFailure() throws {
    let scratch = try ScratchDirectory()
    try File.replace(scratch.file("config"), with: Array("timeout\n".utf8))
    for path in [scratch.path, scratch.file("config")] {
      let ran = Ran("zoo say go", environment: ["HW_CONFIG": path])
      #expect(ran.status == Failure.Kind.storage.exitCode && !ran.errors.contains("--help"), "\(ran.errors)")
    }
  }

  @Test(arguments: ["\n", "\r\n"])
  func changeKeepsOtherLines(end: String) throws {
    let before = Self.lines.joined(separator: end) + end
    var configuration = try read(before)
    try configuration.set("color", to: "always")
    try configuration.set("timeout", to: "9")
    try configuration.set("url", to: "c d")
    try configuration.set("new", to: "#")
    for key in ["nba.order", "nosuch"] { configuration.unset(key) }
    #expect(
      text(configuration).split(separator: end, omittingEmptySubsequences: false) == [
        "# comment", "", "; other", "color = always # now", "timeout = 9", "= x", "retries = \"3", "url = a",
        "url = c d", "a\u{1}b = c", "new = \"#\"", "",
      ])
    configuration.unset("url")
    #expect(configuration["url"] == nil)
    #expect(throws: Failure(.usage, "a value cannot hold control characters")) {
      try configuration.set("color", to: "a\nb")
    }
  }

  /// An invalid line is replaced only by the setting whose name it begins with.
  @Test(arguments: [
    ("url: a", true), ("\turl a", true), ("url", true), ("url-x: a", false), ("urls: a", false),
  ])
  func aDamagedLineIsReplaced(line: String, isReplaced: Bool) throws {
    var configuration = try read("\(line)\n")
    try configuration.set("url", to: "b")
    #expect(text(configuration) == (isReplaced ? "url = b\n" : "\(line)\nurl = b\n"))
  }

  private static let control = "holds a control character"
  private static let nameless = "has no name before its '='"

  @Test(
    arguments: [
      ("timeout\t=\t5", nil), ("a = \u{1F}", control), ("a = \u{7F}", control), ("a = \u{A0}", nil),
      ("\u{0}", control), ("A-b_9.c = d", nil), ("a b = c", nameless), ("é = c", nameless),
      ("a/b = c", nameless),
    ] as [(String, String?)])
  func lineIsSettingOrHasProblem(line: String, problem: String?) throws {
    let configuration = try read(line)
    #expect(configuration.settings.count == (problem == nil ? 1 : 0))
    #expect(configuration.invalidLines.map(\.problem) == (problem.map { [$0] } ?? []))
  }

  @Test func linesEndAsTheFirstOneDoes() throws {
    #expect(text(try read("a = b\r\nc = d\n")) == "a = b\r\nc = d\r\n")
    #expect(text(try read("a = b\nc = d\r\n")) == "a = b\nc = d\n")
  }

  @Test func aByteOrderMarkIsNoPartOfTheFirstName() throws {
    let configuration = try read([0xEF, 0xBB, 0xBF] + Array("url = a".utf8))
    #expect(configuration["url"]?.line == 1 && text(configuration) == "url = a\n")
    #expect(try read("").isEmpty && read("# x\n").isEmpty && !configuration.isEmpty)
  }

  // MARK: On disk

  private func file(_ path: String) throws -> ConfigurationFile {
    try ConfigurationFile(Environment(["HW_CONFIG": path]))
  }

  /// The usual file need not be there.
  @Test func missingFileIsEmpty() throws {
    let scratch = try ScratchDirectory()
    let usual = try ConfigurationFile(Environment(["HOME": scratch.path]))
    #expect(usual.path == scratch.file(".config/hw/config") && !usual.isMissing)
    let named = try file(scratch.file("none"))
    #expect(named.path == scratch.file("none") && named.isMissing)
    for missing in [usual, named] { #expect(try missing.read().lines == []) }
    try scratch.write("", to: "none")
    #expect(!named.isMissing)
    // What a folder should be is a file: only the usual one is passed over.
    try scratch.write("", to: ".config")
    #expect(try usual.read().lines == [])
    #expect(failure { try file(scratch.file("none/config")).read() }?.kind == .storage)
  }

  /// Only the folder of the usual file is made, private.
  @Test func folderOfUsualFileIsCreatedPrivately() throws {
    let scratch = try ScratchDirectory()
    func set(_ configuration: inout Configuration) throws(Failure) { try configuration.set("a", to: "b") }
    #expect(failure { try file(scratch.file("none/config")).change(set) }?.kind == .storage)
    #expect(scratch.names == [])
    try ConfigurationFile(Environment(["HOME": scratch.path])).change(set)
    #expect(scratch.text(".config/hw/config") == "a = b\n" && scratch.mode(".config/hw") == 0o700)
    #expect(scratch.mode(".config/hw/config") == 0o600)
  }

  /// Processes take turns at a file beside it. What is no regular file stores nothing, and gets no lock.
  @Test func changeLocksRegularFile() throws {
    let scratch = try ScratchDirectory()
    try file(scratch.file("config")).change { configuration throws(Failure) in
      #expect(scratch.names == ["config.lock"])
      try configuration.set("a", to: "b")
    }
    #expect(scratch.names == ["config", "config.lock"])
    let socket = try Loopback.listen(at: scratch.file("socket"))
    defer { close(socket) }
    for path in [scratch.file("socket"), "/dev/null"] {
      let refusal = failure { try file(path).change { _ in } }
      #expect(refusal?.kind == .storage)
      #expect(refusal?.message == "'\(path)' is not a regular file, and stores no settings")
      #expect(refusal?.hint == "set HW_CONFIG to the path of a file, or unset it")
    }
    #expect(scratch.names == ["config", "config.lock", "socket"])
  }

  /// Nobody writes so much by hand.
  @Test(arguments: [(1 << 20, true), (1 << 20 + 1, false)])
  func fileAboveOneMebibyteIsRefused(size: Int, isRead: Bool) throws {
    let scratch = try ScratchDirectory()
    let line = "a = b\n"
    let bytes = Array(line.utf8) + [UInt8](repeating: 0xFF, count: size - line.utf8.count)
    try File.replace(scratch.file("config"), with: bytes)
    let configuration = try? file(scratch.file("config")).read()
    #expect(configuration?["a"]?.value == (isRead ? "b" : nil))
    #expect((configuration == nil) == !isRead)
  }
}

@Suite struct ConfigurationValues {
  @Test(arguments: [
    (" a", "a", ""), (" a b ", "a b", ""), (" a # c", "a", " # c"), ("a#b", "a#b", ""),
    (" \"a # b\" # c", "a # b", " # c"), (#" "a\"b\\c\d""#, #"a"b\c\d"#, ""), (#"'a\"b'"#, #"a\"b"#, ""),
    ("", "", ""), (" # c", "", " # c"), (" a\t#", "a", "\t#"), (" \u{A0}a # c", "a", " # c"),
    (" \" a \" ", " a ", ""), ("http://h/#x", "http://h/#x", ""),
  ]) func valueAndCommentAreSeparated(_ line: String, _ text: String, _ comment: String) {
    let value = ConfigurationValue(line)
    #expect(value?.text == text)
    #expect(value?.comment == comment)
  }

  @Test(arguments: ["\"a", "'a", "\"a\" b", "\"a\\\"", "'"]) func areRefused(_ line: String) {
    #expect(ConfigurationValue(line) == nil)
  }

  @Test(arguments: ["a", "a b", "", "a#b", "a # b", "#", "\"", "'a'", " a", "a\\", "\\\" #"])
  func areReadBack(_ value: String) {
    #expect(ConfigurationValue(" " + ConfigurationValue.quoted(value) + " # c")?.text == value)
  }
}
