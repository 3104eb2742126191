import System
import Testing

@testable import Race

/// A person who stops a race is told nothing of a failure; every other failure is an event.
@Suite struct RaceInterruptionTests {
  @Test func isNoEvent() {
    var driver = WatchDriver()
    driver.fail(Failure(.interrupted, "interrupted"))
    #expect(driver.failure?.kind == .interrupted)
    #expect(driver.events.isEmpty)
  }

  @Test func aFailureIsOne() {
    var driver = WatchDriver()
    driver.fail(.garbage)
    #expect(driver.failure == .garbage)
    #expect(driver.events.count == 1)
  }
}
