import CLibraries

/// A child process that was started and not yet waited for.
public struct ChildProcess: Sendable {
  public let identifier: Int32

  public enum Group: Sendable {
    case same
    /// The child leads a group of its own: Ctrl-C does not reach it, and `sendGroup` reaches it and its children.
    case own
  }

  public enum Status: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// Value of `$?` in a shell.
    public var code: Int32 {
      switch self {
      case .exited(let code): code
      case .killed(let signal): 128 + signal
      }
    }

    init(waited status: Int32) {
      self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
    }
  }

  /// Starts a program with its arguments, and with default signal handling, also for signals that hw ignores or
  /// handles. A name without a slash is looked up in the `PATH` of `environment`. `descriptors` have their numbers in
  /// the child as keys; others are inherited, except those that hw opened.
  public static func start(
    _ arguments: [String], environment: Environment, descriptors: [Int32: FileDescriptor] = [:],
    group: Group = .same
  ) throws(SystemError) -> ChildProcess {
    let path = try Executable.path(of: arguments, in: environment)
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    // Copies first: 3 → 4 and 4 → 3 would overwrite each other, and on older systems a descriptor that already has
    // its number would be closed.
    var moved: [FileDescriptor] = []
    defer { for descriptor in moved { descriptor.close() } }
    let above = descriptors.keys.reduce(3) { max($0, $1 + 1) }
    for (number, descriptor) in descriptors {
      let copy = FileDescriptor(rawValue: try call { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, above) })
      moved.append(copy)
      unsafe posix_spawn_file_actions_adddup2(&actions, copy.rawValue, number)
    }

    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGXFSZ, SIGTSTP, SIGQUIT] { unsafe sigaddset(&signals, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    if group == .own { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var identifier: pid_t = 0
    let number = try unsafe CStrings.with(arguments) { words throws(SystemError) in
      try unsafe CStrings.with(environment.entries) { variables throws(SystemError) in
        unsafe posix_spawn(&identifier, path, &actions, &attributes, words, variables)
      }
    }
    guard number == 0 else { throw SystemError(number) }
    return ChildProcess(identifier: identifier)
  }

  /// Replaces this process by another program, as a shell's `exec` does; returns only on failure.
  public static func exec(_ arguments: [String], environment: Environment) throws(SystemError) -> Never {
    let path = try Executable.path(of: arguments, in: environment)
    for signal in [SIGPIPE, SIGXFSZ] { hw_reset_signal(signal) }
    try unsafe CStrings.with(arguments) { words throws(SystemError) in
      try unsafe CStrings.with(environment.entries) { variables throws(SystemError) in
        unsafe _ = execve(path, words, variables)
      }
    }
    throw SystemError(errno)
  }

  /// Waits for the end; a signal to stop throws `interrupted`.
  public func wait() throws(SystemError) -> Status {
    var status: Int32 = 0
    try call { unsafe waitpid(identifier, &status, 0) }
    return Status(waited: status)
  }

  /// Waits for the end despite Ctrl-C, for a program that handles Ctrl-C itself, such as a pager. Passes other
  /// signals on. Nil if the process was waited for already.
  public func waitThroughInterrupts() -> Status? {
    var interrupt = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&interrupt)
    unsafe sigaddset(&interrupt, SIGINT)
    unsafe pthread_sigmask(SIG_BLOCK, &interrupt, &before)
    defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
    var status: Int32 = 0
    // The first call does not wait: it finds a process that has ended, before an earlier signal is passed on.
    var options = WNOHANG
    while true {
      switch unsafe waitpid(identifier, &status, options) {
      case identifier: return Status(waited: status)
      case -1 where errno != EINTR: return nil
      default: options = 0
      }
      if let signal = Interruption.pending, signal != SIGINT { kill(identifier, signal) }
    }
  }

  /// Returns the status of the process without waiting; nil while it runs.
  public func statusNow() throws(SystemError) -> Status? {
    var status: Int32 = 0
    return try call { unsafe waitpid(identifier, &status, WNOHANG) } == 0 ? nil : Status(waited: status)
  }

  public func send(signal number: Int32) { _ = kill(identifier, number) }

  public func sendGroup(signal number: Int32) { _ = kill(-identifier, number) }

  /// Kills the child's group, waits for the child, and briefly for the rest of the group, despite signals.
  public func killGroup() {
    sendGroup(signal: SIGKILL)
    _ = waitThroughInterrupts()
    // An orphan that nobody waits for remains, but writes no more.
    for _ in 0..<10 where kill(-identifier, 0) == 0 { pauseThroughSignals(milliseconds: 20) }
  }
}

/// Strings as `exec` takes them: an array of pointers that ends with null.
enum CStrings {
  typealias Pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// A string with a zero byte is rejected: the program would receive only the part before it.
  static func with<Result>(
    _ strings: [String], _ body: (Pointers) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard !strings.contains(where: { $0.utf8.contains(0) }) else { throw SystemError(EINVAL) }
    let pointers = Pointers.allocate(capacity: strings.count + 1)
    unsafe pointers.initialize(repeating: nil, count: strings.count + 1)
    defer {
      for index in strings.indices { unsafe free(pointers[index]) }
      unsafe pointers.deallocate()
    }
    for (index, string) in strings.enumerated() { unsafe pointers[index] = strdup(string) }
    return try unsafe body(pointers)
  }
}
