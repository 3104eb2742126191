import HTTP
import JSON
import Store
import System
import TestSupport
import Testing

@testable import Server
@testable import Wordle

/// Many scores of one member are read in parts, between which a server responds to others.
@Suite(.needs(.libsqlite3)) struct ScoresInParts {
  private let router: Router
  private let scratch: ScratchDirectory

  init() throws {
    scratch = try ScratchDirectory()
    let time = SlowClock()
    let store = Store(folder: scratch.path, time: time)
    let backend = try WordleBackend(BackendSettings(store: store, hasSamples: false, time: time))
    let table = try UserTable(.memory(time: time))
    table.addTemporary(User("ann", isAdmin: false), token: "a-token")
    router = Router([backend], access: Access(table, isPublic: true, publicSuites: []))
    #expect(try ask(.delete, "/scores").response.status == 200)
    try fill(mark: "1", word: "corgi")
  }

  /// 2000 lost or solved games of a day.
  private func fill(mark: String, word: String) throws {
    let database = try Database(.file(scratch.file("wordle.db")), time: SystemTime())
    try database.transaction { () throws(Failure) in
      for id in 1000..<3000 {
        let body = #"{"id":\#(id),"date":"2024-03-27","word":"\#(word)","tries":["corgi"]}"#
        try database.run(
          "INSERT OR REPLACE INTO score (account, date, id, body, mark) VALUES ('@ann', '2024-03-27', ?, ?, ?)",
          [.integer(id), .text(body), .text(mark)])
      }
    }
  }

  private func ask(
    _ method: HTTP.Method, _ path: String, between: () throws -> Void = {}
  ) throws -> (response: Response, parts: Int) {
    let request = try ReceivedRequest(
      Request(method, try URL("demo:\(path)"), headers: ["X-Authorization": "a-token"]))
    let runner = router.runner
    var call = try runner.admit(router.route(request))
    var parts = 1
    while true {
      let result = call.isChange ? runner.change([call], of: 0)[0] : runner.read(&call)
      runner.turnEnded()
      if let result { return (result.outcome.response, parts) }
      parts += 1
      try #require(parts < 1000)
      try between()
    }
  }

  private func ids(_ response: Response) throws -> [Int] {
    try JSON.parse(response.body)["scores"].array.map { try $0["id"].int }
  }

  @Test(arguments: [
    ("", 2003), ("?limit=2001", 2001), ("?limit=1000", 1000), ("?limit=7", 7), ("?limit=0", 0),
  ])
  func listHasAllScoresNewestFirst(query: String, count: Int) throws {
    let list = try ask(.get, "/scores\(query)")
    #expect((list.parts > 1) == (count > 1000), "\(list.parts) parts")
    #expect(try ids(list.response) == Array(((1000..<3000).reversed() + [264, 263, 262]).prefix(count)))
  }

  @Test func scoreThatStaysIsListedWhateverChangesMeanwhile() throws {
    var deleted: [Int] = []
    let list = try ask(.get, "/scores") { () throws in
      // One that was read, and one that was not.
      for id in [2999 - deleted.count, 1000 + deleted.count] {
        #expect(try ask(.delete, "/scores/\(id)").response.status == 200)
        deleted.append(id)
      }
    }
    let listed = try Set(ids(list.response))
    #expect(!deleted.isEmpty && listed.isSuperset(of: Set(1000..<3000).subtracting(deleted)))
  }

  /// Lost games are read one by one, since former versions stored other games as lost ones.
  @Test func statisticsOfLostGamesAreThoseOfTheList() throws {
    try fill(mark: "X", word: "mango")
    let answer = try ask(.get, "/scores?as=statistics&limit=1")
    #expect(answer.parts > 1)
    // With one try each, none of them has ended.
    #expect(try JSON.parse(answer.response.body)["statistics"]["played"].int == 0)
  }

  @Test func scoreThatIsNoneIsShownInTheList() throws {
    try fill(mark: "X", word: "no")
    let answer = try ask(.get, "/scores?as=statistics")
    #expect(try answer.parts > 1 && ids(answer.response).count == 2003)
  }
}
