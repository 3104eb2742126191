import Foundation

/// A copy of the built programs that runs tests with one mutant switched on. It has the tests, `hw`, and the two files
/// that the mutants read.
final class Worker {
  private let folder: String
  private let root: String
  private static let tests = "hwPackageTests.xctest"

  init(_ folder: String, of root: String) throws {
    (self.folder, self.root) = (folder, root)
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    for name in ["", "/home", "/tmp"] {
      try files.createDirectory(atPath: folder + name, withIntermediateDirectories: true)
    }
    for name in ["hw", Worker.tests] {
      try files.copyItem(atPath: "\(root)/.build/debug/\(name)", toPath: "\(folder)/\(name)")
    }
    try Data(count: 1 << 16).write(to: URL(filePath: "\(folder)/reached"))
  }

  enum Outcome: Equatable {
    case passed
    case failed
    case hung
  }

  /// The names of all suites, as `Module.Suite`.
  func suites() throws -> [String] {
    let (_, output) = try Workshop.run(
      ["\(folder)/\(Worker.tests)", "--list-tests", "--testing-library", "swift-testing"], in: root)
    let names = output.split(separator: "\n").compactMap { line in
      line.contains("/") && line.contains(".") ? line.split(separator: "/").first.map(String.init) : nil
    }
    return Set(names).sorted()
  }

  /// Runs the suites with this mutant; nil is none.
  func run(_ suites: [String], _ mutant: Int?, within seconds: Double) throws -> (Outcome, seconds: Double) {
    try "\(mutant ?? -1)\n".write(toFile: "\(folder)/mutant", atomically: false, encoding: .utf8)
    let names = suites.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    // A fault may ask for all memory there is. (A browser reserves addresses without end, so they are not what is limited.)
    process.arguments = [
      "-c", "ulimit -d 8000000; exec \"$0\" \"$@\"", "\(folder)/\(Worker.tests)", "--testing-library",
      "swift-testing", "--filter", "^(\(names))/",
    ]
    process.currentDirectoryURL = URL(filePath: root)
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = "\(folder)/home"
    environment["TMPDIR"] = "\(folder)/tmp"
    process.environment = environment
    _ = FileManager.default.createFile(atPath: "\(folder)/log", contents: nil)
    let log = try FileHandle(forWritingTo: URL(filePath: "\(folder)/log"))
    process.standardOutput = log
    process.standardError = log
    process.standardInput = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    let start = Date()
    try process.run()
    let isInTime = ended.wait(timeout: .now() + seconds) == .success
    if !isInTime { kill(process.processIdentifier, SIGKILL) }
    // Before the end is awaited: what the tests have started may hold the socket by which Foundation notices it.
    endRest()
    process.waitUntilExit()
    try? log.close()
    let hasPassed = process.terminationReason == .exit && process.terminationStatus == 0
    return (isInTime ? hasPassed ? .passed : .failed : .hung, Date().timeIntervalSince(start))
  }

  /// What the last run said of its failures.
  var failures: [String] {
    let text = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").filter { $0.contains("✘") || $0.contains("atal error") }.map(
      String.init)
  }

  /// Which mutants were passed since the last question.
  func takeReached() throws -> Set<Int> {
    let url = URL(filePath: "\(folder)/reached")
    let bytes = try Data(contentsOf: url)
    let file = try FileHandle(forWritingTo: url)
    defer { try? file.close() }
    try file.write(contentsOf: Data(count: bytes.count))
    return Set(bytes.indices.filter { bytes[$0] != 0 })
  }

  /// Ends what a test started and left: programs of this folder.
  private func endRest() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = pid_t(name),
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe"),
        program.hasPrefix("\(folder)/")
      else { continue }
      kill(id, SIGKILL)
    }
  }
}
