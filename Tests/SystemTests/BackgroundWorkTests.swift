import Foundation
import Testing

@testable import System

/// Requests that a thread works on, one after the other.
@Suite struct WorkInTheBackground {
  @Test func oneThreadTakesAllThatIsWaiting() throws {
    let gate = try System.Pipe()
    defer { [gate.reader, gate.writer].forEach { $0.close() } }
    let work = try BackgroundWork { (number: Int) in
      if number == 0 { _ = try? gate.reader.read(atMost: 1) }
      return (number: number, thread: pthread_self())
    }
    for number in 0..<20 { work.submit(number) }
    #expect(work.next() == nil)
    try gate.writer.writeAll([0])
    let outcomes = (0..<20).map { _ in work.awaitNext() }
    #expect(outcomes.map(\.number) == Array(0..<20))
    #expect(Set(outcomes.map(\.thread)).count == 1)
    #expect(work.next() == nil)
    #expect(try Waiting.forInput([work.descriptor], atMost: .zero) == [false])
  }

  /// Whether the thread has ended by then or not.
  @Test func workGoesOnAfterEachEnd() throws {
    let work = try BackgroundWork { (number: Int) in number * 2 }
    for number in 0..<300 {
      if number.isMultiple(of: 2) { work.submit(number) } else { try work.submitInBackground(number) }
      #expect(work.awaitNext() == number * 2)
    }
    #expect(work.next() == nil)
  }
}
