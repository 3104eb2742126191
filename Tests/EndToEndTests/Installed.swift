import Foundation
import JSON
import TestSupport
import Testing

/// How a program ended, and what it left.
struct Ending: Equatable {
  /// What a shell would say: the exit status, or 128 and the signal that ended it.
  var status: Int32
  /// The signal that ended it.
  var signal: Int32?
  var output = ""
  var errors = ""

  /// Standard output as JSON.
  func json() throws -> JSON { try JSON.parse(output) }
}

/// The built `hw`, as a user has it: on PATH, with an empty home and the sample data for a service.
enum Installed {
  /// The program stands beside the tests' own executable.
  static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    .path

  static func environment(home: String) -> [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH": "\(folder):\(path)", "HOME": home, "HW_URL": "demo:", "LC_ALL": "C.UTF-8"]
  }
}

/// The home directory of one test.
typealias Home = ScratchDirectory

extension ScratchDirectory {
  /// Puts a program into the directory .bin. A shell writes it: a descriptor of this process could be open in the child
  /// of another test at the moment it is run, which the system forbids.
  func install(_ name: String, _ text: String) throws {
    let line = "mkdir -p .bin && printf %s \"$1\" >\".bin/$0\" && chmod 755 \".bin/$0\""
    _ = try Started(["sh", "-c", line, name, text], in: self).end()
  }
}

/// A process of a test. It is waited for in every case, and killed with all its children when it takes too long.
final class Started {
  let id: pid_t
  private let home: Home
  private var ended: Ending?

  /// Runs in `home`. The three descriptors are the child's; output and errors go to files of the home without them.
  init(
    _ words: [String], in home: Home, environment: [String: String?] = [:], input: Int32? = nil,
    output: Int32? = nil, errors: Int32? = nil, passing: [Int32] = []
  ) throws {
    self.home = home
    var variables = Installed.environment(home: home.path)
    for (name, value) in environment { variables[name] = value }
    // A shell would complain when it begins in a directory that was removed: a driver changes that of this process.
    id = try Spawn.start(
      ["env", "-C", home.path] + words, environment: variables, input: input,
      output: output.map { .descriptor($0) } ?? .file("\(home.path)/.1"),
      errors: errors.map { .descriptor($0) } ?? .file("\(home.path)/.2"), passing: passing)
  }

  deinit { if ended == nil { _ = end(within: 0) } }

  /// Waits for the end, at most so many seconds.
  func end(within seconds: Double = 300) -> Ending {
    if let ended { return ended }
    var status: Int32 = 0
    if !hasEnded(within: seconds) { kill(-id, SIGKILL) }
    waitpid(id, &status, 0)
    // Whoever is left of a pipeline.
    kill(-id, SIGKILL)
    let signal = status & 0x7F
    let ending = Ending(
      status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, signal: signal == 0 ? nil : signal,
      output: home.text(".1"), errors: home.text(".2"))
    ended = ending
    return ending
  }

  /// It may still be waited for.
  var hasEnded: Bool {
    var information = siginfo_t()
    return ended != nil
      || waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT | WNOHANG) == 0
        && information._sifields._sigchld.si_pid == id
  }

  private func hasEnded(within seconds: Double) -> Bool {
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [id] in
      var information = siginfo_t()
      // It stays a zombie, so that its id is not given to another process.
      waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT)
      ended.signal()
    }
    return ended.wait(timeout: .now() + seconds) == .success
  }

  /// Waits until it waits itself, in a read for instance.
  func settle() throws { try Started.wait(for: "S", of: id) }

  /// Waits until a process is in this state of `ps`: `S` sleeps, `T` is stopped.
  static func wait(for state: Character, of id: pid_t) throws {
    try waitUntil("process \(id) to be in state \(state)") {
      let stat = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
      return stat.split(separator: ")").last?.hasPrefix(" \(state)") == true
    }
  }
}

/// Runs a line of shell, in a home of its own unless one is given.
func shell(
  _ line: String, in home: Home? = nil, with shell: [String] = ["sh", "-c"],
  environment: [String: String?] = [:], within seconds: Double = 180
) throws -> Ending {
  try Started(shell + [line], in: home ?? Home(), environment: environment).end(within: seconds)
}

/// The terminal that a program of these tests runs on.
typealias Terminal = PseudoTerminal
