import System
import TestSupport
import Testing

@testable import Command

/// A configuration file, line by line: what is read, what is wrong, and what a change leaves alone.
@Suite struct ConfigurationFiles {
  private func read(_ bytes: [UInt8]) throws -> Configuration { try Configuration(bytes, path: "config") }
  private func read(_ text: String) throws -> Configuration { try read(Array(text.utf8)) }

  private func text(_ configuration: Configuration) -> String {
    String(decoding: configuration.bytes, as: UTF8.self)
  }

  private static let lines = [
    "# comment", "", "; other", "  color = never # now", "timeout: 7", "= x", "retries = \"3", "url = a",
    "url = b", "a\u{1}b = c", "nba.order=x",
  ]

  @Test func everyLineIsReadOrNamed() throws {
    let configuration = try read(Self.lines.joined(separator: "\n"))
    #expect(
      configuration.settings.map { "\($0.line) \($0.key)=\($0.value)" } == [
        "4 color=never", "8 url=a", "9 url=b", "11 nba.order=x",
      ])
    #expect(configuration["url"]?.value == "b" && configuration["timeout"] == nil)
    #expect(
      configuration.damages.map { "\($0.line) \($0.problem)" } == [
        "5 is no 'name = value'", "6 has no name before its '='",
        "7 has a quote that is not closed at its end", "10 holds a control character",
      ])
    let failure = #expect(throws: Failure.self) { try configuration.checkLines() }
    #expect(failure?.kind == .storage && failure?.message == "'config', line 5 is no 'name = value'")
  }

  /// Bytes that are no UTF-8 stay what they are.
  @Test func aLineThatIsNotText() throws {
    let bytes = Array("color = never\n".utf8) + [0x61, 0xFF] + Array("\nurl = a\n".utf8)
    var configuration = try read(bytes)
    #expect(configuration.damages.map { "\($0.line) \($0.problem)" } == ["2 is not UTF-8"])
    #expect(configuration.bytes == bytes)
    try configuration.set("url", to: "b")
    #expect(configuration.bytes == bytes.dropLast(2) + Array("b\n".utf8))
  }

  /// The help of a command does not say how to mend a file.
  @Test func aFileThatCannotBeReadHasNoHintOfUsage() throws {
    let scratch = try ScratchDirectory()
    try File.replace(scratch.file("config"), with: Array("timeout\n".utf8))
    for path in [scratch.path, scratch.file("config")] {
      let ran = Ran("zoo say go", environment: ["HW_CONFIG": path])
      #expect(ran.status == Failure.Kind.storage.exitCode && !ran.errors.contains("--help"), "\(ran.errors)")
    }
  }

  @Test(arguments: ["\n", "\r\n"])
  func aChangeLeavesTheRestAlone(end: String) throws {
    let before = Self.lines.joined(separator: end) + end
    var configuration = try read(before)
    try configuration.set("color", to: "always")
    try configuration.set("timeout", to: "9")
    try configuration.set("url", to: "c d")
    try configuration.set("new", to: "#")
    #expect(configuration.unset("nba.order") && !configuration.unset("nosuch"))
    #expect(
      text(configuration).components(by: end) == [
        "# comment", "", "; other", "color = always # now", "timeout = 9", "= x", "retries = \"3", "url = a",
        "url = c d", "a\u{1}b = c", "new = \"#\"",
      ])
    #expect(configuration.unset("url") && configuration["url"] == nil)
    #expect(throws: Failure(.usage, "a value cannot hold control characters")) {
      try configuration.set("color", to: "a\nb")
    }
  }

  /// A damaged line is replaced only by the setting whose name it begins with.
  @Test(arguments: [
    ("url: a", true), ("\turl a", true), ("url", true), ("url-x: a", false), ("urls: a", false),
  ])
  func aDamagedLineIsReplaced(line: String, isReplaced: Bool) throws {
    var configuration = try read("\(line)\n")
    try configuration.set("url", to: "b")
    #expect(text(configuration) == (isReplaced ? "url = b\n" : "\(line)\nurl = b\n"))
  }

  @Test func aByteOrderMarkIsNoPartOfTheFirstName() throws {
    let configuration = try read([0xEF, 0xBB, 0xBF] + Array("url = a".utf8))
    #expect(configuration["url"]?.line == 1 && text(configuration) == "url = a\n")
    #expect(try read("").isEmpty && read("# x\n").isEmpty && !configuration.isEmpty)
  }
}

extension String {
  fileprivate func components(by end: String) -> [String] {
    var parts = split(separator: end, omittingEmptySubsequences: false).map(String.init)
    if parts.last == "" { parts.removeLast() }
    return parts
  }
}
