import Foundation
import Testing

@testable import System

@Suite struct TheEnvironment {
  @Test func anEmptyVariableCountsAsUnset() {
    let environment = Environment(["A": "1", "B": "", "C": " "])
    #expect(environment["A"] == "1")
    #expect(environment["B"] == nil)
    #expect(environment["C"] == " ")
    #expect(environment["D"] == nil)
  }

  @Test func aChildGetsEverythingAsItIs() {
    #expect(Environment(["A": "1", "B": ""]).all == ["A": "1", "B": ""])
    #expect(Environment.process.all["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    #expect(Environment.process["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    #expect(Environment.process["HW_THAT_NOBODY_SETS"] == nil)
  }
}

@Suite struct TheArguments {
  @Test func areTheWordsAfterTheName() throws {
    #expect(try Arguments.words() == Array(CommandLine.arguments.dropFirst()))
  }
}
