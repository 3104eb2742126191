import System

/// What was reported to the user, line by line: pass `add` where a report is expected.
public final class RecordedMessages {
  public private(set) var lines: [String] = []

  public init() {}

  public func add(_ line: String) { lines.append(line) }
}

/// The failure that `body` ends with, or nil.
public func failure(_ body: () throws -> some Any) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}
