import System

@testable import Output

extension Driver {
  /// `hw rows` in every format: what one says the others say as well.
  static let rows = Driver(name: "rows", round: 30) { home in
    let mutator = Mutator(JSONSamples.texts.filter { $0.count < 2000 }, tokens: JSONSamples.tokens)
    return Attack(make: { mutator.make(&$0) }) { input in
      try RowsJudge(input: input, surroundings: .init(home: home)).problem()
    }
  }
}

private struct RowsJudge {
  let input: [UInt8]
  var surroundings: Ran.Surroundings

  init(input: [UInt8], surroundings: Ran.Surroundings) {
    self.input = input
    self.surroundings = surroundings
    self.surroundings.input = input
  }

  private func run(_ options: String...) -> Ran { Ran(["rows"] + options, in: surroundings) }

  func problem() throws -> String? {
    let expected = NaiveJSON.stream(input, concatenated: true)
    let json = run("--json")
    let lines = run("--jsonl")
    let csv = run("--csv", "--no-header", "--fields", "a,id,at.x")
    let tsv = run("--tsv", "--no-header", "--fields", "a,id,at.x")
    let chosen = run("--jsonl", "--fields", "a,id,at.x")
    var terminal = surroundings
    terminal.isOnTerminal = true
    let table = Ran(["rows"], in: terminal)
    let cleaned = Ran(["rows", "--csv"], in: terminal)
    for (ran, name) in [(json, "json"), (lines, "jsonl"), (csv, "csv"), (tsv, "tsv"), (chosen, "jsonl")] {
      if let problem = ran.problem(after: ["rows", "--\(name)"]) {
        return "\(name): \(problem)"
      }
      if ran.status != (expected.isWhole ? 0 : 2) { return "\(name): status \(ran.status)" }
    }
    for (ran, name, isWhole) in [
      (table, "table", expected.isWhole), (cleaned, "csv", expected.isWhole && fitFirst(expected.values)),
    ] {
      if let problem = ran.problem(after: ["rows"], isOnTerminal: true) {
        return "\(name) on a terminal: \(problem)"
      }
      if ran.status != (isWhole ? 0 : 2) { return "\(name) on a terminal: status \(ran.status)" }
    }
    let values = expected.values
    if expected.isWhole, NaiveJSON(json.output) != .array(values) { return "json has other rows" }
    let texts = lines.output.split(separator: 0x0A).map(Array.init)
    guard texts.count == values.count else { return "jsonl has \(texts.count) lines, not \(values.count)" }
    for (text, value) in zip(texts, values) where NaiveJSON(text) != value { return "jsonl has other rows" }

    let records = try records(csv.output)
    let tabbed = tsv.output.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map(untabbed)
    let selected = chosen.output.split(separator: 0x0A).compactMap { NaiveJSON(Array($0)) }
    guard records.count == values.count, tabbed.count == values.count, selected.count == values.count else {
      return
        "csv has \(records.count) records, tsv \(tabbed.count), jsonl \(selected.count), not \(values.count)"
    }
    for (index, record) in records.enumerated() {
      if record != tabbed[index] { return "csv and tsv differ in row \(index)" }
      let values = [["a"], ["id"], ["at", "x"]].map { selected[index].member($0) }
      for (cell, value) in zip(record, values) {
        let same =
          switch value {
          case nil: false
          case .null: cell.isEmpty
          case .bool(let value): cell == Array("\(value)".utf8)
          case .number(let text), .string(let text): cell == text
          case .array, .object: NaiveJSON(cell) == value
          }
        if !same { return "csv and jsonl differ in row \(index)" }
      }
    }
    return nil
  }

  /// Whether no row has a name that the first one lacks, as CSV needs without '--fields'.
  private func fitFirst(_ rows: [NaiveJSON]) -> Bool {
    func names(_ row: NaiveJSON) -> Set<[UInt8]> {
      guard case .object(let members) = row else { return [Array("value".utf8)] }
      return Set(members.map(\.name))
    }
    guard let first = rows.first.map(names) else { return true }
    return rows.allSatisfy { names($0).isSubset(of: first) }
  }

  private func records(_ bytes: [UInt8]) throws -> [[[UInt8]]] {
    var reader = CSVReader(MemorySource(bytes))
    var records: [[[UInt8]]] = []
    while let record = try reader.next() { records.append(record.fields.map { Array($0.utf8) }) }
    return records
  }

  private func untabbed(_ line: ArraySlice<UInt8>) -> [[UInt8]] {
    line.split(separator: 0x09, omittingEmptySubsequences: false).map { field in
      var bytes: [UInt8] = []
      var rest = field
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
          bytes.append(byte)
          continue
        }
        switch letter {
        case UInt8(ascii: "t"): bytes.append(9)
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "r"): bytes.append(13)
        default: bytes.append(letter)
        }
      }
      return bytes
    }
  }
}
