import System

/// Waits for what no descriptor, process or semaphore announces, such as a file that another process writes, by
/// looking again and again. Past the limit it throws, and the error says what it waited for.
public func waitUntil(
  _ description: String, within limit: Duration = .seconds(60), _ isTrue: () throws -> Bool
) throws {
  _ = try waitFor(description, within: limit) { try isTrue() ? true : nil }
}

/// Looks until there is a value, and returns it.
public func waitFor<Value>(
  _ description: String, within limit: Duration = .seconds(60), _ value: () throws -> Value?
) throws -> Value {
  let time = SystemTime()
  let end = time.uptime() + limit
  while true {
    if let value = try value() { return value }
    guard time.uptime() < end else { throw WaitedInVain(description: "waited \(limit) for \(description)") }
    try time.sleep(for: .milliseconds(5))
  }
}

/// What was waited for did not happen in time.
struct WaitedInVain: Error, CustomStringConvertible {
  let description: String
}

extension ScratchDirectory {
  /// Waits until the file has such a text, by default any, and returns the text.
  @discardableResult public func wait(
    for name: String, within limit: Duration = .seconds(60),
    until isWanted: (String) -> Bool = { !$0.isEmpty }
  ) throws -> String {
    try waitFor("'\(name)' to be written", within: limit) {
      let text = text(name)
      return isWanted(text) ? text : nil
    }
  }
}
