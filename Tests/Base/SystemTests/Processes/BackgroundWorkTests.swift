import Foundation
import Testing

@testable import System

/// Requests that a thread works on, one after the other.
@Suite struct BackgroundWorkTests {
  @Test(arguments: [false, true]) func waitingWorkIsDoneByOneThread(inBackground: Bool) throws {
    let gate = try System.Pipe()
    defer { [gate.reader, gate.writer].forEach { $0.close() } }
    let work = try BackgroundWork { (number: Int) in
      if number == 0 { _ = try? gate.reader.read(atMost: 1) }
      return (number: number, thread: pthread_self())
    }
    for number in 0..<20 {
      if inBackground { try work.submitInBackground(number) } else { work.submit(number) }
    }
    #expect(work.next() == nil)
    try gate.writer.writeAll([0])
    let outcomes = (0..<20).map { _ in work.awaitNext() }
    #expect(outcomes.map(\.number) == Array(0..<20))
    #expect(Set(outcomes.map(\.thread)).count == 1)
    #expect(work.next() == nil)
    #expect(try Waiting.forInput([work.descriptor], atMost: .zero) == [false])
  }

  /// Whether the thread has ended by then or not.
  @Test func workContinuesAfterThreadHasEnded() throws {
    let work = try BackgroundWork { (number: Int) in number * 2 }
    for number in 0..<300 {
      if number.isMultiple(of: 2) { work.submit(number) } else { try work.submitInBackground(number) }
      #expect(work.awaitNext() == number * 2)
    }
    #expect(work.next() == nil)
  }

  /// In a process of its own, and as a user: root may have as many threads as there can be.
  @Test func withoutThreadsWorkIsDoneInPlaceOrRefused() async {
    await #expect(processExitsWith: .success) {
      if geteuid() == 0 { setuid(65534) }
      let work = try BackgroundWork { (number: Int) in number * 2 }
      let resource = __rlimit_resource_t(__RLIMIT_NPROC.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
      try #require(setrlimit(resource, &none) == 0)
      work.submit(1)
      let here = work.next()
      let refusal = Result { try work.submitInBackground(2) }
      work.submit(3)
      let later = [work.next(), work.next()]
      setrlimit(resource, &limit)
      #expect(here == 2 && later == [6, nil])
      #expect(throws: SystemError.wouldBlock) { try refusal.get() }
    }
  }
}
