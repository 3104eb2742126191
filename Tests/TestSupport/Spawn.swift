import Foundation

/// Starts programs. Not Foundation's `Process`: it needs a run loop, and the threads of tests have none.
public enum Spawn {
  /// Where a program writes.
  public enum Output {
    case descriptor(Int32)
    /// Written anew.
    case file(String)
    case nowhere
  }

  /// A process in a group of its own, with no signal ignored or blocked. Without `environment` it has that of this
  /// process, without `input` it reads from /dev/null. The descriptors in `passing` become its descriptors from 3 on.
  public static func start(
    _ words: [String], environment: [String: String]? = nil, input: Int32? = nil, output: Output = .nowhere,
    errors: Output = .nowhere, passing: [Int32] = []
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Copies with large numbers: none of them is overwritten before it is passed.
    let copies = passing.map { fcntl($0, F_DUPFD_CLOEXEC, 200) }
    defer { for copy in copies { close(copy) } }
    for (number, copy) in zip(Int32(3)..., copies) {
      posix_spawn_file_actions_adddup2(&actions, copy, number)
    }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    for (number, output) in [(1, output), (2, errors)] as [(Int32, Output)] {
      switch output {
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      case .file(let path):
        posix_spawn_file_actions_addopen(
          &actions, number, path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600)
      case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let variables = environment ?? ProcessInfo.processInfo.environment
    var arguments = words.map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    var id: pid_t = 0
    let error = posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &settings)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOEXEC) }
    return id
  }

  /// Runs a program to its end and returns what it printed; throws with its messages if it fails.
  @discardableResult public static func run(_ words: [String], input: Int32? = nil) throws -> String {
    let scratch = try ScratchDirectory()
    let child = try start(
      words, input: input, output: .file(scratch.file("output")), errors: .file(scratch.file("errors")))
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw Failed(words: words, status: status, messages: scratch.text("errors")) }
    return scratch.text("output").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  public struct Failed: Error {
    public let words: [String]
    public let status: Int32
    public let messages: String
  }
}
