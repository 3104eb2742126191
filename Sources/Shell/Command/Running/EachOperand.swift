import Output
import System

extension Context {
  /// Writes a row for each operand as soon as it is made; `-` reads operands from standard input, one per line. Of
  /// several operands, a failing one is reported and the others are processed.
  public func writeEach<R: Row>(
    _ operands: [String], _ row: (String) throws(Failure) -> R
  ) throws(Failure) {
    let count = operands.contains("-") ? Int.max : operands.count
    try output.write(each: R.self) { rows throws(Failure) in
      func write(_ operand: String) throws(Failure) {
        let made = try attempt(oneOf: count) { () throws(Failure) in try row(operand) }
        if let made { try rows.write(made) }
      }
      for operand in operands {
        guard operand == "-" else {
          try write(operand)
          continue
        }
        var lines = LineReader(input)
        while let line = try lines.nextText() {
          if !line.trimmed.isEmpty { try write(line.trimmed) }
        }
      }
    }
  }
}
