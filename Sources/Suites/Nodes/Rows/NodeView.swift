import Output
import System

/// Settings for nodes in tables: language, time zone, human-readable numbers.
struct NodeView {
  let language: Language
  let isHuman: Bool
  let time: any TimeKeeper

  func count(_ number: Int?) -> TableCell {
    guard let number else { return TableCell(.null) }
    return TableCell(isHuman ? HumanText.count(number) : String(number))
  }

  func capacity(_ amount: Satoshis?) -> TableCell {
    guard let amount else { return TableCell(.null) }
    return TableCell(isHuman ? amount.rounded : amount.twoPlaces)
  }

  func place(_ name: LocalizedName?) -> FieldValue { name?[language].map(FieldValue.text) ?? .null }

  func time(_ instant: Timestamp?) -> TableCell {
    guard let instant else { return TableCell(.null) }
    return TableCell(isHuman ? HumanText.age(of: instant, now: time.now()) : time.local(instant).minutes)
  }
}

extension Field {
  /// Lets conditions give satoshis as `300BTC`.
  var inBitcoin: Field { unit("BTC", of: Int64(Satoshis.perBitcoin)) }
}

enum HumanText {
  /// `987`, `1.2k`, `34.5k`, `1.2M`.
  static func count(_ number: Int) -> String {
    // 999 950 is 1.0M: in thousands it would round to four digits.
    for (unit, letter) in [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")]
    where number >= unit - unit / 20_000 {
      // In tenths, rounded half up, as amounts are.
      let tenths = number / (unit / 10) + (number % (unit / 10) >= unit / 20 ? 1 : 0)
      return "\(tenths / 10).\(tenths % 10)\(letter)"
    }
    return String(number)
  }

  /// `3 days ago`: the largest unit that fits.
  static func age(of instant: Timestamp, now: Timestamp) -> String {
    let (seconds, overflow) = now.seconds.subtractingReportingOverflow(instant.seconds)
    // Clocks of two machines differ by seconds.
    guard !overflow, seconds > -60 else { return "in the future" }
    for (unit, name) in units where seconds >= unit {
      let count = seconds / unit
      return "\(count) \(name)\(count == 1 ? "" : "s") ago"
    }
    return "just now"
  }

  private static let units: [(Int64, String)] = [
    (365 * 86_400, "year"), (30 * 86_400, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"),
  ]
}

extension Field {
  /// Tables, CSV and TSV show a name in the language of the view; conditions compare all names and the country's code.
  static func location(
    _ path: String, _ title: String, _ meaning: String, in view: @escaping Read<NodeView>,
    code: @escaping Read<String?> = { _ in nil }, _ read: @escaping Read<LocalizedName?>
  ) -> Field {
    object(path, title, meaning, orNull: { read($0)?.names }).among(Language.supported)
      .flattened { view($0).place(read($0)) }.sorted { read($0)?.sortKey.map(FieldValue.text) ?? .null }
      .compared { row in read(row).map { $0.all + [code(row)].compactMap { $0 } } }
  }
}
