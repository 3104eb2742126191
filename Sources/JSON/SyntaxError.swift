import System

/// Where a failure stands, in words: line, column and path.
extension Document {
  /// The failure that a fault in the grammar ends in. `offset` counts from the element's start, `filled` is the
  /// number of bytes there are.
  func failure(_ fault: Fault, at offset: Int, filled: Int, indexer: Indexer) -> Failure {
    let found = describe(offset, filled: filled)
    return complain(fault.message(found: found), offset: offset, path: steps(of: indexer))
  }

  func complain(_ sentence: String, offset: Int, path: [Step]) -> Failure {
    let place = place(of: unsafe body.pointee.start + offset)
    let way = Step.text(of: path)
    let at = way.isEmpty ? "" : ", at \(way)"
    return Failure(.invalidData, "line \(place.line), column \(place.column)\(at): \(sentence)")
  }

  private func describe(_ offset: Int, filled: Int) -> String {
    guard offset < filled else { return "the end" }
    let byte = unsafe base[offset]
    if byte < 0x20 || byte == 0x7F {
      let digits = String(byte, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    let length = unsafe UTF8Check.length(at: base + offset, atMost: filled - offset)
    let character = unsafe UnsafeBufferPointer(start: base + offset, count: max(1, length))
    return "'" + String(decoding: unsafe Array(character), as: UTF8.self) + "'"
  }

  /// The way to what the indexer was reading.
  private func steps(of indexer: Indexer) -> [Step] {
    let open = indexer.openContainers(self)
    var steps = root
    for (level, container) in open.enumerated() {
      let isLast = level == open.count - 1
      let target = isLast ? count : open[level + 1]
      // A value is under way everywhere but between two values and where a name is due.
      let isBetween = isLast && indexer.state != .value && indexer.state != .firstElement
      if let step = step(into: container, to: target), !isBetween { steps.append(step) }
    }
    return steps
  }

  /// The way to an entry of a complete index.
  func steps(to index: Int) -> [Step] {
    var steps = root
    var container = 0
    while container < index {
      var at = container + 1
      let isObject = firstByte(entry(container)) == UInt8(ascii: "{")
      // The child whose entries hold the one that is looked for.
      while true {
        let value = isObject ? at + 1 : at
        let next = value + entry(value).stride
        if index < next {
          if let step = step(into: container, to: value) { steps.append(step) }
          container = value
          break
        }
        at = next
      }
    }
    return steps
  }

  /// The way to the element that this is.
  var root: [Step] {
    let member = unsafe body.pointee.member.map { Step.name(Array($0.description.utf8)) }
    return unsafe [member, body.pointee.ordinal.map(Step.element)].compactMap { $0 }
  }

  /// The step from a container to its child at `target`.
  private func step(into container: Int, to target: Int) -> Step? {
    let isObject = firstByte(entry(container)) == UInt8(ascii: "{")
    var at = container + 1
    var number = 0
    while at < target {
      if isObject && at + 1 == target {
        var name: [UInt8] = []
        appendText(at, to: &name)
        return .name(name)
      }
      if isObject { at += 1 }
      at += entry(at).stride
      number += 1
    }
    return isObject ? nil : .element(number)
  }
}

/// What the grammar holds against a text.
enum Fault {
  // Something else stands where this must stand.
  case value, name, firstName, colon, nextMember, nextElement, digit, quote, blank, end
  case controlCharacter, escape, loneSurrogate, leadingZero, tooDeep, invalidUTF8, byteOrderMark

  /// What it comes to where the text ends: within a string, whatever is unfinished, the quote is missing.
  var atTheEnd: Fault {
    switch self {
    case .controlCharacter, .escape, .loneSurrogate: .quote
    default: self
    }
  }

  /// The sentence, given what stands at the place.
  func message(found: String) -> String {
    switch self {
    case .value: "expected a value, found \(found)"
    case .name: "expected a name in quotes, found \(found)"
    case .firstName: "expected a name in quotes or '}', found \(found)"
    case .colon: "expected ':', found \(found)"
    case .nextMember: "expected ',' or '}', found \(found)"
    case .nextElement: "expected ',' or ']', found \(found)"
    case .digit: "expected a digit, found \(found)"
    case .quote: "expected a closing quote, found \(found)"
    case .blank: "expected white space after a value, found \(found)"
    case .end: "expected the end, found \(found)"
    case .controlCharacter: "a string holds the control character \(found): write it as an escape"
    case .escape: "a string holds an escape that JSON does not have"
    case .loneSurrogate: "half a surrogate pair in a string"
    case .leadingZero: "a number begins with a needless 0"
    case .tooDeep: "nested deeper than \(Indexer.maximumDepth) levels"
    case .invalidUTF8: "invalid UTF-8"
    case .byteOrderMark: "a byte order mark, which JSON does not allow: remove the first three bytes"
    }
  }
}
