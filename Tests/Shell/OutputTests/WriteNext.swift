import JSON
import Output
import System

extension Output {
  /// Writes rows that are made one at a time, each before the next is made, except in a table.
  func write<R: Row>(next: () throws(Failure) -> R?) throws(Failure) {
    try write(each: R.self) { rows throws(Failure) in
      while !rows.isFull, let row = try next() { try rows.write(row) }
    }
  }

  /// Writes values, which are numbered in the order of their arrival.
  @discardableResult
  func write(next: () throws(Failure) -> JSON?) throws(Failure) -> [String] {
    var number = 0
    return try write { () throws(Failure) -> UndeclaredRow? in
      number += 1
      return try next().map { UndeclaredRow($0, number: number) }
    }
  }
}
