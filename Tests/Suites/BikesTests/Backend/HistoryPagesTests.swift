import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Bikes

@Suite(installed, .eachEngine) struct HistoryPages {
  @Test func everyEntryIsOnOnePage() throws {
    let server = try TestServer()
    for _ in 0..<7 {
      try server.ask(.put, "/bikes/1/rented")
      try server.ask(.delete, "/bikes/1/rented")
    }
    try server.ask(
      .patch, "/bikes/2", #"{"name":"Tom","pin":"9999","location":{"latitude":50,"longitude":8}}"#)
    let whole = try server.client.rentals(of: nil, limit: 100)
    #expect(whole.count == 8 && whole[0].changed == ["name", "pin", "location"])
    for size in [1, 3, 8, 9] {
      var pages: [Rental] = []
      while true {
        let page = try server.client.rentals(of: nil, limit: size, before: pages.last?.id)
        if page.isEmpty { break }
        #expect(page.count <= size)
        pages += page
      }
      #expect(pages == whole)
    }
    #expect(try server.client.rentals(of: "2", limit: 9, before: whole[0].id).isEmpty)
    for text in ["0", "-1", "x", ""] {
      #expect(try server.ask(.get, "/rentals?before=\(text)").status == 400)
    }
  }

  @Test func aPageHas100EntriesWithoutALimit() throws {
    let server = try TestServer()
    try server.addRentals(101)
    for (query, count) in [("", 100), ("?limit=101", 101), ("?limit=102", 101), ("?limit=10000", 101)] {
      let entries = try JSON.parse(server.ask(.get, "/rentals\(query)").text)
      #expect(try entries.array.count == count, "\(query)")
      #expect(try entries[0]["at"].int == 101)
    }
  }
}
