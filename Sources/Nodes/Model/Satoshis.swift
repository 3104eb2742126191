/// An amount of bitcoin, in hundred-millionths: whole numbers, so that nothing is lost.
struct Satoshis: Hashable, Comparable {
  var amount: Int

  init(_ amount: Int) {
    self.amount = amount
  }

  static let perBitcoin = 100_000_000

  static func < (a: Satoshis, b: Satoshis) -> Bool { a.amount < b.amount }

  /// In BTC with all eight places: `704.39530921`.
  var bitcoin: String { text(places: 8) }

  /// In BTC, rounded to the place that a person reads: `704.4 BTC`.
  var roundedBitcoin: String { "\(text(places: amount.magnitude < Satoshis.perBitcoin ? 4 : 1)) BTC" }

  /// Rounded half away from zero, in integers.
  private func text(places: Int) -> String {
    let unit = (places..<8).reduce(1 as UInt) { unit, _ in unit * 10 }
    let perBitcoin = UInt(Satoshis.perBitcoin) / unit
    let rounded = (amount.magnitude + unit / 2) / unit
    let fraction = String(rounded % perBitcoin)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(amount < 0 ? "-" : "")\(rounded / perBitcoin).\(zeros)\(fraction)"
  }
}
