/// A small fault that can be switched on in the rewritten sources: `number` is what selects it.
struct Mutant {
  var number = 0
  let file: String
  let module: String
  let line: Int
  /// The function around it, by its lines: an error of the compiler may be reported at its end.
  let function: ClosedRange<Int>
  /// What kind of fault it is, such as "comparison".
  let kind: String
  /// The change, for people.
  let change: String
  /// Where text is put in, in bytes from the start of the file. `§` stands for the question whether it is on.
  let edits: [Edit]

  struct Edit {
    let start: Int
    let end: Int
    let text: String
  }

  var extent: Range<Int> { (edits.map(\.start).min() ?? 0)..<((edits.map(\.end).max() ?? 0) + 1) }

  var description: String { "\(file):\(line): \(kind): \(change)" }
}

extension [Mutant] {
  /// The text with every mutant in it. The lines keep their numbers.
  func applied(to text: [UInt8]) -> [UInt8] {
    let edits = flatMap { mutant in mutant.edits.map { (mutant.number, $0) } }
    var text = text
    for (number, edit) in edits.sorted(by: { $0.1.start > $1.1.start }) {
      let parts = edit.text.split(separator: "§", omittingEmptySubsequences: false)
      let new = parts.joined(separator: "hwMutant(\(number))")
      text.replaceSubrange(edit.start..<edit.end, with: [UInt8](new.utf8))
    }
    return text
  }
}
