/// A value that one thread hands to another and does not touch again. That is the caller's promise: the compiler
/// cannot follow a client through a queue.
public struct UncheckedTransfer<Value>: @unchecked Sendable {
  public let value: Value

  public init(_ value: Value) {
    self.value = value
  }
}
