import Command
import JSON
import Output
import System

/// Reads the rows of one file, numbered from 1: elements of arrays, or values one after another. With a path it reads
/// the elements of the array at the path in each value.
struct RowInput: ~Copyable {
  private var stream: JSONStream
  private let path: JSON.Path?
  private let file: String?
  private var number = 0
  private var elements: JSON.Elements?

  init(_ source: any ByteSource, at path: JSON.Path?, file: String?) {
    stream = JSONStream(source, concatenated: true)
    self.path = path
    self.file = file
  }

  mutating func next() throws(Failure) -> UndeclaredRow? {
    do throws(Failure) {
      guard let json = try nextValue() else { return nil }
      number += 1
      return UndeclaredRow(json, number: number, file: file)
    } catch {
      var failure = error.asInput
      if number == 0, failure.kind == .usage, path == nil {
        failure.hint = "rows reads JSON or JSON Lines; mlr or duckdb convert CSV and TSV"
      }
      if failure.kind == .usage, file != nil {
        failure.message = UndeclaredRow.failure(error.message, number: number + 1, file: file).message
      }
      throw failure
    }
  }

  private mutating func nextValue() throws(Failure) -> JSON? {
    guard let path else { return try stream.next() }
    while true {
      if let element = elements?.next() { return element }
      // The next value can use the memory.
      elements = nil
      guard let value = try stream.next() else { return nil }
      elements = try value[path].array
    }
  }
}
