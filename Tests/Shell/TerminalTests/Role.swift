import Synchronization
import System
import Testing

@testable import Terminal

/// What this test binary plays when a `Stage` starts it. The terminal it controls is the stage's.
enum Role: String {
  /// A screen that says what happens to it.
  case screen
  /// The same on a clock that stands still.
  case still
  /// The same as a command shows it. The messages of that time are written on the terminal afterwards.
  case shown
  /// A hidden question, and its answer.
  case hidden
  /// A shell with job control, which can start any other role by `$PLAY`.
  case shell

  static var arguments: [String] {
    [CommandLine.arguments[0], "--filter", "RoleTests", "--testing-library", "swift-testing"]
  }

  func play() throws(Failure) {
    switch self {
    case .screen:
      var screen = EchoScreen()
      try FullScreen.run(&screen, on: .controlling(), time: SystemTime(), color: true, depth: .palette) {
        request throws(Failure) in
        guard request != "bad" else { throw Failure(.connection, "no answer") }
        return "answer to \(request)"
      }
    case .still:
      let clock = StillClock()
      var screen = EchoScreen(clock: clock)
      try FullScreen.run(&screen, on: .controlling(), time: clock, color: true, depth: .palette) {
        request throws(Failure) in
        "answer to \(request)"
      }
    case .shown:
      let messages = MemorySink()
      let host = Host(
        environment: .process, time: SystemTime(), input: .init(MemorySource([])),
        output: .init(MemorySink()), errors: ErrorStream(messages, isTerminal: true))
      var screen = EchoScreen()
      try host.show(&screen, color: true) { request throws(Failure) in
        host.errors.report("during")
        return "answer to \(request)"
      }
      host.errors.report("after")
      let terminal = try TerminalDevice.controlling()
      try DescriptorSink(terminal.descriptor, name: "terminal").write(messages.text)
    case .hidden:
      let terminal = try TerminalDevice.controlling()
      let sink = DescriptorSink(terminal.descriptor, name: "terminal")
      let prompt = Prompt(terminal, errors: sink)
      let pin = try prompt.ask("PIN", echo: .hidden) { $0 }
      let name = try prompt.line("Name")
      try sink.write("pin=\(pin) name=\(name)\r\n")
    case .shell: break
    }
  }

  /// Becomes the leader of a session whose terminal is the stage's, as a terminal's shell is.
  static func enter(_ stage: String) throws {
    guard setsid() != -1 else { return }
    let terminal = try File.open(stage, .readWrite)
    for number in [0, 1, 2] as [Int32] { dup2(terminal.rawValue, number) }
  }
}

/// Stands still, and counts how often it is read.
final class StillClock: TimeKeeper {
  private let reads = Mutex(0)

  var readCount: Int { reads.withLock { $0 } }

  func now() -> Timestamp { Timestamp(seconds: 0) }

  func uptime() -> Duration {
    reads.withLock { $0 += 1 }
    return .seconds(1000)
  }

  func sleep(for duration: Duration) throws(Failure) {}
}

/// Shows each event, and does what the keys say.
struct EchoScreen: InteractiveScreen {
  /// Every other time in bold, so that the whole text is written and not just what changed of it.
  var said = "nothing yet" { didSet { style = style == .plain ? .bold : .plain } }
  var style = Style.plain
  var alarm: Duration?
  var ticks = 0
  var clock: StillClock?
  /// How often the clock had been read at the last key `u`.
  var reads = 0

  mutating func handle(_ event: ScreenEvent<String>, at uptime: Duration) throws(Failure) -> Next<String> {
    switch event {
    case .resized(let size): said = "size \(size.columns)x\(size.rows)"
    case .completed(.success(let answer)): said = answer
    case .completed(.failure(let failure)): said = "failed: \(failure.message)"
    case .tick:
      ticks += 1
      said = "tick \(ticks)"
      alarm = ticks < 3 ? uptime + .milliseconds(20) : nil
    case .key(.character("q")): return .leave
    case .key(.character("t")): throw Failure(.conflict, "thrown")
    case .key(.character("c")): raise(SIGSEGV)
    case .key(.character("a")): return .request("question")
    case .key(.character("b")): return .request("bad")
    case .key(.character("w")): alarm = uptime + .milliseconds(20)
    case .key(.character("z")): alarm = uptime + .seconds(3600)
    case .key(.character("u")):
      let now = clock?.readCount ?? 0
      said = "reads \(now - reads)"
      reads = now
    case .key(.character("s")):
      // A screen that is stuck: it takes no notice of the first signal, which need not arrive on this thread.
      try? FileDescriptor(rawValue: 0).writeAll(Array("busy".utf8))
      while Interruption.pending == nil { try? SystemTime().sleep(for: .milliseconds(20)) }
      try? FileDescriptor(rawValue: 0).writeAll(Array("stuck".utf8))
      while true { pause() }
    case .key(.mouse(let mouse)): said = "\(mouse.action) \(mouse.row) \(mouse.column)"
    case .key(let key): said = "key \(key)"
    }
    return .stay
  }

  func draw(on canvas: inout Canvas) {
    canvas.write("[\(said)]", row: 0, column: 0, style: style)
    canvas.write("canvas=\(canvas.columns)x\(canvas.rows)", row: 1, column: 0)
  }
}

@Suite(.enabled(if: Environment.process["HW_ROLE"] != nil)) struct RoleTests {
  @Test func play() throws {
    let environment = Environment.process
    let role = try #require(environment["HW_ROLE"].flatMap(Role.init(rawValue:)))
    if let stage = environment["HW_STAGE"] { try Role.enter(stage) }
    if role == .shell {
      let play = "HW_ROLE=screen exec \(Role.arguments.joined(separator: " ")) >/dev/null 2>&1"
      var variables = environment.all
      variables["HW_STAGE"] = nil
      variables["PLAY"] = play
      variables["PS1"] = "$ "
      try ChildProcess.exec(["sh", "-i"], environment: Environment(variables))
    }
    Interruption.install()
    Interruption.allowLongCleanUp()
    do throws(Failure) {
      try role.play()
      Exit.with(0)
    } catch {
      Exit.with(error)
    }
  }
}
