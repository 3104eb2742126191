import HTTP
import TestSupport
import Testing

@testable import Nodes

/// `--country`: a country that does not exist is an error, one without nodes an empty list.
@Suite struct CountryTests {
  @Test(arguments: [
    ("de", "DE"), ("DE", "DE"), ("germany", "DE"), ("Alemanha", "DE"), ("德国", "DE"), ("usa", "US"),
    ("The Netherlands", "NL"), ("netherlands", "NL"), ("Trinidad and Tobago", "TT"),
    ("trinidad & tobago", "TT"), ("uk", "GB"), ("Kosovo", "XK"),
  ])
  func isKnown(_ text: String, _ code: String) {
    #expect(Country.named(text)?.code == code)
  }

  @Test(arguments: ["Narnia", "", "xx", "the"]) func isUnknown(_ text: String) {
    #expect(Country.named(text) == nil)
  }

  @Test func eachHasANameInEachLanguage() {
    let names = Country.allNames
    #expect(names.count == 250 * 9 && !names.contains(""))
  }

  @Test(arguments: [("DE", "Germany"), ("JP", "Japan"), ("ZW", "Zimbabwe"), ("AD", "Andorra")])
  func theEnglishName(code: String, name: String) throws {
    #expect(try #require(Country.named(code)).englishName == name)
  }

  /// A reader of a language without a name gets one in a script that helps.
  @Test(
    arguments: [
      ("de", "de", "Japan", 0), ("de-AT", "de", "Japan", 1), ("de", "en", "Japan", 2),
      ("de", "fr", "Japon", 3),
      ("de", "ar", "اليابان", 5), ("de", "ja", "日本", 5), ("ru", "uk", "Японія", 3), ("ru", "fr", "Japon", 4),
      ("ja", "zh-CN", "日本", 3), ("ja", "th", "ญี่ปุ่น", 5), ("ja", "fr", "Japon", 4), ("zh-CN", "ja", "にほん", 3),
    ])
  func distance(language: String, locale: String, name: String, distance: Int) throws {
    #expect(try #require(Language(language)).distance(to: name, in: locale) == distance)
  }

  private static let service = ScriptedRankings([
    .ranking([
      NodeTests.row(), NodeTests.row("iso_code", nil).replacing(NodeTests.key, with: "02"),
      NodeTests.row("iso_code", #""QQ""#).replacing("France", with: "Freedonia").replacing(
        "França", with: "Fredônia"),
    ])
  ])

  private static func top(_ country: String) -> Ran {
    Ran(["top", "--tsv", "--no-header", "--fields", "rank", "--country", country], service)
  }

  @Test(
    arguments: [
      ("France", ["1", "2"]), ("fr", ["1", "2"]), ("フランス", ["1", "2"]), (" france ", ["1", "2"]),
      ("Japan", []), ("NO", []),
      // A name of the service that ISO 3166 does not have.
      ("freedonia", ["3"]), ("QQ", ["3"]),
    ] as [(String, [String])])
  func selects(_ country: String, _ ranks: [String]) {
    let ran = CountryTests.top(country)
    #expect(ran.status == 0 && ran.lines == ranks, "\(ran)")
  }

  @Test(
    arguments: [
      ("Narnia", "countries of this ranking: FR, QQ"), ("Gremany", "did you mean 'Germany'?"),
      ("Franse", "did you mean 'France'?"),
    ])
  func refuses(_ country: String, _ hint: String) {
    let ran = CountryTests.top(country)
    #expect(ran.status == 2 && ran.output == "", "\(ran)")
    #expect(ran.errors.contains("unknown country '\(country)'") && ran.errors.contains(hint), "\(ran.errors)")
  }
}
