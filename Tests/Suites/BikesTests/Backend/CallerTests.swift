import System
import Testing

@testable import Bikes
@testable import Server

/// What each kind of caller may see and do, for every owner (none, ann, bob) with every renter (none, ann, bob).
@Suite struct CallerTests {
  private static let names = [nil, "ann", "bob"]

  private func pattern(isRented: Bool = true, _ holds: (BikeTable.Record) -> Bool) -> String {
    Self.names.flatMap { owner in
      Self.names.map { renter in
        let bike = bike("1", place(50, 8), rented: isRented, owner: owner)
        let record = BikeTable.Record(number: 1, bike: bike, renter: renter, isDeleted: false, revision: 1)
        return holds(record) ? "+" : "-"
      }
    }.joined()
  }

  @Test(
    arguments: [
      (.local, "+++++++++", "+++++++++", "+--+--+--", true, nil),
      (.anybody, "+++++++++", "+++++++++", "+--+--+--", false, nil),
      (.stranger, "---------", "---------", "+--+--+--", false, nil),
      (.user(User("ann", isAdmin: false)), "-+-+++-+-", "++-+++---", "++-++-++-", false, "ann"),
      (.user(User("root", isAdmin: true)), "---------", "+++++++++", "+--+--+--", true, nil),
    ] as [(Caller, String, String, String, Bool, String?)])
  func mayDo(
    caller: Caller, sees: String, manages: String, hasRented: String, isAdmin: Bool, filter: String?
  ) {
    #expect(pattern { caller.seesPin(of: $0) } == sees)
    #expect(pattern { caller.manages($0) } == manages)
    #expect(pattern { caller.hasRented($0) } == hasRented)
    #expect(pattern(isRented: false) { caller.hasRented($0) } == "---------")
    #expect(caller.isAdmin == isAdmin && caller.ordinaryUser == filter)
  }
}
