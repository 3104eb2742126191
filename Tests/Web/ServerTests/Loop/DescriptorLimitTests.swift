import Foundation
import System
import TestSupport
import Testing

@testable import Server

/// No descriptor is left for another connection.
@Suite struct DescriptorLimitTests {
  /// From now on there are no more descriptors than are open.
  private static func take() {
    let next = dup(0)
    close(next)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = rlim_t(next)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  @Test func withoutDescriptorsKnownClientsAreServedAndNewOneWaits() async {
    await #expect(processExitsWith: .success) {
      let stepped = try SteppedServer()
      let known = try stepped.exchange(Sample.get)
      let leaving = try stepped.exchange(Sample.get)
      let waiting = try Client(to: stepped.server.address)
      DescriptorLimitTests.take()
      try stepped.say(Sample.get, waiting)
      #expect(waiting.statuses.isEmpty && !waiting.isClosed)
      try stepped.say(Sample.get, known)
      #expect(known.statuses == [200, 200])
      // It is not tried again and again: nothing is an event until the next second.
      #expect(stepped.server.timeout(atMost: .seconds(7)) > 0)
      #expect(stepped.server.connections.count == 2)
      // A place is free: that of the client, and that of the server.
      leaving.close()
      try stepped.hear(waiting)
      #expect(waiting.statuses == [200])
      #expect(stepped.server.connections.count == 2)
    }
  }

  /// Some are for others, and one is for a client in any case.
  @Test func connectionLimitIsBelowDescriptorLimit() async {
    await #expect(processExitsWith: .success) {
      func set(_ current: Int, _ most: Int) -> Bool {
        var limit = rlimit(rlim_cur: rlim_t(current), rlim_max: rlim_t(most))
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
      }
      let (current, most) = (set(150, 200), try SteppedServer().server.connectionLimit)
      #expect(current && most == 168)
      #expect(try SteppedServer { $0.connections = 100 }.server.connectionLimit == 100)
      // Ten are free, whichever of the process that started this one are open.
      let free = (0..<10).map { _ in dup(0) }
      for number in free { close(number) }
      let few = Int(free.max() ?? 0) + 1
      #expect(set(few, few))
      #expect(try SteppedServer().server.connectionLimit == max(1, few - 32))
    }
  }

  /// Their numbers may be those of other files afterwards.
  @Test func listenersAreClosedOnce() async {
    await #expect(processExitsWith: .success) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { exit(1) }
      let stop = FileDescriptor(rawValue: ends[0])
      let listener = try Listener(SocketAddress(listening: "127.0.0.1:0"))
      let stepped = try SteppedServer([ScriptedBackend("sample", routes: [])], on: ServerSockets([listener]))
      {
        $0.stopSignal = stop
      }
      close(ends[1])
      try stepped.step()
      let number = listener.descriptor.rawValue
      let isFree = fcntl(number, F_GETFD) == -1
      let other = dup2(0, number)
      stepped.server.closeAll()
      let isLeft = fcntl(number, F_GETFD) != -1
      #expect(isFree && other == number && isLeft)
    }
  }

  @Test func acceptIsRetriedAfterOneSecond() async {
    await #expect(processExitsWith: .success) {
      let stepped = try SteppedServer()
      let waiting = try Client(to: stepped.server.address)
      let spare = dup(0)
      DescriptorLimitTests.take()
      try stepped.say(Sample.get, waiting)
      #expect(waiting.statuses.isEmpty)
      // Something else of the process has ended.
      close(spare)
      try stepped.hear(waiting)
      #expect(waiting.statuses.isEmpty)
      stepped.time.advance(by: .seconds(1))
      try stepped.hear(waiting)
      #expect(waiting.statuses == [200])
    }
  }
}
