import JSON
import System

/// A part of a long list, and where the next one begins.
struct Page<Item> {
  var items: [Item]
  /// Nil on the last page.
  var next: Int?

  init(items: [Item], next: Int?) {
    self.items = items
    self.next = next
  }

  init(_ json: JSON, _ read: (JSON) throws(Failure) -> Item) throws(Failure) {
    items = []
    for item in try json["data"].array { items.append(try read(item)) }
    let cursor = json["meta"]["next_cursor"]
    guard let present = cursor.orNull else {
      next = nil
      return
    }
    // It is the number of an item, and stays it between quotation marks.
    guard present.kind == .string else {
      next = try present.int
      return
    }
    guard let number = Int(try present.string) else {
      throw present.invalid("expected the number of an item, found '\(try present.string)'")
    }
    next = number
  }
}

/// The pages of a list, one after the other, each asked for when it is wanted.
struct Pages<Item: Identifiable<Int>> {
  /// Where to ask next, and for how many at most.
  struct Place {
    var cursor: Int?
    var size: Int?
  }

  static var largest: Int { 100 }

  private let fetch: (Place) throws(Failure) -> Page<Item>
  /// The item behind which the next page begins.
  private var last: Int?
  private(set) var isOver = false
  private var takesSize = true
  private var standstill: Failure?

  init(from cursor: Int? = nil, _ fetch: @escaping (Place) throws(Failure) -> Page<Item>) {
    last = cursor
    self.fetch = fetch
  }

  /// What `--cursor` takes to go on from here; nil where nothing comes any more.
  var cursor: Int? { isOver || standstill != nil ? nil : last }

  /// The items of the next page, at most `limit`; nil after the last.
  ///
  /// Items come in the order of their numbers, so a cursor that does not grow would lead round in a circle: after the
  /// page that came with it there is a failure instead of another.
  mutating func next(atMost limit: Int = .max) throws(Failure) -> [Item]? {
    if let standstill { throw standstill }
    while !isOver {
      var page = try ask(min(limit, Pages.largest))
      if page.items.count > limit {
        // A service that chose the size itself: what is too much comes another time.
        page.items.removeLast(page.items.count - limit)
        page.next = page.items.last?.id
      }
      if let next = page.next, let last, next <= last {
        standstill = Failure(
          .invalidData, "the cursor of the service does not advance: \(next) after \(last)",
          hint: "the service does not keep to its contract; try '--cursor' with a larger number")
      } else {
        last = page.next
        isOver = page.next == nil
      }
      if !page.items.isEmpty { return page.items }
      if let standstill { throw standstill }
    }
    return nil
  }

  /// A service that does not like the size of the page is asked for its own.
  private mutating func ask(_ size: Int) throws(Failure) -> Page<Item> {
    do throws(Failure) {
      return try fetch(Place(cursor: last, size: takesSize ? size : nil))
    } catch {
      guard takesSize, error.kind == .usage, error.message.contains("per_page") else { throw error }
      takesSize = false
      return try fetch(Place(cursor: last, size: nil))
    }
  }
}
