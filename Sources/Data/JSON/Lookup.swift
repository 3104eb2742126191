/// Lookup in the index: names are compared as bytes, and containers skipped by one addition.
extension Document {
  func kind(_ index: Int) -> JSON.Kind {
    switch firstByte(entry(index)) {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .number
    }
  }

  /// Follows the path; returns the last existing value and how many steps led to it.
  func follow(_ path: JSON.Path, from index: Int) -> (index: Int, depth: Int) {
    var index = index
    let steps = path.steps.span
    for depth in steps.indices {
      guard let next = child(steps[depth], of: index) else { return (index, depth) }
      index = next
    }
    return (index, steps.count)
  }

  func child(_ step: Step, of index: Int) -> Int? {
    switch step {
    case .name(let name):
      return unsafe name.withUnsafeBufferPointer { unsafe member($0, of: index) }
    case .element(let number):
      return element(number, of: index)
    case .either(let name, let number):
      if let found = element(number, of: index) { return found }
      return unsafe name.withUnsafeBufferPointer { unsafe member($0, of: index) }
    }
  }

  func member(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Int? {
    let object = entry(index)
    guard firstByte(object) == UInt8(ascii: "{") else { return nil }
    let bytes = unsafe UnsafeRawPointer(base)
    let entries = unsafe body.pointee.entries
    // The first eight bytes of a name are compared as one word; the mask excludes those behind a shorter name.
    var head: UInt64 = 0
    for offset in 0..<min(8, name.count) { head |= unsafe UInt64(name[offset]) << UInt64(8 * offset) }
    let mask: UInt64 = name.count >= 8 ? .max : (1 << UInt64(8 * name.count)) - 1
    let plainInfo = UInt32(truncatingIfNeeded: name.count + 2)
    // An empty name has no address.
    let wanted = unsafe UnsafeRawBufferPointer(name).baseAddress ?? bytes

    var found: Int?
    var at = index + 1
    let end = index + object.length
    while at < end {
      let entry = unsafe entries[at]
      if entry.info == plainInfo {
        let text = unsafe bytes + Int(entry.start) + 1
        let word = unsafe UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
        if unsafe (word ^ head) & mask == 0 && Document.isSame(text, wanted, name.count, from: 8) {
          found = at + 1
        }
      } else if entry.isComplex, unsafe unescaped(at, equals: name) {
        found = at + 1
      }
      at += unsafe 1 + entries[at + 1].stride
    }
    return found
  }

  private func unescaped(_ index: Int, equals name: UnsafeBufferPointer<UInt8>) -> Bool {
    var text: [UInt8] = []
    appendText(index, to: &text)
    return unsafe text.elementsEqual(name)
  }

  func element(_ number: Int, of index: Int) -> Int? {
    let array = entry(index)
    guard number >= 0, firstByte(array) == UInt8(ascii: "[") else { return nil }
    var at = index + 1
    let end = index + array.length
    var left = number
    while at < end {
      if left == 0 { return at }
      left -= 1
      at += entry(at).stride
    }
    return nil
  }

  // MARK: Paths of values

  /// Path of the value that the indexer reads.
  func steps(of indexer: Indexer) -> [Step] {
    let open = indexer.openContainers(self)
    var steps = root
    for (level, container) in open.enumerated() {
      let isLast = level == open.count - 1
      let target = isLast ? entryCount : open[level + 1]
      // Between values, the innermost container has no value that is being read.
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

  /// Steps to the element in its stream.
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
