import Foundation
import TestSupport

/// A driver for a given time, as `Tests/torture/run` asks for it in variables.
final class LongRun: @unchecked Sendable {
  static let variables = ProcessInfo.processInfo.environment
  static let name = variables["HW_TORTURE_DRIVER"]

  private let driver: Driver
  private let home: ScratchDirectory
  private let attack: Attack
  private let seed = UInt64(LongRun.variables["HW_TORTURE_SEED"] ?? "") ?? 1
  private let seconds = Double(LongRun.variables["HW_TORTURE_SECONDS"] ?? "") ?? 10
  private let folder = LongRun.variables["FINDINGS"] ?? "/tmp"
  private(set) var findings = 0
  let ended = DispatchSemaphore(value: 0)

  init(_ driver: Driver) throws {
    self.driver = driver
    home = try ScratchDirectory()
    attack = try driver.attack(in: home)
  }

  /// Runs on a thread of its own, since a stack that overflows needs another for the handler.
  func body() {
    defer { ended.signal() }
    // What an input makes grow without bounds ends here and not with the machine.
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    let start = Date()
    var inputs = 0
    if let corpus = GuidedRun.corpus {
      let run = GuidedRun(
        driver.name, take: { self.take($0, "guided-\($1)", isGuided: true) },
        report: { inputs in
          self.report(inputs, since: start)
          return self.findings == 0 ? 0 : 1
        })
      do {
        try run.body(corpus: corpus, attack: attack, seed: seed, seconds: seconds, findings: folder)
      } catch {
        FileHandle.standardError.write(Data("\(driver.name): \(error)\n".utf8))
        findings += 1
      }
    } else if let file = Self.variables["HW_TORTURE_INPUT"] {
      inputs = 1
      take(Array(FileManager.default.contents(atPath: file) ?? Data()), "repeated")
    } else {
      while Date().timeIntervalSince(start) < seconds, findings < 10 {
        take(attack.input(seed: seed, number: inputs), "\(seed)-\(inputs)")
        inputs += 1
      }
    }
    alarm(0)
    report(inputs, since: start)
  }

  private func report(_ inputs: Int, since start: Date) {
    let used = Int(Date().timeIntervalSince(start).rounded())
    let line = "\(driver.name): \(inputs) inputs, \(used) seconds, \(findings) findings\n"
    if let file = Self.variables["HW_TORTURE_REPORT"] {
      try? line.write(toFile: file, atomically: false, encoding: .utf8)
    }
  }

  /// A guided run saves an input that ends the process itself.
  private func take(_ input: [UInt8], _ label: String, isGuided: Bool = false) {
    let file = "\(folder)/\(driver.name)-\(label)"
    if !isGuided { LastInput.hold(input, file, limit: driver.limit) }
    let problem: String?
    do { problem = try attack.judge(input) } catch { problem = "\(error)" }
    guard let problem else { return }
    findings += 1
    alarm(0)
    let small = attack.minimized(input, until: Date() + 5)
    try? Data(input).write(to: URL(filePath: file))
    try? Data(small).write(to: URL(filePath: file + ".min"))
    let text = String(decoding: small.prefix(600), as: UTF8.self).debugDescription
    FileHandle.standardError.write(Data("\(file): \(problem)\n  minimal: \(text)\n".utf8))
  }
}

/// The input that the program is dealing with. When it ends the process, or takes too long, a handler saves it.
private enum LastInput {
  nonisolated(unsafe) private static var bytes = UnsafeMutableRawPointer.allocate(
    byteCount: 1 << 20, alignment: 16)
  nonisolated(unsafe) private static var capacity = 1 << 20
  nonisolated(unsafe) private static var count = 0
  nonisolated(unsafe) private static let path = UnsafeMutablePointer<CChar>.allocate(capacity: 4096)
  nonisolated(unsafe) private static var isInstalled = false

  static func hold(_ input: [UInt8], _ file: String, limit: UInt32) {
    if !isInstalled { install() }
    if input.count > capacity {
      bytes = UnsafeMutableRawPointer.allocate(byteCount: input.count * 2, alignment: 16)
      capacity = input.count * 2
    }
    input.withUnsafeBytes {
      if let base = $0.baseAddress { bytes.copyMemory(from: base, byteCount: $0.count) }
    }
    count = input.count
    var file = file
    file.withUTF8 { text in
      let length = min(text.count, 4000)
      for index in 0..<length { path[index] = CChar(bitPattern: text[index]) }
      path[length] = 0
    }
    alarm(limit)
  }

  private static func install() {
    isInstalled = true
    var stack = stack_t(ss_sp: .allocate(byteCount: 1 << 16, alignment: 16), ss_flags: 0, ss_size: 1 << 16)
    sigaltstack(&stack, nil)
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGALRM] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in LastInput.save(number) }
      action.sa_flags = Int32(SA_ONSTACK)
      sigaction(number, &action, nil)
    }
  }

  private static func save(_ number: Int32) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = write(file, bytes, count)
    close(file)
    func say(_ text: StaticString) { _ = write(2, text.utf8Start, text.utf8CodeUnitCount) }
    say(number == SIGALRM ? "took too long: " : "ended by a signal: ")
    _ = write(2, path, strlen(path))
    say("\n")
    signal(number, SIG_DFL)
    // An alarm is reported by the status of any other signal.
    raise(number == SIGALRM ? SIGABRT : number)
    signal(SIGABRT, SIG_DFL)
    abort()
  }
}
