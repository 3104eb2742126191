import JSON
import System

/// A bee in a race, without an id: several bees can be equal in name and color.
struct Bee: Hashable, Sendable {
  var name: String
  /// The color as the service sends it, usually `#8d62a1`.
  var color: String?
}

extension Bee {
  init(_ json: JSON) throws(Failure) {
    name = try json["name"].string
    color = try json["color"].orNull?.string
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      if let color { writer.member("color", color) }
    }
  }

  /// Channels of the color; nil unless it is written as `#rrggbb`.
  var rgb: (red: UInt8, green: UInt8, blue: UInt8)? {
    guard let color, color.utf8.first == UInt8(ascii: "#") else { return nil }
    let digits = Array(color.utf8.dropFirst())
    let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }.map(UInt8.init)
    guard digits.count == 6, values.count == 6 else { return nil }
    return (values[0] * 16 + values[1], values[2] * 16 + values[3], values[4] * 16 + values[5])
  }
}

extension [Bee] {
  init(_ list: JSON) throws(Failure) {
    self = []
    for bee in try list.array { append(try Bee(bee)) }
  }

  func write(to writer: inout JSONWriter) {
    writer.array { writer in
      for bee in self { bee.write(to: &writer) }
    }
  }

  /// `1st Beech, 2nd BeeM`. Limited to twenty bees, to keep lines readable.
  var summary: String {
    guard !isEmpty else { return "the race has no bees" }
    let shown = prefix(20).enumerated().map { "\(Rank(number: $0 + 1).ordinal) \($1.name)" }
    return shown.joined(separator: ", ") + (count > 20 ? " and \(count - 20) more" : "")
  }
}

/// A position in a race, counted from 1.
struct Rank: Equatable, Sendable {
  let number: Int

  var ordinal: String {
    let isTeen = number / 10 % 10 == 1
    let suffix =
      switch number % 10 {
      case 1 where !isTeen: "st"
      case 2 where !isTeen: "nd"
      case 3 where !isTeen: "rd"
      default: "th"
      }
    return "\(number)\(suffix)"
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
