import Command
import JSON
import Output
import System

/// The rows of one file, numbered from 1: elements of arrays, or values one after another. With a path they are the
/// elements of the array that is at the path in each value.
struct RowInput: ~Copyable {
  private var stream: JSONStream
  private let path: JSON.Path?
  private let file: String?
  private var number = 0
  /// The rest of the array at the path.
  private var elements: JSON.Elements?
  private var isInValue = false

  init(_ source: any ByteSource, at path: JSON.Path?, file: String?) {
    stream = JSONStream(source, concatenated: true)
    self.path = path
    self.file = file
  }

  /// The next row. One that cannot be read is handed to `skip`, if there is one and the input can be read behind it.
  mutating func next(skip: ((Failure) -> Void)?) throws(Failure) -> UndeclaredRow? {
    while true {
      do throws(Failure) {
        guard let json = try nextValue() else { return nil }
        number += 1
        return UndeclaredRow(json, number: number, file: file)
      } catch {
        number += 1
        var failure = error.asInput
        if failure.kind == .usage, skip != nil || file != nil {
          failure.message = UndeclaredRow.failure(error.message, number: number, file: file).message
        }
        guard let skip, failure.kind == .usage, try passFailure() else { throw failure }
        skip(failure)
      }
    }
  }

  private mutating func nextValue() throws(Failure) -> JSON? {
    guard let path else { return try stream.next() }
    while true {
      if let element = elements?.next() { return element }
      // Dropped before the next value is read, which can then use its memory.
      elements = nil
      isInValue = false
      guard let value = try stream.next() else { return nil }
      isInValue = true
      elements = try value[path].array
    }
  }

  /// Goes behind the row that `nextValue` failed at; false if no end of it can be found.
  private mutating func passFailure() throws(Failure) -> Bool {
    if isInValue { return true }
    return try stream.skipLine() != nil
  }
}
