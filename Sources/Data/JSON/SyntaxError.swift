import System

enum SyntaxError {
  // Something else was found where this was expected.
  case value, name, firstName, colon, nextMember, nextElement, digit, quote, blank, end
  case controlCharacter, escape, loneSurrogate, leadingZero, tooDeep, tooManyValues, invalidUTF8,
    byteOrderMark, secondName

  /// Error if the text ends here: inside a string, a missing quote.
  var atTheEnd: SyntaxError {
    switch self {
    case .controlCharacter, .escape, .loneSurrogate: .quote
    default: self
    }
  }

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
    case .tooManyValues: "too many values for the size of the text"
    case .invalidUTF8: "invalid UTF-8"
    case .secondName: "expected another name, found the one of the array before"
    case .byteOrderMark: "a byte order mark, which JSON does not allow: remove the first three bytes"
    }
  }
}

extension Document {
  /// Failure of a syntax error. `offset` is relative to the element's start, and `filled` the number of bytes.
  func failure(_ syntaxError: SyntaxError, at offset: Int, filled: Int, indexer: Indexer) -> Failure {
    let found = describe(offset, filled: filled)
    return failure(syntaxError.message(found: found), offset: offset, path: steps(of: indexer))
  }

  func failure(_ message: String, offset: Int, path: [Step]) -> Failure {
    let position = position(of: unsafe body.pointee.start + offset)
    let at = path.isEmpty ? "" : ", at \(Step.brief(of: path))"
    return Failure(
      .invalidData, "line \(position.line), column \(position.column)\(at): \(message)",
      cause: .input(line: position.line))
  }

  private func describe(_ offset: Int, filled: Int) -> String {
    guard offset < filled else { return "the end" }
    let byte = unsafe base[offset]
    if byte < 0x20 || byte == 0x7F {
      return "U+\(String(byte, radix: 16, uppercase: true).zeroPadded(to: 4))"
    }
    let length = unsafe UTF8Check.length(at: base + offset, atMost: filled - offset)
    let character = unsafe UnsafeBufferPointer(start: base + offset, count: max(1, length))
    return "'" + String(decoding: unsafe Array(character), as: UTF8.self) + "'"
  }

  private func steps(of indexer: Indexer) -> [Step] {
    let open = indexer.openContainers(self)
    var steps = root
    for (level, container) in open.enumerated() {
      let isLast = level == open.count - 1
      let target = isLast ? entryCount : open[level + 1]
      // In the other states the innermost container has no value that is being read.
      let isBetween = isLast && indexer.state != .value && indexer.state != .firstElement
      if let step = step(into: container, to: target), !isBetween { steps.append(step) }
    }
    return steps
  }

  func steps(to index: Int) -> [Step] {
    var steps = root
    var container = 0
    while container < index {
      var at = container + 1
      let isObject = firstByte(entry(container)) == UInt8(ascii: "{")
      // Finds the child that contains the entry.
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

  var root: [Step] {
    let member = unsafe body.pointee.member.map { Step.name(Array($0.description.utf8)) }
    return unsafe [member, body.pointee.ordinal.map(Step.element)].compactMap { $0 }
  }

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
