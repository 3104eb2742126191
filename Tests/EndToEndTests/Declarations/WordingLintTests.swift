import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// Every text of `hw` uses the established words, in short sentences.
@Suite(.ownThread) struct Wording {
  @Test func tableUsesEstablishedWords() { #expect(WordingLint.problems(.hw) == []) }

  private static let files: [String] = {
    let folders = ["man", "completions", "Sources"]
    let names = folders.flatMap { folder in
      (FileManager.default.enumerator(atPath: GeneratedFiles.root.appending(path: folder).path)?.allObjects
        as? [String] ?? []).map { "\(folder)/\($0)" }
    }
    return ["README.md"]
      + names.filter { name in
        ["swift", "c", "h", "md", "1", "7", "bash", "fish"].contains { name.hasSuffix(".\($0)") }
          || name.hasSuffix("/_hw")
      }.sorted()
  }()

  /// Texts of a real service.
  private static let quoted = ["Sources/Suites/NBA/Backend/NBABackend.swift": ["'try again' (say: retry)"]]

  /// The comments of the source included.
  @Test func filesUseEstablishedWords() throws {
    #expect(Wording.files.count > 300)
    for file in Wording.files {
      let text = try String(contentsOf: GeneratedFiles.root.appending(path: file), encoding: .utf8)
      let allowed = Wording.quoted[file] ?? []
      #expect(WordingLint.phrases(in: text).filter { !allowed.contains($0) } == [], "\(file)")
      if file.hasSuffix(".swift") { #expect(WordingLint.dependentComments(in: text) == [], "\(file)") }
    }
  }

  /// Bidirectional and invisible characters can make a reviewer read another program than the compiler. The inputs of
  /// attacks are kept as the bytes they are.
  @Test func filesAreVisibleText() throws {
    let folders = ["Sources", "Tests", "man", "completions", ".ci"]
    var isFound = false
    for folder in folders {
      let root = GeneratedFiles.root.appending(path: folder)
      for case let file as URL in FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)! {
        guard !file.path.contains("/Tests/torture/cases/"), !file.hasDirectoryPath else { continue }
        isFound = true
        let bytes = try Data(contentsOf: file)
        let text = try #require(String(validating: bytes, as: UTF8.self), "\(file.path) is not UTF-8")
        #expect(text.unicodeScalars.first { WordingLint.isInvisible($0) } == nil, "\(file.path)")
      }
    }
    #expect(isFound)
  }

  @Test func readmeSentencesAreShort() throws {
    for file in ["README.md", "Sources/README.md", "Tests/README.md"] {
      let text = try String(contentsOf: GeneratedFiles.root.appending(path: file), encoding: .utf8)
      let prose = text.split(separator: "```", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: "\n\n")
        .split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix("|") && !$0.hasPrefix("#") && !$0.hasPrefix("<!--") }
        .map { $0.hasPrefix("- ") || $0.contains(#/^[0-9]+\. /#) ? "\n" + $0 : String($0) }.joined(
          separator: "\n")
      #expect(WordingLint.longSentences(in: prose) == [], "\(file)")
    }
  }
}

@Suite(.ownThread) struct WordingLintRules {
  @Test func dependentCommentIsReported() {
    let text =
      "/// The rows.\n/// What follows is theirs.\nlet a\n\n  /// That of a row.\n  let b\n/// Items of it\n"
    #expect(WordingLint.dependentComments(in: text) == ["That of a row."])
  }

  private func problems(
    _ summary: String = "Show it", discussion: String = "", option: String = "Skip it",
    field: String = "a name", expects: String = "a name", example: String = "show it",
    suite: String = "Animals", operand: String = "The name"
  ) -> [String] {
    let kind = ValueKind<String>("NAME", expects: expects) { $0 }
    let command = Command(
      "walk", summary, discussion: discussion, operands: [Operand("NAME", kind, operand)],
      options: [Option("fast", option) as Option<Bool>],
      output: CommandOutput(
        kind: .rows, columns: [.init("a", title: "A", meaning: field, type: .text)], text: nil),
      examples: [Example("hw zoo walk", example)]
    ) { _, _ in }
    let program = Program(
      "hw", version: "1", "A table", suites: [.init("zoo", Suite("zoo", suite, commands: [command]))],
      tools: Suite("", "Tools", commands: []))
    return WordingLint.problems(program).filter { $0.contains("zoo") }
  }

  @Test func validTableHasNoProblems() { #expect(problems() == []) }

  @Test func phraseIsFound() {
    let phrase = "'zoo walk' says 'whole or not at all' (say: atomic)"
    #expect(problems(discussion: "It is written whole or\nnot at all.") == [phrase])
    #expect(problems("Show it whole or not at all") == [phrase])
    #expect(problems(option: "Do it whole or not at all").count == 1)
    #expect(problems(operand: "Whoever runs").count == 1)
    #expect(problems(field: "whatever it is").count == 1)
    #expect(problems(expects: "a number that nobody can set").count == 2 - 1)
    #expect(problems(example: "Hold against it").count == 1)
    #expect(problems(suite: "For whoever asks").count == 1)
    // Whole words only.
    #expect(problems(discussion: "He wantsome.") == [])
  }

  @Test func longSentenceIsFound() {
    let words = { (count: Int) in (0..<count).map { "w\($0)" }.joined(separator: " ") }
    #expect(problems(discussion: "\(words(30)). \(words(30))?\n\n\(words(30))") == [])
    #expect(problems(discussion: "\(words(31)).").count == 1)
    #expect(problems(discussion: "\(words(16)) \(words(15))").count == 1)
    #expect(WordingLint.sentences("Use 'a'. Or (b.) C: d\n\ne") == ["Use 'a'.", "Or (b.)", "C:", "d", "e"])
  }

  @Test func wrongSummaryIsFound() {
    #expect(
      problems("Stroll about") == ["the summary of 'zoo walk' does not begin with a usual verb: Stroll about"]
    )
    #expect(problems(option: "The fast one").count == 1)
    #expect(problems("Show " + String(repeating: "w", count: 56)).count == 1)
    #expect(problems("Show " + String(repeating: "w", count: 55)) == [])
    #expect(problems(operand: "A " + String(repeating: "w", count: 59)).count == 1)
  }
}
