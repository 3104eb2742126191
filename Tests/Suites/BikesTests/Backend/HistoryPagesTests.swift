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
    try server.backend.database.transaction { () throws(Failure) in
      for number in 1...101 {
        _ = try server.backend.database.run(
          """
          INSERT INTO rental (bike, rented_at, from_latitude, from_longitude, returned_at)
          VALUES (1, ?, 50, 8, 9)
          """, [.integer(number)])
      }
    }
    for (query, count) in [("", 100), ("?limit=101", 101), ("?limit=102", 101), ("?limit=10000", 101)] {
      let entries = try JSON.parse(server.ask(.get, "/rentals\(query)").text)
      #expect(try entries.array.count == count, "\(query)")
      #expect(try entries[0]["at"].int == 101)
    }
  }

  @Test func thePageBehindTheLastOneIsEmpty() throws {
    let server = try TestServer()
    try server.ask(.put, "/bikes/1/rented")
    try server.ask(.delete, "/bikes/1/rented")
    try server.ask(.delete, "/bikes/1")
    let first = try #require(try server.client.rentals(of: "1", limit: 9).last?.id)
    #expect(try server.client.rentals(of: "1", limit: 9, before: first).isEmpty, "of a bike that is gone")
    #expect(try server.ask(.get, "/rentals?before=1").text == "[]")
  }

  @Test func anEditThatChangesNothingIsNone() throws {
    let server = try TestServer()
    #expect(try server.ask(.patch, "/bikes/1", #"{"name":"Hans"}"#).status == 200)
    #expect(try server.client.rentals(of: "1", limit: 9).isEmpty)
    for (body, words) in [
      ("{}", "expected one or more of name, color, pin, location and state"),
      (#"{"pin":"12"}"#, "four digits"),
      (#"{"name":""}"#, "empty"), (#"{"location":{"latitude":91,"longitude":8}}"#, "latitude"),
      ("[]", "expected"),
    ] {
      let answer = try server.ask(.patch, "/bikes/1", body)
      #expect(answer.status == 400 && answer.text.contains(words), "\(answer.text)")
    }
    #expect(try server.ask(.patch, "/bikes/77", #"{"name":"Hans"}"#).status == 404)
    #expect(try server.client.bike("1").name == "Hans")
  }
}
