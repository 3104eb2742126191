import Foundation

/// The tests against the mutants: which suites pass which mutants, and whether one of them fails.
final class Trial: @unchecked Sendable {
  private struct Suite {
    let name: String
    var seconds: Double
    var reached: Set<Int>

    var module: String { String(name.split(separator: ".")[0].dropLast("Tests".count)) }
    var isEndToEnd: Bool { module == "EndToEnd" }
  }

  enum Verdict: String {
    case noticed
    case survived
    /// No test comes by: nothing could notice it.
    case unreached
  }

  private let root: String
  private let workers: [Worker]
  private let lock = NSLock()
  private var suites: [Suite] = []
  private let isOver: @Sendable () -> Bool

  init(_ root: String, _ workers: [Worker], isOver: @escaping @Sendable () -> Bool) {
    (self.root, self.workers, self.isOver) = (root, workers, isOver)
  }

  /// Judges the mutants, as far as the time allows: first all by the tests of the modules, which are quick, then those
  /// that were not noticed by the tests of the whole program.
  func run(_ mutants: [Mutant]) throws {
    let file = "\(root)/.build/mutants-results.tsv"
    let done = Set(
      ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n").compactMap {
        Int($0.prefix { $0 != "\t" })
      })
    var left = mutants.filter { !done.contains($0.number) }
    for isEndToEnd in [false, true] {
      try prepare(isEndToEnd)
      let noticed = Numbers()
      inParallel(left) { mutant, worker in
        var (verdict, by) = try self.judge(mutant, worker, isEndToEnd)
        if verdict != .noticed {
          guard isEndToEnd else { return note("not yet noticed: \(mutant.module) \(mutant.description)") }
          let isReached = self.lock.withLock { self.suites.contains { $0.reached.contains(mutant.number) } }
          (verdict, by) = (isReached ? .survived : .unreached, "")
        }
        noticed.insert(mutant.number)
        append("\(mutant.number)\t\(verdict.rawValue)\t\(mutant.module)\t\(mutant.description)\t\(by)", file)
        note("\(verdict.rawValue) \(mutant.module) \(mutant.description)")
      }
      left.removeAll { noticed.contains($0.number) }
      note("\(left.count) of \(mutants.count) mutants are left")
    }
  }

  private final class Numbers: @unchecked Sendable {
    private let lock = NSLock()
    private var all: Set<Int> = []

    func insert(_ number: Int) { lock.withLock { _ = all.insert(number) } }
    func contains(_ number: Int) -> Bool { lock.withLock { all.contains(number) } }
  }

  /// Runs these suites each by itself without a fault. A suite that fails so is left out.
  private func prepare(_ isEndToEnd: Bool) throws {
    let file = "\(root)/.build/mutants-reached.tsv"
    if suites.isEmpty {
      for line in ((try? String(contentsOfFile: file, encoding: .utf8)) ?? "").split(separator: "\n") {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        suites.append(
          Suite(
            name: String(parts[0]), seconds: Double(parts[1]) ?? 1,
            reached: Set(parts[2].split(separator: " ").compactMap { Int($0) })))
      }
    }
    let known = Set(suites.map(\.name))
    let names = try workers[0].suites().filter {
      !known.contains($0) && $0.hasPrefix("EndToEndTests.") == isEndToEnd
    }
    note("\(names.count) suites are run once without a fault")
    inParallel(names) { name, worker in
      _ = try worker.takeReached()
      let (outcome, seconds) = try worker.run([name], nil, within: 600)
      let reached = try worker.takeReached()
      if outcome == .passed {
        self.lock.withLock { self.suites.append(Suite(name: name, seconds: seconds, reached: reached)) }
        append("\(name)\t\(seconds)\t\(reached.sorted().map(String.init).joined(separator: " "))", file)
      } else {
        note("\(name) fails without a fault, and is left out: \(worker.failures.first ?? "\(outcome)")")
      }
    }
  }

  /// The tests of its module come first, and of the whole program's the quick ones.
  private func judge(_ mutant: Mutant, _ worker: Worker, _ isEndToEnd: Bool) throws -> (Verdict, by: String) {
    let suites = lock.withLock { self.suites.filter { $0.reached.contains(mutant.number) } }
    var parts: [[Suite]] = []
    if isEndToEnd {
      for suite in suites.filter(\.isEndToEnd).sorted(by: { $0.seconds < $1.seconds }) {
        let isFull = (parts.last?.map(\.seconds).reduce(suite.seconds, +) ?? .infinity) > 15
        if isFull { parts.append([suite]) } else { parts[parts.count - 1].append(suite) }
      }
    } else {
      let units = suites.filter { !$0.isEndToEnd }
      for isOwn in [true, false] {
        let some = units.filter { ($0.module == mutant.module) == isOwn }
        parts += [some.filter { $0.seconds < 3 }, some.filter { $0.seconds >= 3 }]
      }
    }
    for part in parts where !part.isEmpty {
      guard !isOver() else { throw Trouble(description: "no time for \(mutant.description)") }
      let names = part.map(\.name)
      let limit = min(150, 30 + 3 * part.map(\.seconds).reduce(0, +))
      let (outcome, _) = try worker.run(names, mutant.number, within: limit)
      if outcome == .hung { return (.noticed, "hung: \(names.count) suites from \(names[0])") }
      guard outcome == .failed else { continue }
      let by = worker.failures.first ?? names[0]
      // Tests of the whole program may fail because the machine is busy: not twice in a row.
      guard isEndToEnd else { return (.noticed, by) }
      if try worker.run(names, mutant.number, within: limit).0 != .passed { return (.noticed, by) }
    }
    return (.survived, "")
  }

  private func inParallel<Item>(_ items: [Item], _ body: @escaping (Item, Worker) throws -> Void) {
    nonisolated(unsafe) var left = items[...]
    let ended = DispatchSemaphore(value: 0)
    for worker in workers {
      Thread.detachNewThread { [self] in
        while !isOver(), let item = lock.withLock({ left.popFirst() }) {
          do { try body(item, worker) } catch { note("\(error)") }
        }
        ended.signal()
      }
    }
    for _ in workers { ended.wait() }
  }
}

private let appending = NSLock()

private func append(_ line: String, _ file: String) {
  appending.withLock {
    if !FileManager.default.fileExists(atPath: file) {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: file) else { return }
    defer { try? handle.close() }
    _ = try? handle.seekToEnd()
    try? handle.write(contentsOf: Data("\(line)\n".utf8))
  }
}
