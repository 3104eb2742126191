import CLibraries

/// A program that was started and has not been waited for.
public struct ChildProcess: Sendable {
  public let identifier: Int32

  /// What to start, and what it gets.
  public struct Plan: Sendable {
    /// The program and its arguments. A name without a slash is looked up in the `PATH` of `environment`.
    public var arguments: [String]
    public var environment: Environment
    /// The child's descriptors, by the number each has there. Those that are not named are as in this process, and
    /// whatever hw opened itself stays closed.
    public var descriptors: [Int32: FileDescriptor]
    public var group: Group

    public init(
      _ arguments: [String], environment: Environment, descriptors: [Int32: FileDescriptor] = [:],
      group: Group = .same
    ) {
      self.arguments = arguments
      self.environment = environment
      self.descriptors = descriptors
      self.group = group
    }
  }

  public enum Group: Sendable {
    /// Ctrl-C reaches the child too.
    case same
    /// The child leads a group of its own: Ctrl-C does not reach it, and `sendGroup` reaches it and its children.
    case own
  }

  /// How it ended.
  public enum Status: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    /// As a shell has it in `$?`.
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

  /// Starts it. Signals have their usual meaning in it, also those that hw ignores or notes.
  public static func start(_ plan: Plan) throws(SystemError) -> ChildProcess {
    let path = try Executable.path(of: plan.arguments, in: plan.environment)
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    // Moved out of the way first: 3 → 4 and 4 → 3 at once would otherwise overwrite each other.
    var moved: [FileDescriptor] = []
    defer { for descriptor in moved { descriptor.close() } }
    let above = (plan.descriptors.keys.max() ?? 2) + 1
    for (number, descriptor) in plan.descriptors.sorted(by: { $0.key < $1.key }) {
      let copy = FileDescriptor(
        rawValue: try call { fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, max(3, above)) })
      moved.append(copy)
      unsafe posix_spawn_file_actions_adddup2(&actions, copy.rawValue, number)
    }

    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    unsafe posix_spawnattr_setsigmask(&attributes, &usual)
    for signal in [SIGPIPE, SIGTSTP, SIGQUIT] { unsafe sigaddset(&usual, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    var flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    if plan.group == .own { flags |= Int32(POSIX_SPAWN_SETPGROUP) }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var identifier: pid_t = 0
    let number = try unsafe CStrings.with(plan.arguments) { words throws(SystemError) in
      try unsafe CStrings.with(plan.environment.entries) { variables throws(SystemError) in
        unsafe posix_spawn(&identifier, path, &actions, &attributes, words, variables)
      }
    }
    guard number == 0 else { throw SystemError(number) }
    return ChildProcess(identifier: identifier)
  }

  /// Puts another program in the place of this one, as a shell's `exec` does; returns only when that fails.
  public static func become(_ arguments: [String], environment: Environment) throws(SystemError) -> Never {
    let path = try Executable.path(of: arguments, in: environment)
    hw_default_signal(SIGPIPE)
    try unsafe CStrings.with(arguments) { words throws(SystemError) in
      try unsafe CStrings.with(environment.entries) { variables throws(SystemError) in
        unsafe _ = execve(path, words, variables)
      }
    }
    throw SystemError(errno)
  }

  /// Waits for its end; a signal that asks hw to stop ends the wait with `interrupted`.
  public func wait() throws(SystemError) -> Status {
    var status: Int32 = 0
    try call { unsafe waitpid(identifier, &status, 0) }
    return Status(waited: status)
  }

  /// Waits for its end and lets no Ctrl-C cut that short: for a program that has the terminal, such as a pager, and
  /// deals with Ctrl-C itself. Nil when somebody else has waited for it already.
  public func waitThroughInterrupts() -> Status? {
    var interrupt = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&interrupt)
    unsafe sigaddset(&interrupt, SIGINT)
    unsafe pthread_sigmask(SIG_BLOCK, &interrupt, &before)
    defer { unsafe _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
    var status: Int32 = 0
    while true {
      if unsafe waitpid(identifier, &status, 0) == identifier { return Status(waited: status) }
      guard errno == EINTR else { return nil }
    }
  }

  /// Its end, if that has come.
  public func statusNow() throws(SystemError) -> Status? {
    var status: Int32 = 0
    return try call { unsafe waitpid(identifier, &status, WNOHANG) } == 0 ? nil : Status(waited: status)
  }

  /// Sends it a signal. One that has ended already takes no notice.
  public func send(signal number: Int32) {
    _ = kill(identifier, number)
  }

  /// Asks it to end.
  public func terminate() { send(signal: SIGTERM) }

  /// Sends a signal to the group it leads, where it was started with one of its own.
  public func sendGroup(signal number: Int32) {
    _ = kill(-identifier, number)
  }
}
