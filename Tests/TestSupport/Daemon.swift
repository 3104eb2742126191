import Foundation

/// Servers of other projects that tests need. Each ends with this process, however that ends.
enum Daemon {
  /// The server ends when the pipe that this process holds is closed.
  private static let leash: Int32 = {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return 0 }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends[0]
  }()

  /// Runs the command line. It must become the program `name` by `exec`, which gets SIGQUIT at the end.
  static func start(_ words: [String], name: String) throws {
    // Not a child of this process: when it ended, it would be a zombie, and the test library's wait for the process of
    // an exit test would find that one again and again. What other tests have open must not stay open in the server. A
    // background job of a shell reads from /dev/null unless it is given something else.
    let script = """
      exec 3<&0
      {
        for path in /proc/$BASHPID/fd/*; do
          number=${path##*/}
          if ((number > 3)); then eval "exec $number>&-"; fi
        done
        server=$BASHPID
        (cat <&3 >/dev/null; if [[ $(</proc/$server/comm) == "$0" ]]; then kill -QUIT $server; fi) &
        exec "$@" 3<&- </dev/null >/dev/null 2>&1
      } &
      """
    try Spawn.run(["bash", "-c", script, name] + words, input: leash)
  }

  /// What a command line begins with so that it runs without rights, also for tests that run as root.
  static var unprivileged: [String] {
    let user = ["setpriv", "--reuid", "\(nobody)", "--regid", "\(nobody)", "--clear-groups"]
    return ["env", "-C", "/"] + (geteuid() == 0 ? user : [])
  }

  private static let nobody: UInt32 = 65534

  /// The options with which a file system is mounted for that user.
  static let ownership = "mode=0700,uid=\(nobody),gid=\(nobody)"

  /// Gives files to the user of `unprivileged`.
  static func give(_ paths: [String]) {
    guard geteuid() == 0 else { return }
    for path in paths { chown(path, nobody, nobody) }
  }
}
