import System

/// An amount of bitcoin in hundred-millionths. Integers are exact.
struct Satoshis: Equatable {
  var amount: Int

  init(_ amount: Int) { self.amount = amount }

  static let perBitcoin = 100_000_000

  /// BTC with eight places: `704.39530921`.
  var bitcoin: String { text(places: 8) }

  /// BTC with two places: `704.40`. Less than 0.01 has eight places, so that no amount is shown as zero.
  var twoPlaces: String { text(places: (1..<1_000_000).contains(amount.magnitude) ? 8 : 2) }

  /// Rounded BTC: `704.4`.
  var rounded: String {
    // With four places less than 0.0001 would be zero.
    let places = (1..<10_000).contains(amount.magnitude) ? 8 : amount.magnitude < Satoshis.perBitcoin ? 4 : 1
    return text(places: places)
  }

  /// Rounds half away from zero.
  private func text(places: Int) -> String {
    let unit = (places..<8).reduce(1 as UInt) { unit, _ in unit * 10 }
    let perBitcoin = UInt(Satoshis.perBitcoin) / unit
    let rounded = (amount.magnitude + unit / 2) / unit
    let fraction = String(rounded % perBitcoin).zeroPadded(to: places)
    return "\(amount < 0 ? "-" : "")\(rounded / perBitcoin).\(fraction)"
  }
}
