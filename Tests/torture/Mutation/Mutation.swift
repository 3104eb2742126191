import Foundation
import TestSupport
import Testing

/// The drivers in process. `swift test` runs the committed cases and a short round with a fixed seed;
/// `Tests/torture/run` runs them for as long as it is asked to.
@Suite(.serialized, .needs(.libcurl, .libsqlite3)) struct Mutation {
  static let drivers: [Driver] = [
    .json, .rows, .clients, .requests, .responses, .transports, .argv, .imports, .files, .screens, .proxy,
    .sockets,
  ]

  @Test(arguments: drivers) func committedCases(_ driver: Driver) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "cases/\(driver.name)")
    let home = try ScratchDirectory()
    let attack = try driver.attack(in: home)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      let input = try Data(contentsOf: folder.appending(path: name))
      #expect(try attack.judge(Array(input)) == nil, "\(driver.name)/\(name)")
    }
  }

  @Test(arguments: drivers) func shortRound(_ driver: Driver) throws {
    let home = try ScratchDirectory()
    let attack = try driver.attack(in: home)
    for number in 0..<driver.round {
      let input = attack.input(seed: 1, number: number)
      let problem = try attack.judge(input)
      #expect(problem == nil, "input \(number): \(String(decoding: input, as: UTF8.self).debugDescription)")
    }
  }

  /// What `Tests/torture/run` starts.
  @Test(.enabled(if: LongRun.name != nil)) func drive() throws {
    let driver = try #require(Self.drivers.first { $0.name == LongRun.name })
    let run = try LongRun(driver)
    let thread = Thread { run.body() }
    thread.stackSize = 8 << 20
    thread.start()
    run.ended.wait()
    #expect(run.findings == 0)
  }
}

/// One kind of attack.
struct Driver: Sendable, CustomTestStringConvertible {
  let name: String
  /// How many inputs the round of `swift test` makes.
  let round: Int
  /// Seconds that one input may take.
  var limit: UInt32 = 10
  let prepare: @Sendable (ScratchDirectory) throws -> Attack

  var testDescription: String { name }

  /// The driver at work. What a command line names without a directory is in `home`.
  func attack(in home: ScratchDirectory) throws -> Attack {
    let attack = try Driver.inside(home) { try prepare(home) }
    return Attack(make: attack.make) { input in try Driver.inside(home) { try attack.judge(input) } }
  }

  private static func inside<Result>(_ home: ScratchDirectory, _ body: () throws -> Result) throws -> Result {
    let before = open(".", O_RDONLY | O_DIRECTORY)
    defer {
      fchdir(before)
      close(before)
    }
    chdir(home.path)
    return try body()
  }
}

/// A driver at work.
struct Attack {
  /// Makes an input.
  let make: (inout SeededGenerator) -> [UInt8]
  /// Gives the input to the program. What is wrong with the outcome, or nil.
  let judge: ([UInt8]) throws -> String?

  func input(seed: UInt64, number: Int) -> [UInt8] {
    var random = SeededGenerator(seed: seed, number: number)
    return make(&random)
  }

  /// A smaller input with the same kind of problem.
  func minimized(_ input: [UInt8], until end: Date) -> [UInt8] {
    var input = input
    var size = max(1, input.count / 2)
    while true {
      var at = 0
      while at < input.count, Date() < end {
        var shorter = input
        shorter.removeSubrange(at..<min(at + size, input.count))
        if let problem = try? judge(shorter), !problem.isEmpty { input = shorter } else { at += size }
      }
      if size == 1 || Date() >= end { return input }
      size /= 2
    }
  }
}
