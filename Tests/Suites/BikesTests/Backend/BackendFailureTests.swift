import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// What a backend answers when it cannot do what is asked, in text and in JSON.
@Suite(installed) struct WhatABackendRefuses {
  private static let json: Headers = ["Accept": "application/json"]

  @Test func aLockThatAnotherHoldsPasses() throws {
    let scratch = try ScratchDirectory()
    let server = try TestServer(folder: scratch.path)
    let other = try Database(.file("\(scratch.path)/bikes.db"), time: server.time)
    try other.run("BEGIN IMMEDIATE")
    let refused = try server.ask(.put, "/bikes/1/rented")
    #expect(refused.status == 503)
    #expect(refused.headers["Retry-After"] == "1")
    #expect(refused.text.hasPrefix("🚲 another request is writing"))
    #expect(!refused.text.contains(scratch.path))
    // Reading goes on.
    #expect(try server.ask(.get, "/bikes").status == 200)
    try other.run("COMMIT")
    #expect(try server.ask(.put, "/bikes/1/rented").status == 200)
  }

  @Test func fullDiskIsSaidToBeFullAndNothingWasChanged() throws {
    let scratch = try ScratchDirectory()
    let server = try TestServer(folder: scratch.path)
    try server.backend.database.run("PRAGMA max_page_count = 1")
    let name = "\"\(String(repeating: "x", count: 100))\""
    var answer = try server.ask(.post, "/bikes", body(name: name))
    for _ in 0..<1000 where answer.status == 200 {
      answer = try server.ask(.post, "/bikes", body(name: name))
    }
    #expect(answer.status == 507)
    #expect(answer.text == "🚲 there is no room left here, and nothing was changed\n")
    let count = try server.client.bikes().count
    #expect(
      try server.ask(.post, "/bikes", body(name: name), headers: WhatABackendRefuses.json).status == 507)
    #expect(try server.client.bikes().count == count)
    // What needs no new page is done.
    #expect(try server.ask(.get, "/bikes/1").status == 200)
  }

  @Test(arguments: [
    (404, Failure(.notFound, "gone"), 404, "gone"), (499, Failure(.usage, "odd"), 499, "odd"),
    (400, .refused(422, .usage, "other"), 422, "other"),
    (500, Failure(.storage, "/file"), 500, "something went wrong here"),
    (503, Failure(.storage, "/file"), 503, "another request is writing: retry"),
    (
      503, Failure(.storage, "/file", cause: .storage(.unavailable)), 503,
      "the store is not available: retry later"
    ),
    (
      503, Failure(.storage, "/file", cause: .storage(.denied)), 503,
      "the store is not available: retry later"
    ),
    (503, Failure(.connection, "/file"), 503, "something went wrong here"),
    (
      503, Failure(.storage, "/file", outcomeUnknown: true), 503,
      "the connection to the database was lost: whether this was done is unknown"
    ),
    (507, Failure(.storage, "/file"), 507, "there is no room left here, and nothing was changed"),
    (507, Failure(.connection, "/file"), 507, "something went wrong here"),
    (502, Failure(.storage, "/file"), 502, "something went wrong here"),
  ])
  func failureHasStatusAndMessage(status: Int, failure: Failure, shown: Int, text: String) throws {
    let plain = ErrorStyle.bikes.response(status, failure, false)
    #expect(plain.status == shown && plain.text == "🚲 \(text)\n")
    let json = ErrorStyle.bikes.response(status, failure, true)
    #expect(json.status == shown)
    #expect(json.text == #"{"error":{"kind":"\#(failure.kind.rawValue)","message":"\#(text)"}}"#)
  }
}
