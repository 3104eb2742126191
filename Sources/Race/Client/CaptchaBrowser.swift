import Synchronization
import System

/// A browser window on a CAPTCHA, with a profile of its own that goes when the window does.
///
/// hw speaks with it through a pipe (descriptors 3 and 4 of the browser): no port is opened, and nobody else on the
/// machine can listen in. `solve` waits on one thread; `close` may come from another.
final class CaptchaBrowser: Sendable {
  private let command: [String]
  private let environment: Environment
  private let time: any TimeKeeper
  private let running = Mutex<Running?>(nil)

  private struct Running: Sendable {
    let child: ChildProcess
    let profile: String
    let commands: FileDescriptor
    let answers: FileDescriptor
  }

  /// The Chromium family, by the names it is installed under.
  static let names = [
    "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome",
    "microsoft-edge-stable",
    "microsoft-edge", "brave-browser", "vivaldi-stable",
  ]

  /// `command` is the program with the arguments that somebody wants it to have.
  init(_ command: [String], environment: Environment, time: any TimeKeeper) {
    self.command = command
    self.environment = environment
    self.time = time
  }

  deinit { close() }

  /// Opens the window and waits until the CAPTCHA is passed; `attempted` hears of each failed attempt. A window that
  /// was closed is a failure of the kind `captcha`; any other kind means that there is no such browser.
  func solve(_ address: CaptchaAddress, attempted: () -> Void) throws(Failure) {
    let browser = try start()
    defer { close() }
    var watch = DevToolsWatch(address)
    var answers = DevToolsMessages(browser.answers)
    do throws(SystemError) {
      try say(watch.begin(), to: browser)
      while let text = try answers.next() {
        let step = watch.handle(text)
        try say(step.messages, to: browser)
        switch step.finding {
        case .verdict(.passed), .verdict(.unclear): return try say([watch.close()], to: browser)
        case .verdict(.failed): attempted()
        case .closed: throw SystemError.brokenPipe
        case nil: break
        }
      }
    } catch .brokenPipe {
      // Told below.
    } catch {
      throw error.failure(
        orElse: Failure(.connection, "cannot speak with the browser '\(command[0])': \(error.text)"))
    }
    guard answers.hasSpoken else {
      throw Failure(
        .connection, "the browser '\(command[0])' ended before it showed anything",
        hint: "see whether it starts by itself, or choose another with --browser")
    }
    var failure = address.wanted
    failure.message = "the window was closed before the CAPTCHA was solved: \(address.text)"
    throw failure
  }

  private func say(_ messages: [[UInt8]], to browser: Running) throws(SystemError) {
    for message in messages { try browser.commands.writeAll(message + [0]) }
  }

  private func start() throws(Failure) -> Running {
    let profile = "\(environment["TMPDIR"] ?? "/tmp")/hw-captcha-\(UInt64.random(in: 0 ... .max))"
    try Folder.make(profile)
    do throws(SystemError) {
      let commands = try Pipe()
      defer { commands.reader.close() }
      let answers: Pipe
      do throws(SystemError) {
        answers = try Pipe()
      } catch {
        commands.writer.close()
        throw error
      }
      defer { answers.writer.close() }
      do throws(SystemError) {
        let quiet = try File.open("/dev/null", .readWrite)
        defer { quiet.close() }
        let child = try ChildProcess.start(
          .init(
            command + CaptchaBrowser.arguments(profile: profile), environment: environment,
            // A browser chats on its standard streams, and a screen may be there.
            descriptors: [0: quiet, 1: quiet, 2: quiet, 3: commands.reader, 4: answers.writer], group: .own))
        let browser = Running(
          child: child, profile: profile, commands: commands.writer, answers: answers.reader)
        running.withLock { $0 = browser }
        return browser
      } catch {
        commands.writer.close()
        answers.reader.close()
        throw error
      }
    } catch {
      try? Folder.remove(profile)
      throw Failure(
        .connection, "cannot start the browser '\(command[0])': \(error.text)",
        hint: "choose another with --browser, or none with --captcha wait")
    }
  }

  /// A window without tabs or an address bar, on an empty page: hw sends it on its way once it can see the network.
  private static func arguments(profile: String) -> [String] {
    [
      "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run",
      "--no-default-browser-check", "--disable-sync", "--window-size=500,700",
      "--app=data:text/html,<title>CAPTCHA</title>",
    ]
  }

  /// Ends the browser and removes its profile. A browser that does not listen is killed.
  func close() {
    guard let browser = running.withLock({ running in running.take() }) else { return }
    browser.commands.close()
    browser.child.sendGroup(signal: CaptchaBrowser.terminate)
    var patience = 20
    while patience > 0, (try? browser.child.statusNow()) == .some(nil) {
      patience -= 1
      // A signal that asks hw itself to stop ends the patience.
      do throws(Failure) { try time.sleep(for: .milliseconds(50)) } catch { patience = 0 }
    }
    browser.child.sendGroup(signal: CaptchaBrowser.kill)
    if patience == 0 { _ = browser.child.waitThroughInterrupts() }
    browser.answers.close()
    // Its children may write until they have noticed.
    for _ in 0..<20 where (try? Folder.remove(browser.profile)) == nil {
      try? time.sleep(for: .milliseconds(50))
    }
  }

  private static let terminate: Int32 = 15
  private static let kill: Int32 = 9
}

/// The messages that a browser sends, each ended by a zero byte.
private struct DevToolsMessages {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []
  private(set) var hasSpoken = false
  /// No message that matters here is as long; one that is longer is passed over.
  private static let longest = 8 << 20

  init(_ descriptor: FileDescriptor) {
    self.descriptor = descriptor
  }

  /// Nil at the end.
  mutating func next() throws(SystemError) -> [UInt8]? {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: 0) {
        let message = Array(pending[..<end])
        pending.removeSubrange(...end)
        hasSpoken = true
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
