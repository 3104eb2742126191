import Foundation

/// A copy of the built programs that runs tests with one mutant switched on. It has the tests, `hw`, and the two files
/// that the mutants read.
final class Worker {
  private let folder: String
  private let root: String
  /// Its path is short: a browser makes a socket below.
  private let temporary: String
  private static let tests = "hwPackageTests.xctest"

  init(_ folder: String, of root: String) throws {
    (self.folder, self.root) = (folder, root)
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    temporary = "/tmp/hw\(getpid())-\(folder.split(separator: "-").last ?? "")"
    for path in ["\(folder)/home", temporary] {
      try files.createDirectory(atPath: path, withIntermediateDirectories: true)
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
    // A fault may ask for all memory there is. (A browser reserves addresses without end, so they are not what is limited.)
    let words = [
      "/bin/sh", "-c", "ulimit -d 8000000; exec \"$0\" \"$@\"", "\(folder)/\(Worker.tests)",
      "--testing-library", "swift-testing", "--filter", "^(\(names))/",
    ]
    var environment = ProcessInfo.processInfo.environment
    environment["HOME"] = "\(folder)/home"
    environment["TMPDIR"] = temporary
    let start = Date()
    let process = try spawn(words, environment)
    defer { endRest(of: process) }
    while true {
      var status: Int32 = 0
      if waitpid(process, &status, WNOHANG) == process {
        return (status == 0 ? .passed : .failed, Date().timeIntervalSince(start))
      }
      guard Date().timeIntervalSince(start) < seconds else {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        return (.hung, Date().timeIntervalSince(start))
      }
      // No event: a wait for a process has no time limit.
      usleep(10_000)
    }
  }

  /// Starts a program in this directory that writes to the log, in a process group of its own. Foundation would notice
  /// its end only when everything that it has started has ended as well.
  private func spawn(_ words: [String], _ environment: [String: String]) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "\(folder)/log", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let error = posix_spawn(&process, words[0], &actions, &attributes, arguments, variables)
    guard error == 0 else {
      throw Trouble(description: "cannot start the tests: \(String(cString: strerror(error)))")
    }
    return process
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

  /// Ends what the tests started and left: their group, and programs of this folder. Another run may have a folder of
  /// this path mounted.
  private func endRest(of process: pid_t) {
    kill(-process, SIGKILL)
    func link(_ path: String) -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(path)")
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let id = pid_t(name), link("\(name)/exe")?.hasPrefix("\(folder)/") == true,
        link("\(name)/ns/mnt") == link("self/ns/mnt")
      else { continue }
      kill(id, SIGKILL)
    }
  }
}
