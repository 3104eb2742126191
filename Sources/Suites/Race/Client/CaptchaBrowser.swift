import Synchronization
import System

/// A browser window that shows a CAPTCHA, with a temporary profile that is removed with the window.
///
/// The DevTools protocol uses a pipe (descriptors 3 and 4 of the browser), so no port is open and no other process can
/// read it. `solve` blocks its thread; another thread may call `close`.
final class CaptchaBrowser: Sendable {
  private let command: [String]
  private let environment: Environment
  private let time: any TimeKeeper
  private let state = Mutex(State())

  private struct State: Sendable {
    var running: Running?
    var isClosed = false
  }

  private struct Running: Sendable {
    let child: ChildProcess
    let profile: String
    let commands: FileDescriptor
    let messages: FileDescriptor
  }

  static let names = [
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
    "microsoft-edge-stable", "microsoft-edge", "brave-browser", "vivaldi-stable",
  ]

  /// `command` is a program, with arguments if the user gave some.
  init(_ command: [String], environment: Environment, time: any TimeKeeper) {
    self.command = command
    self.environment = environment
    self.time = time
  }

  deinit { close() }

  /// Opens the window and waits until the CAPTCHA is passed. Returns `passed`, or `unclear` if only the next request to
  /// the service can show it. Calls `attemptFailed` for each failed attempt. Fails with the kind `captcha` if the
  /// window is closed first; other kinds mean that the browser does not work.
  func solve(_ address: CaptchaAddress, attemptFailed: () -> Void) throws(Failure) -> CaptchaVerdict {
    let browser = try start()
    defer { end() }
    var watch = DevToolsWatch(address)
    var messages = DevToolsMessages(browser.messages)
    var notLoaded: String?
    do throws(SystemError) {
      try send(watch.begin(), to: browser)
      reading: while let text = try messages.next() {
        let step = watch.handle(text)
        try send(step.messages, to: browser)
        switch step.event {
        case .verdict(.failed): attemptFailed()
        case .verdict(let verdict):
          try send([watch.close()], to: browser)
          return verdict
        case .closed: break reading
        case .notLoaded(let reason):
          notLoaded = reason
          break reading
        case nil: break
        }
      }
    } catch .brokenPipe {
      // The browser has ended, which is reported below.
    } catch {
      throw error.failure(
        orElse: Failure(.connection, "cannot communicate with the browser '\(command[0])': \(error.text)"))
    }
    if let notLoaded {
      throw Failure(
        .connection, "the page of the CAPTCHA cannot be loaded: \(notLoaded.terminalSafe)", hint: address.text
      )
    }
    guard messages.hasReceived else { throw endedEarly(browser) }
    var failure = address.unsolved
    failure.message = "the window was closed before the CAPTCHA was solved: \(address.text)"
    throw failure
  }

  /// Includes the last line that the browser wrote to standard error.
  private func endedEarly(_ browser: Running) -> Failure {
    _ = browser.child.waitThroughInterrupts()
    let output = (try? File.read(CaptchaBrowser.errors(of: browser.profile))) ?? nil
    let text = String(decoding: (output ?? []).suffix(16 << 10), as: UTF8.self)
    let last = text.split(separator: "\n").last { $0.contains { !$0.isWhitespace } }
    let reason = last.map { ": \(String($0).terminalSafe.prefix(300))" } ?? ""
    let words = command.joined(separator: " ")
    let hint =
      text.contains("no-sandbox")
      ? "as root it requires \(ShellWord.command("--browser", "\(words) --no-sandbox")); better, run hw as another user"
      : "check that it starts, or choose another with --browser"
    return Failure(
      .connection, "the browser '\(command[0])' exited before it opened a page\(reason)", hint: hint)
  }

  /// The file with the standard error of the browser, in the profile: both are removed together.
  private static func errors(of profile: String) -> String { "\(profile)/hw-errors.log" }

  private func send(_ messages: [[UInt8]], to browser: Running) throws(SystemError) {
    for message in messages { try browser.commands.writeAll(message + [0]) }
  }

  /// `close` waits for the lock, so it also ends a browser that is just starting.
  private func start() throws(Failure) -> Running {
    try state.withLock { state throws(Failure) in
      guard !state.isClosed else { throw Failure(.interrupted, "the browser was closed") }
      let browser = try launch()
      state.running = browser
      return browser
    }
  }

  private func launch() throws(Failure) -> Running {
    // Chromium exits if the path of its socket, 45 bytes longer than the profile's, has more than 107 bytes.
    let parent = environment["TMPDIR"].flatMap { $0.utf8.count <= 42 ? $0 : nil } ?? "/tmp"
    let profile = "\(parent)/hw-captcha-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
    try Folder.make(profile)
    do throws(SystemError) {
      let commands = try Pipe()
      defer { commands.reader.close() }
      let messages: Pipe
      do throws(SystemError) {
        messages = try Pipe()
      } catch {
        commands.writer.close()
        throw error
      }
      defer { messages.writer.close() }
      do throws(SystemError) {
        let devNull = try File.open("/dev/null", .readWrite)
        defer { devNull.close() }
        let errors = try File.open(CaptchaBrowser.errors(of: profile), .append)
        defer { errors.close() }
        Interruption.allowLongCleanUp()
        let child = try ChildProcess.start(
          command + CaptchaBrowser.arguments(profile: profile),
          environment: environment.withoutSecrets.setting(["TMPDIR": profile]),
          // Browsers log to their standard streams, on which a screen may be shown.
          descriptors: [0: devNull, 1: devNull, 2: errors, 3: commands.reader, 4: messages.writer],
          group: .own)
        return Running(child: child, profile: profile, commands: commands.writer, messages: messages.reader)
      } catch {
        commands.writer.close()
        messages.reader.close()
        throw error
      }
    } catch {
      try? Folder.remove(profile)
      throw Failure(
        .connection, "cannot start the browser '\(command[0])': \(error.text)",
        hint: "choose another with --browser, or use --captcha wait")
    }
  }

  /// Arguments for a window without tabs and address bar. Its empty page navigates once network events are enabled.
  private static func arguments(profile: String) -> [String] {
    [
      "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run", "--no-default-browser-check",
      "--disable-sync", "--window-size=500,700", "--app=data:text/html,<title>CAPTCHA</title>",
    ]
  }

  /// Ends the browser, and prevents another start.
  func close() {
    state.withLock { $0.isClosed = true }
    end()
  }

  /// Ends the browser, kills it if it does not react, and removes its profile. Other callers wait until then.
  private func end() {
    state.withLock { state in
      guard let browser = state.running.take() else { return }
      browser.commands.close()
      browser.child.sendGroup(signal: SIGTERM)
      waitBriefly(for: browser.child)
      browser.child.killGroup()
      browser.messages.close()
      Folder.removePersistently(browser.profile)
    }
  }

  /// Waits a second, or until a signal arrives.
  private func waitBriefly(for child: ChildProcess) {
    for _ in 0..<20 {
      guard (try? child.statusNow()) == nil, (try? time.sleep(for: .milliseconds(50))) != nil else { return }
    }
  }
}

private struct DevToolsMessages {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []
  private(set) var hasReceived = false
  private static let longest = 8 << 20

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  mutating func next() throws(SystemError) -> [UInt8]? {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: 0) {
        let message = Array(pending[..<end])
        pending.removeSubrange(...end)
        hasReceived = true
        return message
      }
      if pending.count > DevToolsMessages.longest { pending.removeAll() }
      searched = pending.count
      let block = try descriptor.read(atMost: 32 << 10)
      guard !block.isEmpty else { return nil }
      pending += block
    }
  }
}
