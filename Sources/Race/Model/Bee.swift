import JSON
import System
import Terminal

/// One that races. The service gives no id: the name is all there is to tell two apart, and two may share one.
struct Bee: Hashable, Sendable {
  var name: String
  /// As the service writes it, mostly `#8d62a1`.
  var color: String
}

extension Bee {
  init(_ json: JSON) throws(Failure) {
    name = try json["name"].string
    color = try json["color"].orNull?.string ?? ""
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("color", color)
    }
  }

  /// The colour as a terminal draws it; nil for what is no `#rrggbb` or `#rgb`, which is then drawn in none.
  var style: Style? {
    let digits = color.utf8.first == UInt8(ascii: "#") ? Array(color.utf8.dropFirst()) : []
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard values.count == digits.count else { return nil }
    switch values.count {
    case 6:
      return .color(
        red: UInt8(values[0] * 16 + values[1]), green: UInt8(values[2] * 16 + values[3]),
        blue: UInt8(values[4] * 16 + values[5]))
    case 3:
      return .color(red: UInt8(values[0] * 17), green: UInt8(values[1] * 17), blue: UInt8(values[2] * 17))
    default: return nil
    }
  }
}

extension [Bee] {
  /// Any number of bees, none included; the order is the ranking.
  init(_ list: JSON) throws(Failure) {
    self = []
    for bee in try list.array { append(try Bee(bee)) }
  }

  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for bee in self { bee.write(to: &writer) }
    }
  }
}

/// A place in a race, counted from 1.
struct Place: Equatable, Sendable {
  let number: Int

  /// `1st`, `2nd`, `3rd`, `4th`, `11th`, `21st`.
  var ordinal: String {
    let tens = number / 10 % 10
    let ending =
      switch number % 10 {
      case 1 where tens != 1: "st"
      case 2 where tens != 1: "nd"
      case 3 where tens != 1: "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }

  var medal: String? {
    switch number {
    case 1: "🥇"
    case 2: "🥈"
    case 3: "🥉"
    default: nil
    }
  }
}
