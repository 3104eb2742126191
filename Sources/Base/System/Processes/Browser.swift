/// The user's web browser: the command in `BROWSER`, or xdg-open.
public enum Browser {
  /// Words of the command that takes an address as its last argument; nil if none is installed. As in a shell,
  /// `BROWSER` may contain options: `/opt/browser --new-window`.
  public static func command(_ environment: Environment) -> [String]? {
    let chosen = environment["BROWSER"]?.split(separator: " ").map(String.init) ?? []
    return [chosen, ["xdg-open"]].first { words in
      words.first.map { Executable.find($0, in: environment) != nil } ?? false
    }
  }

  /// Starts the browser without waiting for its end; returns why it cannot.
  public static func open(_ address: String, _ environment: Environment) -> String? {
    guard let command = command(environment) else {
      return "no browser is installed: open \(address) yourself"
    }
    do throws(SystemError) {
      // The browser must not write to hw's output.
      let null = try File.open("/dev/null", .readWrite)
      defer { null.close() }
      let child = try ChildProcess.start(
        command + [address], environment: environment.withoutSecrets,
        descriptors: [0: null, 1: null, 2: null], group: .own)
      // Without this thread the child would remain a zombie.
      try? Thread.start { _ = try? child.wait() }
      return nil
    } catch {
      return "cannot run '\(command[0])': \(error.text)"
    }
  }
}
