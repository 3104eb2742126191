import Foundation
import Synchronization
import TestSupport

/// Clients that rent and return bikes at the same time, each as a user of its own, and repeat each request with its
/// idempotency key until the outcome is known. So failures of servers are invisible, and at the end it is known exactly
/// what happened.
final class RentingCrowd: Sendable {
  /// A user of the server.
  struct Member: Sendable {
    let name: String
    let token: String
  }

  /// What was acknowledged for one bike and one user.
  struct Count: Equatable {
    var rents = 0
    var returns = 0
  }

  struct Ride: Hashable {
    let bike: Int
    let user: String
  }

  static let bikes = 1000
  /// Every second request is for one of these.
  private static let wanted = 20
  private static let heldAtMost = 6
  private static let patience = Duration.seconds(60)

  private let url: String
  private let members: [Member]
  private let ended = DispatchGroup()
  private let isStopping = Atomic(false)
  private let changeCount = Atomic(0)
  private let refusalCount = Atomic(0)
  private let counts = Mutex<[Ride: Count]>([:])
  /// Who has a bike, from the response to the rent to the request for the return.
  private let holders = Mutex([String?](repeating: nil, count: bikes))
  private let found = Mutex<[String]>([])

  init(of members: [Member], at url: String) {
    self.members = members
    self.url = url
  }

  /// Rents and returns that were acknowledged.
  var changes: Int { changeCount.load(ordering: .relaxed) }
  /// Rents that were refused, since somebody else had the bike.
  var refusals: Int { refusalCount.load(ordering: .relaxed) }
  /// What should be impossible.
  var findings: [String] { found.withLock { $0 } }

  func start() {
    for (index, member) in members.enumerated() {
      ended.enter()
      Thread.detachNewThread { [self] in
        Client(member, of: self, seed: UInt64(index) + 1).work()
        ended.leave()
      }
    }
  }

  /// Waits until so many changes were acknowledged.
  func wait(for changes: Int) throws {
    try waitUntil("\(changes) changes", within: .seconds(300)) {
      self.changes >= changes || !findings.isEmpty
    }
  }

  /// Lets the clients end their requests in progress.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    ended.wait()
  }

  private func find(_ text: String) {
    found.withLock { if $0.count < 20 { $0.append(text) } }
    isStopping.store(true, ordering: .relaxed)
  }

  /// Compares the history and the bikes of a store with what the clients know.
  func compare(_ history: [(bike: Int, user: String, isOpen: Bool)], rented: Set<Int>) -> [String] {
    var stored: [Ride: Count] = [:]
    for rental in history {
      let ride = Ride(bike: rental.bike, user: rental.user)
      stored[ride, default: Count()].rents += 1
      if !rental.isOpen { stored[ride, default: Count()].returns += 1 }
    }
    let acknowledged = counts.withLock { $0 }
    let held = holders.withLock { holders in Set(holders.indices.filter { holders[$0] != nil }) }
    var differences = Set(stored.keys).union(acknowledged.keys).filter { stored[$0] != acknowledged[$0] }.map
    { "\($0): acknowledged \(acknowledged[$0] ?? Count()), stored \(stored[$0] ?? Count())" }
    if held != rented { differences.append("rented bikes: \(held.symmetricDifference(rented).sorted())") }
    return differences
  }

  /// One of them, on a thread of its own.
  private final class Client {
    let member: Member
    let crowd: RentingCrowd
    private var random: SeededGenerator
    private var connection: RawConnection?
    private var held: [Int] = []

    init(_ member: Member, of crowd: RentingCrowd, seed: UInt64) {
      self.member = member
      self.crowd = crowd
      random = SeededGenerator(seed: seed)
    }

    func work() {
      while !crowd.isStopping.load(ordering: .relaxed) {
        if held.count == RentingCrowd.heldAtMost || !held.isEmpty && Bool.random(using: &random) {
          returnBike(held.remove(at: Int.random(in: held.indices, using: &random)))
        } else {
          let limit = Bool.random(using: &random) ? RentingCrowd.wanted : RentingCrowd.bikes
          rent(Int.random(in: 0..<limit, using: &random))
        }
      }
    }

    private func rent(_ bike: Int) {
      guard !held.contains(bike), let status = settle("PUT", bike) else { return }
      guard status == 200 else {
        crowd.refusalCount.add(1, ordering: .relaxed)
        if status != 400 { crowd.find("\(member.name) rents bike \(bike): status \(status)") }
        return
      }
      let earlier = crowd.holders.withLock { holders in
        defer { holders[bike] = member.name }
        return holders[bike]
      }
      if let earlier { crowd.find("\(member.name) rents bike \(bike), which \(earlier) has") }
      held.append(bike)
      count(bike) { $0.rents += 1 }
    }

    private func returnBike(_ bike: Int) {
      crowd.holders.withLock { $0[bike] = nil }
      guard let status = settle("DELETE", bike) else { return }
      if status != 200 { crowd.find("\(member.name) returns bike \(bike): status \(status)") }
      count(bike) { $0.returns += 1 }
    }

    private func count(_ bike: Int, _ change: (inout Count) -> Void) {
      crowd.counts.withLock { change(&$0[Ride(bike: bike, user: member.name), default: Count()]) }
      crowd.changeCount.add(1, ordering: .relaxed)
    }

    /// The status, after as many attempts as that needs.
    private func settle(_ method: String, _ bike: Int) -> Int? {
      let key = String(UInt64.random(in: 0 ... .max, using: &random), radix: 16)
      let headers = ["Authorization: Bearer \(member.token)", "Idempotency-Key: \(member.name)-\(key)"]
      let end = ContinuousClock.now + RentingCrowd.patience
      var last = "no connection"
      while ContinuousClock.now < end {
        connection = connection ?? RawConnection(crowd.url)
        let answer = connection?.ask(method, "/bikes/\(bike)/rented", headers: headers)
        if let answer, ![502, 503, 504].contains(answer.status) { return answer.status }
        if let answer { last = "\(answer.status) \(answer.body)" }
        connection = nil
        // A client waits before it tries again; the number keeps the failed attempts of a second bounded.
        usleep(useconds_t.random(in: 5000...50_000, using: &random))
      }
      crowd.find("\(member.name): no outcome of \(method) \(bike): \(last)")
      return nil
    }
  }
}
