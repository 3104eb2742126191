extension JSON {
  /// The elements of an array, in order.
  public struct Elements: Sequence, IteratorProtocol {
    let document: Document
    var at: Int
    let end: Int

    init(document: Document, container: Int) {
      self.document = document
      at = container + 1
      end = container + document.entry(container).length
    }

    public mutating func next() -> JSON? {
      guard at < end else { return nil }
      defer { at += document.entry(at).stride }
      return JSON(document: document, index: at)
    }

    public var isEmpty: Bool { at >= end }

    /// How many are left: it counts them.
    public var count: Int { reduce(0) { count, _ in count + 1 } }

    public var underestimatedCount: Int { 0 }
  }

  /// The members of an object, in order, a name that stands twice included.
  public struct Members: Sequence, IteratorProtocol {
    let document: Document
    var at: Int
    let end: Int

    init(document: Document, container: Int) {
      self.document = document
      at = container + 1
      end = container + document.entry(container).length
    }

    public mutating func next() -> (key: String, value: JSON)? {
      let name = at
      guard let value = nextValue() else { return nil }
      return (document.string(name), value)
    }

    /// The same without the name, which costs more than to pass over it.
    public mutating func nextValue() -> JSON? {
      guard at < end else { return nil }
      defer { at += 1 + document.entry(at + 1).stride }
      return JSON(document: document, index: at + 1)
    }

    public var isEmpty: Bool { at >= end }

    /// How many are left: it counts them.
    public var count: Int {
      var count = 0
      var at = at
      while at < end {
        at += 1 + document.entry(at + 1).stride
        count += 1
      }
      return count
    }

    public var underestimatedCount: Int { 0 }
  }
}
