import HTTP
import JSON
import System

struct CursorPage<Item> {
  var items: [Item]
  var next: Int?
  /// Whether the page has no cursor although there are more items, or may be.
  var lacksCursor = false
}

extension CursorPage {
  init(_ json: JSON, _ read: (JSON) throws(Failure) -> Item) throws(Failure) {
    items = []
    for item in try json["data"].array { items.append(try read(item)) }
    var meta = try json["meta"].orNull?.inOrder
    next = try meta?.intOrNull("next_cursor")
    lacksCursor =
      next == nil
      && (meta == nil ? items.count >= PageRequest.largestSize : json["meta"]["next_page"].orNull != nil)
  }
}

struct PageRequest {
  /// The page begins after the item with this id; nil for the first page.
  var cursor: Int?
  var size = largestSize

  static let largestSize = 100
}

/// The pages of a list, requested as needed.
struct Pages<Item: Identifiable<Int>> {
  private let fetch: (PageRequest) throws(Failure) -> CursorPage<Item>
  private var cursor: Int?
  private(set) var isOver = false
  private var emptyPages = 0
  private var stall: Failure?
  /// The ids of all items: an item that changes between two requests can be on two pages.
  private var known: Set<Int> = []

  init(_ fetch: @escaping (PageRequest) throws(Failure) -> CursorPage<Item>) { self.fetch = fetch }

  /// The items of the next page, at most `limit`; nil after the last page. Items are sorted by id, so a cursor that
  /// does not grow would repeat pages forever: its page is returned, and the next call fails.
  mutating func next(atMost limit: Int = .max) throws(Failure) -> [Item]? {
    if let stall { throw stall }
    while !isOver {
      var page = try fetch(PageRequest(cursor: cursor, size: min(limit, PageRequest.largestSize)))
      if page.lacksCursor {
        throw Failure(
          .invalidData, "the service sent a page that is not the last, without 'meta.next_cursor'",
          hint: "the service violates its contract")
      }
      if page.items.count > limit {
        // The service ignored the size. The next call requests the surplus again.
        page.items.removeLast(page.items.count - limit)
        page.next = page.items.last?.id
      }
      if let next = page.next, let cursor, next <= cursor {
        stall = Failure(
          .invalidData, "the cursor of the service does not advance: \(next) after \(cursor)",
          hint: "the service violates its contract")
      } else {
        cursor = page.next
        isOver = page.next == nil
      }
      page.items.removeAll { !known.insert($0.id).inserted }
      if !page.items.isEmpty {
        emptyPages = 0
        try Endpoint.checkRows(known.count)
        return page.items
      }
      emptyPages += 1
      // After so many empty pages in a row the list is assumed to be endless.
      if emptyPages == 100, !isOver {
        stall = Failure(
          .invalidData, "the service returned \(emptyPages) empty pages in a row",
          hint: "the service violates its contract")
      }
      if let stall { throw stall }
    }
    return nil
  }
}
