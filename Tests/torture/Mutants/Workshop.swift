import Foundation

/// The scratch copy of the package, whose sources hold all chosen mutants at once.
struct Workshop {
  let root: String
  private(set) var mutants: [Mutant]
  private let originals: [String: [UInt8]]

  /// The files of Sources, by their path in the package.
  static func sources(of root: String) throws -> [String: String] {
    var texts: [String: String] = [:]
    let names = FileManager.default.enumerator(atPath: "\(root)/Sources")?.compactMap { $0 as? String } ?? []
    for name in names where name.hasSuffix(".swift") && !name.hasSuffix(Workshop.switchName) {
      texts["Sources/\(name)"] = try String(contentsOfFile: "\(root)/Sources/\(name)", encoding: .utf8)
    }
    return texts
  }

  private static let switchName = "HWMutant.swift"

  /// The directory of a file's module: `Sources/hw`, `Sources/Tools`, or two levels below Sources.
  static func module(of file: String) -> String {
    let parts = file.split(separator: "/")
    return parts.prefix(["hw", "Tools"].contains(parts[1]) ? 2 : 3).joined(separator: "/")
  }

  init(_ root: String, _ sources: [String: String], _ mutants: [Mutant]) {
    self.root = root
    originals = sources.mapValues { Array($0.utf8) }
    self.mutants = mutants
    for index in self.mutants.indices { self.mutants[index].number = index + 1 }
  }

  /// Builds the program and the tests with every mutant that compiles; the others are dropped.
  mutating func build() throws {
    let c = "\(root)/Sources/Base/CLibraries/mutants.c"
    try Workshop.write(
      try String(contentsOfFile: "\(root)/Tests/torture/Mutants/mutants.c", encoding: .utf8), c)
    for module in Set(originals.keys.map(Workshop.module(of:))) {
      try Workshop.write(
        "@_silgen_name(\"hw_mutant\") func hwMutant(_ number: Int32) -> Bool\n",
        "\(root)/\(module)/\(Workshop.switchName)")
    }
    for options in [[], ["--build-tests"]] as [[String]] {
      while true {
        try writeSources()
        let (status, output) = try Workshop.run(["swift", "build"] + options, in: root)
        if status == 0 { break }
        let dropped = drop(try errors(in: output))
        note("\(dropped) mutants do not compile, \(mutants.count) are left")
        guard dropped > 0 else { throw Trouble(description: "the scratch copy does not build:\n\(output)") }
      }
    }
  }

  private func writeSources() throws {
    let byFile = Dictionary(grouping: mutants, by: \.file)
    for (file, text) in originals {
      let new = String(decoding: (byFile[file] ?? []).applied(to: text), as: UTF8.self)
      try Workshop.write(new, "\(root)/\(file)")
    }
  }

  /// Writes what is new, so that the rest is not built again.
  private static func write(_ text: String, _ path: String) throws {
    let old = try? String(contentsOfFile: path, encoding: .utf8)
    if old != text { try text.write(toFile: path, atomically: true, encoding: .utf8) }
  }

  private func errors(in output: String) throws -> Set<String> {
    let pattern = try Regex(
      #"(?m)^(/[^:\n]+\.swift):(\d+):\d+: error:"#, as: (Substring, Substring, Substring).self)
    return Set(
      output.matches(of: pattern).map { match in
        "\(match.output.1.drop { $0 == "/" }.trimmingPrefix("\(root.drop { $0 == "/" })/")):\(match.output.2)"
      })
  }

  /// Drops the mutants of these places: of the line, or else of the function around it, or else of the file.
  private mutating func drop(_ places: Set<String>) -> Int {
    var bad: Set<Int> = []
    for place in places {
      let parts = place.split(separator: ":")
      guard parts.count == 2, let line = Int(parts[1]) else { continue }
      let inFile = mutants.filter { $0.file == parts[0] }
      let onLine = inFile.filter { $0.line == line }
      let around = inFile.filter { $0.function.contains(line) }
      bad.formUnion((!onLine.isEmpty ? onLine : !around.isEmpty ? around : inFile).map(\.number))
    }
    mutants.removeAll { bad.contains($0.number) }
    return bad.count
  }

  static func run(_ words: [String], in directory: String) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: directory)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}

struct Trouble: Error, CustomStringConvertible {
  let description: String
}

func note(_ text: String) { FileHandle.standardError.write(Data("mutants: \(text)\n".utf8)) }
