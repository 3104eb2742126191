import Foundation
import TestSupport
import Testing

/// `Sources/README.md` describes the source as it is: its table of modules, and the files that it names.
@Suite(.ownThread) struct ArchitecturePage {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: GeneratedFiles.root.appending(path: path), encoding: .utf8)
  }

  /// The words between backticks.
  private static func code(_ text: some StringProtocol) -> [String] {
    String(text).matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
  }

  /// The names between quotation marks.
  private static func quoted(_ text: some StringProtocol) -> Set<String> {
    Set(String(text).matches(of: /"(\w+)"/).map { String($0.output.1) })
  }

  /// What each module may import, from the declarations in `Package.swift`.
  private static func imports(in package: String) throws -> [String: Set<String>] {
    func list(_ name: String) throws -> Set<String> {
      let line = try #require(package.split(separator: "\n").first { $0.hasPrefix("let \(name) = [") })
      return quoted(line)
    }
    let layers = try list("layers")
    var imports: [String: Set<String>] = [:]
    for entry in package.matches(of: /\n    \("(?:\w+\/)?(\w+)", (\[[^\]]*\]|layers)\)/) {
      imports[String(entry.output.1)] = entry.output.2 == "layers" ? layers : quoted(entry.output.2)
    }
    for suite in try list("suites") { imports[suite] = layers }
    return imports
  }

  /// What each module may import, from the first table of the page.
  private static func imports(onPage page: String) throws -> [String: Set<String>] {
    let section = try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("Modules\n") })
    let table = section.components(separatedBy: "\n\n").first { $0.hasPrefix("| module |") } ?? ""
    var imports: [String: Set<String>] = [:]
    for row in table.split(separator: "\n").dropFirst(2) {
      let cells = row.split(separator: "|")
      for module in code(cells[0]) { imports[module] = Set(code(cells[1])) }
    }
    return imports
  }

  @Test func moduleTableMatchesPackage() throws {
    var page = try Self.imports(onPage: Self.text("Sources/README.md"))
    let package = try Self.imports(in: Self.text("Package.swift"))
    #expect(package.count > 10)
    // The program itself imports everything.
    #expect(page.removeValue(forKey: "hw") == [])
    #expect(page == package)
  }

  /// A name with a directory or with the extension of a source file.
  private static func isPath(_ name: String) -> Bool {
    !name.contains(" ") && !name.contains("*")
      && (name.contains("/") || name.hasSuffix(".swift") || name.hasSuffix(".md"))
  }

  @Test func namedFilesExist() throws {
    let names = Self.code(try Self.text("Sources/README.md")).filter(Self.isPath)
    #expect(names.count > 20)
    let root = GeneratedFiles.root
    for name in Set(names) {
      // Relative to the page, as in a link; `Package.swift` is known to everybody.
      let path = root.appending(path: name == "Package.swift" ? name : "Sources/\(name)").standardized.path
      #expect(FileManager.default.fileExists(atPath: path), "\(name)")
    }
  }

  /// The models know nothing of output, terminals and services.
  @Test(arguments: ["Race", "NBA", "Bikes", "Wordle", "Nodes"])
  func modelImportsOnlySystemAndJSON(suite: String) throws {
    let folder = GeneratedFiles.root.appending(path: "Sources/Suites/\(suite)/Model")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: file, encoding: .utf8)
      let imports = text.matches(of: /(?m)^(?:@\w+ )?import (\w+)/).map { String($0.output.1) }
      #expect(Set(imports).isSubset(of: ["System", "JSON"]), "\(file.lastPathComponent)")
    }
  }

  /// The text of each Swift file below a directory of `Sources`, by its path there.
  private static func sources(_ directory: String) throws -> [String: String] {
    let folder = GeneratedFiles.root.appending(path: "Sources/\(directory)")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") }
    #expect(!paths.isEmpty, "\(directory)")
    return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try text("Sources/\(directory)/\($0)")) })
  }

  /// A command speaks to its service, so that a server may take the place of the backend. Only the `Suite` value, which
  /// declares the backend, names it.
  @Test(arguments: ["Race", "NBA", "Bikes", "Wordle", "Nodes"])
  func noCommandNamesATypeOfTheBackend(suite: String) throws {
    let declaration = /(?m)^(?:public |final )*(?:struct|class|enum|protocol|typealias) (\w+)/
    let backend = try Self.sources("Suites/\(suite)/Backend").values
    let types = Set(backend.flatMap { $0.matches(of: declaration).map { String($0.output.1) } })
    #expect(!types.isEmpty)
    for directory in ["Commands", "Client"] {
      for (path, text) in try Self.sources("Suites/\(suite)/\(directory)")
      where !text.contains(" static let suite = Suite(") {
        let words = Set(text.matches(of: /\w+/).map { String($0.output) })
        #expect(words.intersection(types).isEmpty, "\(directory)/\(path)")
      }
    }
  }

  /// The cause of a failure decides what follows, so that its wording may change. What the engines do differently is a
  /// requirement of their protocol. What a person can see and do is the host's to know.
  @Test(arguments: [
    (
      ".", #"\bmessage\s*[!=]=|[!=]=\s*[\w.]+\.message\b|\bmessage\.(?:contains|has|starts|range|first)\w*\b"#
    ),
    (".", #"\b(?:as|is)[?!]? (?:SQLite|PostgreSQL)Engine\b"#), ("Suites", "isTerminal"),
    ("Tools", "isTerminal"),
  ])
  func sourceDoesNotContain(directory: String, pattern: String) throws {
    let forbidden = try Regex(pattern)
    for (path, text) in try Self.sources(directory) {
      #expect(text.firstMatch(of: forbidden) == nil, "\(path)")
    }
  }
}
