/// The user's web browser: the command in `BROWSER`, or else what the system opens addresses with.
public enum Browser {
  /// The words of the command that takes an address as its last argument; nil where none is installed. As in a shell,
  /// `BROWSER` may contain options: `/opt/browser --new-window`.
  public static func command(_ environment: Environment) -> [String]? {
    let chosen = environment["BROWSER"]?.split(separator: " ").map(String.init) ?? []
    return [chosen, ["xdg-open"]].first { words in
      words.first.map { Executable.find($0, in: environment) != nil } ?? false
    }
  }

  /// Opens an address and waits until the command has ended; throws when it fails.
  public static func open(_ address: String, _ environment: Environment) throws(Failure) {
    var status: ChildProcess.Status?
    do throws(SystemError) {
      status = try process(address, environment)?.wait()
    } catch {
      throw error.failure("open in the browser", address)
    }
    guard status == .exited(0) else {
      throw Failure(.storage, "no browser could be opened", hint: "open it yourself: \(address)")
    }
  }

  /// Starts the command and does not wait: some browsers run until their window is closed.
  public static func start(_ address: String, _ environment: Environment) throws(SystemError) {
    guard let child = try process(address, environment, group: .own) else { return }
    // Without a thread, it only stays in the list of processes after its end.
    try? Thread.start { _ = try? child.wait() }
  }

  private static func process(
    _ address: String, _ environment: Environment, group: ChildProcess.Group = .same
  ) throws(SystemError) -> ChildProcess? {
    guard let command = command(environment) else { return nil }
    // It writes nothing on our output.
    let null = try File.open("/dev/null", .readWrite)
    defer { null.close() }
    return try ChildProcess.start(
      .init(
        command + [address], environment: environment.withoutSecrets,
        descriptors: [0: null, 1: null, 2: null],
        group: group))
  }
}
