import System

/// State of an engine's transaction: statements to be sent, and parts that can be undone alone.
struct PostgreSQLTransaction {
  struct Step {
    let command: PostgreSQLCommand
    var values = PostgreSQLStrings([])
    var role = Role.statement
  }

  enum Role {
    case statement
    case setup
    case savepoint(Int)
  }

  private struct Part {
    var start: Int
    var hasSavepoint = false
  }

  /// Steps to be sent with the next statement.
  var queue: [Step] = []
  private(set) var isOpen = false
  /// Error of a statement, after which the server runs no other.
  private(set) var failure: Failure?
  /// The server may have begun the transaction.
  private(set) var isSent = false
  /// Number of the transaction on the server; nil until its first response.
  private(set) var number: Int?
  /// Whether the transaction holds locks, so that it must not wait for another.
  var hasLocks = false
  private var parts: [Part] = []

  // MARK: State

  /// Begins with steps that are sent with the first statement.
  mutating func begin(_ steps: [Step]) {
    end()
    isOpen = true
    queue = steps
  }

  mutating func fail(_ failure: Failure) {
    if isOpen { self.failure = failure }
  }

  mutating func end() { self = PostgreSQLTransaction() }

  // MARK: Queue

  /// Takes the queue and one more statement, to be sent together, with the necessary savepoints.
  mutating func take(_ last: Step?, isChange: Bool) -> [Step] {
    addSavepoints(isChange: isChange)
    isSent = isOpen
    let steps = queue + (last.map { [$0] } ?? [])
    queue.removeAll(keepingCapacity: true)
    for index in parts.indices { parts[index].start = 0 }
    return steps
  }

  mutating func note(_ step: Step, _ result: PostgreSQLResult) {
    switch step.role {
    case .statement: break
    case .setup: if case .integer(let number) = result.value(0, 0) { self.number = number }
    case .savepoint(let part): if part < parts.count { parts[part].hasSavepoint = true }
    }
  }

  // MARK: Parts

  /// A part gets a savepoint only when a change is sent in it. Before that, undoing it shortens the queue.
  mutating func beginPart() { parts.append(Part(start: queue.count)) }

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
    failure = nil
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
