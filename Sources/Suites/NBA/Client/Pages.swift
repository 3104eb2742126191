import HTTP
import JSON
import System

/// A page of a list, and the cursor of the next one.
struct CursorPage<Item> {
  var items: [Item]
  /// The cursor of the next page; nil on the last page.
  var next: Int?
}

extension CursorPage {
  init(_ json: JSON, _ read: (JSON) throws(Failure) -> Item) throws(Failure) {
    items = []
    for item in try json["data"].array { items.append(try read(item)) }
    next = try json["meta"]["next_cursor"].orNull?.int
  }
}

struct PageRequest {
  /// The page begins behind the item with this id; nil for the first page.
  var cursor: Int?
  /// The largest number of items; nil for the service's own choice.
  var size: Int?
}

/// The pages of a list, each requested when it is needed.
struct Pages<Item: Identifiable<Int>> {
  private static var largestSize: Int { 100 }
  /// After so many empty pages in a row the list is not expected to end.
  private static var mostEmptyPages: Int { 100 }

  private let fetch: (PageRequest) throws(Failure) -> CursorPage<Item>
  /// The id of the item behind which the next page begins.
  private var last: Int?
  private(set) var isOver = false
  private var acceptsSize = true
  /// How many pages in a row had no items.
  private var emptyPages = 0
  private var stall: Failure?
  /// The ids of all items: one that changes meanwhile can be on two pages.
  private var known: Set<Int> = []

  init(_ fetch: @escaping (PageRequest) throws(Failure) -> CursorPage<Item>) {
    self.fetch = fetch
  }

  /// The items of the next page, at most `limit`; nil after the last.
  ///
  /// Items are sorted by id, so a cursor that does not grow would repeat pages forever. The page that came with it is
  /// returned, and the next call fails.
  mutating func next(atMost limit: Int = .max) throws(Failure) -> [Item]? {
    if let stall { throw stall }
    while !isOver {
      var page = try request(min(limit, Pages.largestSize))
      if page.items.count > limit {
        // The service has chosen the size. The surplus is requested again by the next call.
        page.items.removeLast(page.items.count - limit)
        page.next = page.items.last?.id
      }
      if let next = page.next, let last, next <= last {
        stall = Failure(
          .invalidData, "the cursor of the service does not advance: \(next) after \(last)",
          hint: "the service violates its contract")
      } else {
        last = page.next
        isOver = page.next == nil
      }
      page.items.removeAll { !known.insert($0.id).inserted }
      if !page.items.isEmpty {
        emptyPages = 0
        try Endpoint.checkRows(known.count)
        return page.items
      }
      emptyPages += 1
      if emptyPages == Pages.mostEmptyPages, !isOver {
        stall = Failure(
          .invalidData, "the service returned \(emptyPages) empty pages in a row",
          hint: "the service violates its contract")
      }
      if let stall { throw stall }
    }
    return nil
  }

  /// If the service refuses the size, requests a page of the service's own size.
  private mutating func request(_ size: Int) throws(Failure) -> CursorPage<Item> {
    do throws(Failure) {
      return try fetch(PageRequest(cursor: last, size: acceptsSize ? size : nil))
    } catch {
      guard acceptsSize, error.kind == .usage, case .response(_, let text?) = error.cause,
        text.contains("per_page")
      else { throw error }
      acceptsSize = false
      return try fetch(PageRequest(cursor: last, size: nil))
    }
  }
}
