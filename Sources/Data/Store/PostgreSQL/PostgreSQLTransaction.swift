import System

/// State of an engine's transaction: the statements that were not sent yet, and the parts that can be undone
/// alone. Sends nothing itself.
struct PostgreSQLTransaction {
  /// A statement to be sent.
  struct Step {
    let command: PostgreSQLCommand
    var values = PostgreSQLStrings([])
    var role = Role.statement
  }

  enum Role {
    case statement
    /// Statement whose result is the number of the transaction.
    case setup
    case savepoint(Int)
  }

  private enum State {
    case none, open
    case failed(Failure)
  }

  private struct Part {
    /// Index of its first command in the queue.
    var start: Int
    var hasSavepoint = false
  }

  private var queue: [Step] = []
  private var state = State.none
  /// The server may have begun it.
  private(set) var isSent = false
  /// The server's number for it, once it has responded.
  private(set) var number: Int?
  /// Whether it holds locks, so that it must not wait for another transaction.
  var hasLocks = false
  private var parts: [Part] = []

  // MARK: State

  var isOpen: Bool {
    if case .none = state { return false }
    return true
  }

  /// An error of one statement, after which the server runs no other.
  var failure: Failure? {
    if case .failed(let failure) = state { return failure }
    return nil
  }

  /// The steps that begin it are sent with its first statement.
  mutating func begin(_ steps: [Step]) {
    end()
    state = .open
    queue = steps
  }

  mutating func fail(_ failure: Failure) {
    if isOpen { state = .failed(failure) }
  }

  mutating func end() { self = PostgreSQLTransaction() }

  // MARK: Queue

  var queueLength: Int { queue.count }

  mutating func append(_ step: Step) { queue.append(step) }

  mutating func clearQueue() { queue.removeAll(keepingCapacity: true) }

  /// Takes what is queued and one more statement, to be sent together, with the savepoints that this requires.
  mutating func take(_ last: Step?, isChange: Bool) -> [Step] {
    addSavepoints(isChange: isChange)
    isSent = isOpen
    let steps = queue + (last.map { [$0] } ?? [])
    clearQueue()
    for index in parts.indices { parts[index].start = 0 }
    return steps
  }

  /// The server has run a step.
  mutating func note(_ step: Step, _ result: PostgreSQLResult) {
    switch step.role {
    case .statement: break
    case .setup: if case .integer(let number) = result.value(0, 0) { self.number = number }
    case .savepoint(let part): if part < parts.count { parts[part].hasSavepoint = true }
    }
  }

  // MARK: Parts

  /// A part gets a savepoint when something of it is sent that changes rows, or may have failed. Mostly it ends before,
  /// and then the queue alone has to be undone.
  mutating func beginPart() {
    parts.append(Part(start: queue.count))
  }

  mutating func endPart() {
    guard let part = parts.popLast(), part.hasSavepoint else { return }
    queue.append(Step(command: PostgreSQLCommand("RELEASE part\(parts.count)", name: nil)))
  }

  mutating func undoPart(isConnected: Bool) {
    guard let part = parts.popLast() else { return }
    guard part.hasSavepoint, isConnected else {
      queue = Array(queue.prefix(part.start))
      return
    }
    let name = "part\(parts.count)"
    state = .open
    queue = [
      Step(command: PostgreSQLCommand("ROLLBACK TO \(name)", name: nil)),
      Step(command: PostgreSQLCommand("RELEASE \(name)", name: nil)),
    ]
  }

  private mutating func addSavepoints(isChange: Bool) {
    var added = 0
    for index in parts.indices where !parts[index].hasSavepoint {
      let start = parts[index].start + added
      guard isChange || start < queue.count else { continue }
      let command = PostgreSQLCommand("SAVEPOINT part\(index)", name: nil)
      queue.insert(Step(command: command, role: .savepoint(index)), at: min(start, queue.count))
      added += 1
    }
  }
}
