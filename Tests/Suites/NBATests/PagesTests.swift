import JSON
import System
import TestSupport
import Testing

@testable import NBA

/// Pages that are empty, full, or of a size that the service refuses.
@Suite struct PagesTests {
  private struct Numbered: Identifiable {
    let id: Int
  }

  /// The pages of an older interface, and full pages that say nothing of others.
  @Test(arguments: [
    (100, "", true), (99, "", false), (100, #","meta":null"#, true),
    (100, #","meta":{"per_page":100}"#, false), (2, #","meta":{"next_page":2}"#, true),
    (2, #","meta":{"next_page":null}"#, false), (2, #","meta":{"next_page":2,"next_cursor":2}"#, false),
  ])
  func pageWithoutTheCursorOfTheNextIsInvalid(count: Int, meta: String, isInvalid: Bool) throws {
    let rows = (1...count).map { "{\"id\":\($0)}" }.joined(separator: ",")
    var pages = Pages { _ throws(Failure) in
      try CursorPage(JSON.parse("{\"data\":[\(rows)]\(meta)}")) { json throws(Failure) in
        Numbered(id: try json["id"].int)
      }
    }
    let found = failure { _ = try pages.next() }
    #expect(found?.kind == (isInvalid ? .invalidData : nil), "\(found as Any)")
  }

  /// Items and, behind `>`, the cursor of the next page.
  private static func page(_ text: String) -> CursorPage<Numbered> {
    let sides = text.split(separator: ">", omittingEmptySubsequences: false)
    return CursorPage(
      items: sides[0].split(separator: " ").map { Numbered(id: Int($0) ?? 0) },
      next: sides.dropFirst().first.flatMap { Int($0) })
  }

  /// What is returned, call by call, between it what is requested behind which item, and how many pages were not.
  @Test(arguments: [
    ("1 2>2, 5>5, 9", Int.max, "1 2, from 2, 5, from 5, 9, end"),
    // Nothing is left, so nothing is cut off and nothing more is requested.
    ("7 8, 9", 2, "7 8, end, 1 left"),
    // The rest comes another time.
    ("7 8, 8", 1, "7, from 7, 8, end"), ("1 2 3>3, 3 4", 2, "1 2, from 2, 3 4, end"),
    // An item of two pages is returned once, and an empty page is not.
    ("1 2>2, 2 3 1", .max, "1 2, from 2, 3, end"), (">4, 5", .max, "from 4, 5, end"), ("", .max, "end"),
    // What does not advance ends the list after the page with which it came.
    ("1 2>2, 3>2, 9", .max, "1 2, from 2, 3, invalidData, 1 left"),
    ("1 2>2, 3>1, 9", .max, "1 2, from 2, 3, invalidData, 1 left"),
    ("1>2, >2, 9", .max, "1, from 2, invalidData, 1 left"),
  ])
  func pagesAreReturned(sent: String, limit: Int, returned: String) {
    var left = sent.split(separator: ", ", omittingEmptySubsequences: false).map { Self.page(String($0)) }
    var found: [String] = []
    var pages = Pages<Numbered> { place in
      if let cursor = place.cursor { found.append("from \(cursor)") }
      return left.isEmpty ? Self.page("0") : left.removeFirst()
    }
    let ended = failure {
      while let items = try pages.next(atMost: limit) {
        found.append(items.map { "\($0.id)" }.joined(separator: " "))
      }
    }
    found.append(ended.map { "\($0.kind)" } ?? "end")
    #expect(pages.isOver == (ended == nil))
    if !left.isEmpty { found.append("\(left.count) left") }
    #expect(found.joined(separator: ", ") == returned)
    #expect(ended?.message.contains("does not advance") != false)
  }

  @Test(arguments: [99, 100]) func emptyPagesWithoutEndAreAnError(count: Int) {
    var number = 0
    var pages = Pages<Numbered> { _ in
      number += 1
      return number > count ? Self.page("1000") : Self.page(">\(number)")
    }
    let ended = failure { try pages.next() }
    #expect(ended?.kind == (count < 100 ? nil : .invalidData) && number == 100)
  }

  /// A service whose list does not end.
  @Test func listOfTooManyRowsIsInvalidData() throws {
    var first = 0
    var pages = Pages<Numbered> { _ in
      first += 100
      return CursorPage(items: (first - 99...first).map { Numbered(id: $0) }, next: first)
    }
    for _ in 1...1000 { #expect(try pages.next()?.count == 100) }
    let found = failure { _ = try pages.next() }
    #expect(found?.kind == .invalidData && found?.message == "the list has more than 100000 rows")
  }
}
