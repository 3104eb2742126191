import HTTP
import Store
import System
import TestSupport
import Testing

@testable import Bikes
@testable import Server

/// Which bikes a server keeps in memory, when it reads them, and what it forgets.
@Suite(installed) struct BikesInMemory {
  private let time = FakeClock()
  private let bikes: BikeTable
  private let cache: BikeReadCache
  private let slices: DividedRead

  init() throws {
    let store = Store.memory(time: time)
    bikes = BikeTable(database: try store.open(BikeTable.migrations))
    _ = try bikes.initialize(epoch: "e", with: SampleBikes.original)
    cache = BikeReadCache(bikes, epoch: "e")
    slices = DividedRead(store, time: time)
  }

  /// A list in a turn of its own.
  @discardableResult
  private func list(
    _ circle: Circle? = nil, from caller: Caller = .local, serverHasUsers: Bool = false
  ) throws -> [BikeReadCache.Entry] {
    cache.turnEnded()
    return try #require(
      try cache.entries(in: circle, slices, Call.of(from: caller, serverHasUsers: serverHasUsers)))
  }

  /// The numbers in memory; nil for a bike that was deleted.
  private var kept: [Int?] { cache.snapshot.map { $0?.number } }

  private func change(_ body: () throws(Failure) -> Void) throws {
    try bikes.database.transaction(body)
    cache.noteChange()
    try list()
  }

  private func add(_ count: Int, at place: Place = place(50.12, 8.64)) throws {
    let bike = try profile(at: place)
    try change { () throws(Failure) in
      for _ in 0..<count { try bikes.insert(bike, owner: nil) }
    }
  }

  private func delete(_ numbers: Int...) throws {
    try change { () throws(Failure) in
      for number in numbers { try bikes.delete(number) }
    }
  }

  /// A command makes one list or two, and ends.
  @Test func theFourthListFillsTheMemory() throws {
    for _ in 1...3 {
      #expect(try list().map(\.number) == [0, 1, 2])
      #expect(kept == [])
    }
    #expect(try list().map(\.number) == [0, 1, 2])
    #expect(kept == [0, 1, 2])
  }

  @Test func theFirstWholeListOfAServerFillsIt() throws {
    #expect(try list(Circle(place(50.119229, 8.64002), meters: 10), from: .anybody).map(\.number) == [1])
    #expect(kept == [])
    #expect(try list(from: .anybody).map(\.number) == [0, 1, 2])
    #expect(kept == [0, 1, 2])
  }

  /// They go when they are more than half of all.
  @Test func deletedBikesLeaveGaps() throws {
    for _ in 1...4 { try list() }
    try add(3)
    #expect(kept == [0, 1, 2, 3, 4, 5])
    try delete(0, 1, 2)
    #expect(kept == [nil, nil, nil, 3, 4, 5])
    // An import may bring one back.
    try change { () throws(Failure) in
      _ = try bikes.database.run(
        """
        UPDATE bike SET deleted = 0, pin = '0420', revision = nextval('bike_revision'), writer = txid_current()
        WHERE id = 1
        """)
    }
    #expect(kept == [nil, 1, nil, 3, 4, 5])
    try delete(3)
    #expect(kept == [nil, 1, nil, nil, 4, 5])
    try delete(4)
    #expect(kept == [1, 5])
    try add(3)
    try delete(1)
    #expect(kept == [nil, 5, 6, 7, 8])
    #expect(try list().map(\.number) == [5, 6, 7, 8])
  }

  @Test func twoBikesAtOnePlaceKeepTheirOrder() throws {
    let spot = place(50.3, 8.7)
    for _ in 1...4 { try list() }
    try add(2, at: spot)
    for number in [3, 4, 3] {
      try change { () throws(Failure) in try bikes.setRented(true, renter: nil, number) }
      #expect(try list(Circle(spot, meters: 10)).map(\.number) == [3, 4])
    }
  }

  @Test func othersAreLookedForOnceATurn() throws {
    let scratch = try ScratchDirectory()
    let store = Store(folder: scratch.path, time: time)
    let own = BikeTable(database: try store.open(BikeTable.migrations))
    let other = BikeTable(database: try store.open(BikeTable.migrations))
    _ = try own.initialize(epoch: "e", with: SampleBikes.original)
    let cache = BikeReadCache(own, epoch: "e")
    func numbers() throws -> [Int] {
      try #require(try cache.entries(in: nil, slices, Call.of())).map(\.number)
    }
    for _ in 1...4 { #expect(try numbers() == [0, 1, 2]) }
    let bike = try profile()
    try other.database.transaction { () throws(Failure) in
      _ = try other.insert(bike, owner: nil)
    }
    #expect(try numbers() == [0, 1, 2])
    cache.turnEnded()
    #expect(try numbers() == [0, 1, 2, 3])
  }

  /// Also with those that are in memory already.
  @Test(arguments: [1, 4]) func thePinsGoWithTheFirstUser(lists: Int) throws {
    func first(from caller: Caller, serverHasUsers: Bool) throws -> String {
      let entry = try #require(try list(from: caller, serverHasUsers: serverHasUsers).first)
      return String(decoding: entry.json, as: UTF8.self)
    }
    for _ in 1...lists {
      #expect(try first(from: .local, serverHasUsers: false).contains(#""pin":"1234""#))
    }
    for _ in 1...5 {
      let text = try first(from: .user(User("ann", isAdmin: false)), serverHasUsers: true)
      #expect(text.contains(#""pin":null"#), "\(text)")
    }
  }

  @Test func listsReuseBikesReadByFeed() throws {
    _ = try cache.free(in: nil, for: .feed, slices, Call.of(serverHasUsers: true))
    let changes = cache.changeCount
    #expect(kept == [0, 1, 2])
    #expect(try list(serverHasUsers: true).map(\.number) == [0, 1, 2])
    #expect(cache.changeCount == changes)
    #expect(try list(serverHasUsers: true).first === cache.snapshot[0], "it is not read again")
  }

  /// Also where the damaged bike is elsewhere: a list that is read from memory must have been read in full.
  @Test func aDamagedBikeIsReported() throws {
    let far = try profile(at: place(60, 20))
    try bikes.database.transaction { () throws(Failure) in
      _ = try bikes.insert(far, owner: nil)
      try bikes.database.run("UPDATE bike SET pin = '----' WHERE id = 3")
    }
    let near = Circle(place(50.119229, 8.64002), meters: 10)
    for _ in 1...3 { try list(near) }
    #expect(failure { try list(near) }?.message == "bike 3 has no valid PIN, place or state")
  }
}

/// Long work is divided by the time that its steps take.
@Suite struct SlicesOfWork {
  private let time = FakeClock()

  /// The steps until the work was interrupted; nil if it was done at once.
  private func steps(of milliseconds: Int, from caller: Caller) throws -> Int? {
    var steps = 0
    let slices = DividedRead(.memory(time: time), time: time)
    let call = try Call.of(from: caller)
    let isDone = try slices.run(call) { () throws(Failure) in
      steps += 1
      time.advance(by: .milliseconds(milliseconds))
      return steps < 50
    }
    #expect(isDone == (steps == 50))
    return isDone ? nil : steps
  }

  @Test(arguments: [(1, 10), (4, 3), (5, 2), (9, 2), (10, 1), (11, 1), (0, nil)] as [(Int, Int?)])
  func aPartTakesTenMilliseconds(milliseconds: Int, count: Int?) throws {
    #expect(try steps(of: milliseconds, from: .anybody) == count)
    #expect(try steps(of: milliseconds, from: .local) == nil, "a command waits for it")
  }
}
