import JSON
import Output
import System
import TestSupport
import Testing

@testable import Nodes

/// What the service sends, quirks included, becomes a node; what breaks the contract is named by row and field.
@Suite struct NodeTests {
  static let key = String(repeating: "ab", count: 33)

  /// A row of a ranking with one member replaced, or left out where it is nil.
  static func row(_ name: String = "", _ value: String? = nil) -> String {
    let members = [
      ("publicKey", "\"\(key)\""), ("alias", "\"ACINQ\""), ("channels", "2908"), ("capacity", "36010516297"),
      ("firstSeen", "1522941222"), ("updatedAt", "1661274935"), ("city", "null"),
      ("country", "{\"en\":\"France\",\"pt-BR\":\"França\"}"), ("iso_code", "\"FR\""),
      ("subdivision", "null"),
    ]
    let texts = members.compactMap { member -> String? in
      if member.0 != name { return "\"\(member.0)\":\(member.1)" }
      return value.map { "\"\(name)\":\($0)" }
    }
    return "{\(texts.joined(separator: ","))}"
  }

  /// One null must never lose the list.
  @Test(
    arguments: [
      ("updatedAt", "null"), ("updatedAt", nil), ("city", nil), ("country", "null"), ("iso_code", nil),
      ("iso_code", "null"), ("subdivision", nil), ("subdivision", #""null""#), ("country", "{}"),
      ("country", #"{"en":null}"#), ("alias", #""""#), ("channels", "2.908e3"),
    ] as [(String, String?)])
  func optionalMembersMayBeMissing(_ name: String, _ value: String?) throws {
    #expect(try Node.list(JSON.parse("[\(NodeTests.row(name, value))]")).count == 1)
  }

  @Test(arguments: [
    #""{\"de\":\"Hessen\",\"en\":\"Hesse\"}""#, #"{"de":"Hessen","en":"Hesse"}"#,
  ])
  func aSubdivisionIsAnObjectOrAStringThatHoldsOne(_ value: String) throws {
    let node = try Node(JSON.parse(NodeTests.row("subdivision", value)))
    #expect(node.subdivision?[.english] == "Hesse")
  }

  @Test(
    arguments: [
      ("channels", #""2908""#, "expected an integer, found a string"),
      ("channels", "-1", "expected a count, found -1"),
      ("channels", "2.5", "expected an integer of 64 bits, found 2.5"),
      ("capacity", "3000000000000000000000", "expected an integer of 64 bits, found 3000000000000000000000"),
      ("capacity", "null", "expected an integer, found null"),
      ("publicKey", nil, "expected a string, found nothing"),
      ("publicKey", #""02ab""#, "expected 66 hexadecimal digits, found '02ab'"),
      (
        "publicKey", "\"\(String(repeating: "xy", count: 33))\"",
        "expected 66 hexadecimal digits, found '\(String(repeating: "xy", count: 33))'"
      ),
      ("alias", "7", "expected a string, found a number"),
      ("firstSeen", #""yesterday""#, "expected an integer, found a string"),
      ("updatedAt", #""yesterday""#, "expected an integer, found a string"),
      ("country", #""France""#, "expected an object, found a string"),
      ("country", #"{"en":33}"#, "expected a string, found a number"),
      ("subdivision", #"{"en":33}"#, "subdivision.en: expected a string, found a number"),
      ("subdivision", #""{\"en\":33}""#, "subdivision: in the JSON text of this string: "),
      ("subdivision", #""{""#, "in the JSON text of this string"),
      ("subdivision", #""[1]""#, "in the JSON text of this string"),
    ] as [(String, String?, String)])
  func breachOfContractIsRefused(_ name: String, _ value: String?, _ says: String) throws {
    let rows = (1...100).map { $0 == 57 ? NodeTests.row(name, value) : NodeTests.row() }
    let json = try JSON.parse("[\(rows.joined(separator: ","))]")
    let failure = try #require(throws: Failure.self) { try Node.list(json) }
    #expect(failure.kind == .invalidData)
    #expect(failure.message.hasPrefix("row 57: "))
    #expect(failure.message.contains("[56].\(name)"))
    #expect(failure.message.contains(says))
  }

  /// What is written is read again, whole.
  @Test func writing() throws {
    let node = try Node(JSON.parse(NodeTests.row("subdivision", #""{\"en\":\"Hesse\"}""#)))
    var writer = JSONWriter()
    node.write(to: &writer)
    let text = String(decoding: writer.bytes, as: UTF8.self)
    #expect(text == NodeTests.row("subdivision", #"{"en":"Hesse"}"#))
  }
}

@Suite struct SatoshisTests {
  @Test(
    arguments: [
      (0, "0.00000000", "0.0000"), (1, "0.00000001", "0.00000001"), (9999, "0.00009999", "0.00009999"),
      (10_000, "0.00010000", "0.0001"), (100_000_000, "1.00000000", "1.0"),
      (70_439_530_921, "704.39530921", "704.4"), (74_000_000_000, "740.00000000", "740.0"),
      (99_995_000_000, "999.95000000", "1000.0"), (.max, "92233720368.54775807", "92233720368.5"),
      (-150_000_000, "-1.50000000", "-1.5"), (99_994_999, "0.99994999", "0.9999"),
      (99_999_999, "0.99999999", "1.0000"), (.min, "-92233720368.54775808", "-92233720368.5"),
    ] as [(Int, String, String)])
  func bitcoin(_ amount: Int, _ exact: String, _ rounded: String) {
    #expect(Satoshis(amount).bitcoin == exact)
    #expect(Satoshis(amount).rounded == rounded)
  }
}

@Suite struct LanguageTests {
  static let full = #"{"de":"D","en":"E","es":"S","fr":"F","ja":"J","pt-BR":"P","ru":"R","zh-CN":"Z"}"#

  /// Exact, same language, English, any.
  @Test(
    arguments: [
      ("de", full, "D"), ("de-AT", full, "D"), ("de_AT.UTF-8", full, "D"), ("PT", full, "P"),
      ("pt-BR", full, "P"), ("zh-TW", full, "Z"), ("de", #"{"en":"E","fr":"F"}"#, "E"),
      ("de", #"{"fr":"F"}"#, "F"), ("en", #"{"ru":"R","ja":"J"}"#, "R"),
      ("de", #"{"de-AT":"A","de":"D"}"#, "D"),
      // Without English a name in Latin script.
      ("en", #"{"ja":"サンパウロ","pt-BR":"São Paulo","zh-CN":"圣保罗"}"#, "São Paulo"),
      ("de", #"{"ja":"東京","ru":"Токио","es":"Tokio"}"#, "Tokio"), ("ja", #"{"ru":"Москва"}"#, "Москва"),
      ("ru", #"{"ja":"東京","en":"Tokyo"}"#, "Tokyo"),
      // Of two that are as near the first, and never one that is null.
      ("de", #"{"de-CH":"C","de-AT":"A"}"#, "C"), ("de", #"{"fr":"F","es":"S"}"#, "F"),
      ("de", #"{"de":null,"en":"E"}"#, "E"), ("de", #"{"en":null,"fr":"F"}"#, "F"), ("en", "{}", nil),
    ] as [(String, String, String?)])
  func fallBack(_ tag: String, _ names: String, _ shown: String?) throws {
    let language = try #require(Language(tag))
    #expect(try LocalizedName(JSON.parse(names))[language] == shown)
  }

  /// As the service writes it, where it has the language.
  @Test(arguments: [
    ("PT-br", "pt-br", "pt-BR"), ("zh_cn.UTF-8", "zh-cn", "zh-CN"), ("de_DE@euro", "de-de", "de-de"),
    ("EN", "en", "en"),
  ])
  func locale(_ text: String, _ tag: String, _ locale: String) {
    #expect(Language(text) == Language(tag: tag, locale: locale))
  }

  @Test(arguments: ["xx", "", "english", "-", "d"])
  func unknown(_ tag: String) {
    #expect(Language(tag) == nil)
  }

  @Test(
    arguments: [
      ([:], "en"), (["LANG": "de_DE.UTF-8"], "de-de"), (["LANG": "C"], "en"), (["LANG": "nl_NL"], "en"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], "fr-fr"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "ja_JP"], "ja-jp"),
      (["LC_ALL": "", "LANG": "ru_RU.KOI8-R@x"], "ru-ru"),
    ] as [([String: String], String)])
  func fromTheEnvironment(_ variables: [String: String], _ tag: String) {
    #expect(Language(environment: Environment(variables)).tag == tag)
  }
}

@Suite struct HumanTextTests {
  @Test(
    arguments: [
      (0, "0"), (999, "999"), (1000, "1.0k"), (1234, "1.2k"), (1999, "2.0k"), (1949, "1.9k"), (1950, "2.0k"),
      (34_560, "34.6k"), (2_000_000, "2.0M"), (999_949, "999.9k"), (999_950, "1.0M"), (960_000, "960.0k"),
      (1_000_000, "1.0M"), (999_999_999, "1.0G"), (.max, "9223372036.9G"), (1_000_000_000, "1.0G"),
    ] as [(Int, String)])
  func counts(_ number: Int, _ text: String) {
    #expect(HumanText.count(number) == text)
  }

  @Test(
    arguments: [
      (0, "just now"), (59, "just now"), (60, "1 minute ago"), (7200, "2 hours ago"),
      (3 * 86_400, "3 days ago"),
      (31 * 86_400, "1 month ago"), (800 * 86_400, "2 years ago"), (-30, "just now"), (-59, "just now"),
      (-60, "in the future"), (-61, "in the future"), (3599, "59 minutes ago"), (3600, "1 hour ago"),
      (86_399, "23 hours ago"), (86_400, "1 day ago"), (30 * 86_400 - 1, "29 days ago"),
      (30 * 86_400, "1 month ago"), (365 * 86_400 - 1, "12 months ago"), (365 * 86_400, "1 year ago"),
    ] as [(Int64, String)])
  func ages(_ seconds: Int64, _ text: String) {
    let now = Timestamp(seconds: 1_800_000_000)
    #expect(HumanText.age(of: Timestamp(seconds: now.seconds - seconds), now: now) == text)
  }

  @Test(arguments: [true, false]) func unknownValueIsShownAsDash(isHuman: Bool) {
    let view = NodeView(language: .english, isHuman: isHuman, time: FakeClock(FakeClock.newYear))
    let (count, amount, time) = (nil as Int?, nil as Satoshis?, nil as Timestamp?)
    #expect([view.count(count), view.capacity(amount), view.time(time)].map(\.text) == ["-", "-", "-"])
  }

  @Test func anAgeBeyondAllNumbers() {
    let now = Timestamp(seconds: -2)
    #expect(HumanText.age(of: Timestamp(seconds: .max), now: now) == "in the future")
  }
}

/// Within the suite one thing has one field name, and one field name one meaning.
@Suite struct FieldNameTests {
  private static let columns =
    RankedNode.fields.map(\.column) + NodeDetailRow.fields.map(\.column) + NodeChange.fields.map(\.column)
    + SearchResultRow.fields.map(\.column) + SavedSnapshot.fields.map(\.column)
    + ListedSnapshot.fields.map(\.column)

  @Test func oneNamePerThing() {
    for column in FieldNameTests.columns {
      let same = FieldNameTests.columns.filter { $0.title == column.title || $0.path == column.path }
      #expect(same.allSatisfy { $0.title == column.title && $0.path == column.path }, "\(column.path)")
      #expect(same.allSatisfy { $0.type == column.type }, "\(column.path)")
    }
  }

  /// What `top` lists can be asked of `show` as well.
  @Test func showHasTheFieldsOfTop() {
    let shown = NodeDetailRow.fields.map(\.column.path)
    for field in RankedNode.fields where field.column.path != "rank" {
      #expect(shown.contains(field.column.path))
    }
  }
}
