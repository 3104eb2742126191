import HTTP
import JSON
import Server
import System
import TestSupport
import Testing

@testable import Command
@testable import NBA

/// Scripts and recordings of the sample data stay valid: one seed has the same teams, players and games for good.
@Suite struct SampleDataTests {
  /// In the evening of the 14th in America, while games are being played.
  private static let time = FakeClock(Timestamp(seconds: 1_736_908_200))

  /// The checksum is that of the bodies of all pages (FNV-1a).
  @Test(
    arguments: [
      ("/games?seasons[]=2024", 1, 1230, 0x7e85_a861_4c28_aea4),
      ("/games?seasons[]=2021", 1, 1316, 0xf08a_d9d5_fc33_557e),
      ("/games?seasons[]=2021", 2, 1316, 0x1731_56a7_2980_1eb0),
      // The first season is that of 2020.
      ("/games?seasons[]=2019", 1, 0, 0x9747_3d0f_3262_baf6),
      ("/players?", 1, 540, 0x631f_511f_0e18_9ff6), ("/players?", 2, 540, 0x763a_d2d9_6f3c_6787),
    ] as [(String, UInt64, Int, UInt64)])
  func staysAsItIs(target: String, seed: UInt64, count: Int, checksum: UInt64) throws {
    let router = Router([NBABackend(.demo(seed: seed, time: Self.time))])
    var (number, sum, cursor): (Int, UInt64, Int?) = (0, 0xcbf2_9ce4_8422_2325, 0)
    while let at = cursor {
      let url = try HTTP.URL("http://host\(target)&per_page=100&cursor=\(at)")
      let body = router.respond(to: Request(.get, url)).body
      for byte in body { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      let page = try JSON.parse(body)
      number += try page["data"].array.count
      cursor = try page["meta"]["next_cursor"].orNull?.int
    }
    #expect(number == count && sum == checksum, "\(number), \(String(sum, radix: 16))")
  }
}

/// What `hw check nba` accepts of the service.
@Suite struct ContractOfTheService {
  private static func isAccepted(_ text: String, by check: Int) throws -> Bool {
    let read = try #require(NBA.checks[check].read)
    return (try? read(JSON.parse(text))) != nil
  }

  @Test(arguments: [(0, false), (29, false), (30, true), (45, true)])
  func thereAreThirtyTeams(count: Int, isAccepted: Bool) throws {
    let teams = Array(repeating: Sample.lakers, count: count).joined(separator: ",")
    #expect(try Self.isAccepted(#"{"data":[\#(teams)]}"#, by: 0) == isAccepted)
  }
}

/// The course of sample games, and who may request them.
@Suite struct SampleGameTests {
  private static func game(id: Int, minute: Int = 1410) -> SampleGame {
    SampleGame(
      id: id, season: 2024, home: 0, visitor: 1, day: 20_000, minute: minute, isPostseason: false,
      isPostponed: false, homeAdvantage: 0, seed: 1)
  }

  /// The other overtimes may end in a tie.
  @Test func theThirdOvertimeHasAWinner() {
    let two = Self.game(id: 46).points()
    #expect(two == .init(home: [28, 25, 25, 24, 10, 10], visitor: [25, 21, 22, 34, 10, 12]))
    let three = Self.game(id: 6069).points()
    #expect(three == .init(home: [27, 30, 24, 28, 13, 5, 12], visitor: [33, 27, 25, 24, 13, 5, 11]))
    #expect(!two.homeWins && three.homeWins)
  }

  /// The time on the East coast is four hours behind UTC.
  @Test(arguments: [
    (960, "12:00 pm ET"), (969, "12:09 pm ET"), (970, "12:10 pm ET"), (1019, "12:59 pm ET"),
    (1020, "1:00 pm ET"), (1410, "7:30 pm ET"), (1440, "8:00 pm ET"), (1620, "11:00 pm ET"),
  ])
  func theStartOfABareRow(minute: Int, text: String) throws {
    var writer = JSONWriter()
    Self.game(id: 5, minute: minute).write(to: &writer, at: Timestamp(seconds: 0))
    #expect(try JSON.parse(writer.bytes)["status"].string == text)
  }
}
