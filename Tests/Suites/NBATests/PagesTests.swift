import System
import TestSupport
import Testing

@testable import NBA

/// Pages that are empty, full, or of a size that the service refuses.
@Suite struct PagesTests {
  private struct Numbered: Identifiable {
    let id: Int
  }

  private static func page(_ ids: [Int], next: Int?) -> CursorPage<Numbered> {
    CursorPage(items: ids.map { Numbered(id: $0) }, next: next)
  }

  /// Nothing is left, so nothing is cut off and nothing more is requested.
  @Test func aLastPageMayBeAsLongAsTheLimit() throws {
    var count = 0
    var pages = Pages<Numbered> { _ in
      count += 1
      return Self.page([7, 8], next: nil)
    }
    #expect(try pages.next(atMost: 2)?.map(\.id) == [7, 8])
    #expect(pages.isOver)
    #expect(try pages.next(atMost: 2) == nil)
    #expect(count == 1)
  }

  @Test func anEmptyPageIsNotReturned() throws {
    var left = [Self.page([], next: 4), Self.page([5], next: nil)]
    var pages = Pages<Numbered> { _ in left.removeFirst() }
    #expect(try pages.next()?.map(\.id) == [5])
    #expect(try pages.next() == nil)
    var none = Pages<Numbered> { _ in Self.page([], next: nil) }
    #expect(try none.next() == nil)
  }

  @Test(arguments: [99, 100]) func emptyPagesWithoutEndAreAnError(count: Int) {
    var number = 0
    var pages = Pages<Numbered> { _ in
      number += 1
      return number > count ? Self.page([1000], next: nil) : Self.page([], next: number)
    }
    let ended = failure { try pages.next() }
    #expect(ended?.kind == (count < 100 ? nil : .invalidData) && number == 100)
  }

  /// There is nothing to return first.
  @Test func anEmptyPageThatDoesNotAdvanceIsAnErrorAtOnce() throws {
    var left = [Self.page([1], next: 2), Self.page([], next: 2), Self.page([99], next: nil)]
    var pages = Pages<Numbered> { _ in left.removeFirst() }
    #expect(try pages.next()?.map(\.id) == [1])
    #expect(failure { try pages.next() }?.kind == .invalidData)
    #expect(left.count == 1)
  }

  /// Where the size is not the reason, another request would fail in the same way.
  @Test func theSizeIsLeftOutOnce() {
    var sizes: [Int?] = []
    var kind = Failure.Kind.usage
    var pages = Pages<Numbered> { place throws(Failure) in
      sizes.append(place.size)
      throw Failure(kind, "refused", cause: .response(status: 400, text: "per_page is not known"))
    }
    for _ in 0..<2 { #expect(failure { try pages.next(atMost: 50) }?.kind == .usage) }
    #expect(sizes == [50, nil, nil])
    (sizes, kind) = ([], .connection)
    var others = Pages<Numbered> { place throws(Failure) in
      sizes.append(place.size)
      throw Failure(kind, "refused", cause: .response(status: 400, text: "per_page is not known"))
    }
    #expect(failure { try others.next(atMost: 50) }?.kind == .connection)
    #expect(sizes == [50])
  }
}
