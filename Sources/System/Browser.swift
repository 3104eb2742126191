/// The person's web browser.
public enum Browser {
  /// Shows an address in it: by `BROWSER` where that is set, else by what the system opens addresses with.
  public static func open(_ address: String, _ environment: Environment) throws(Failure) {
    let programs = environment["BROWSER"].map { [$0] } ?? ["xdg-open", "open"]
    for program in programs {
      do throws(SystemError) {
        // It says nothing on our output.
        let silence = try File.open("/dev/null", .readWrite)
        defer { silence.close() }
        let child = try ChildProcess.start(
          .init(
            [program, address], environment: environment, descriptors: [0: silence, 1: silence, 2: silence]))
        if try child.wait() == .exited(0) { return }
      } catch .interrupted {
        throw Interruption.failure
      } catch {
        continue
      }
    }
    throw Failure(.storage, "no browser could be opened", hint: "open it yourself: \(address)")
  }
}
