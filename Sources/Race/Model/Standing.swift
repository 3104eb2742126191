import Output
import Terminal

/// A bee at its place: a row of `hw race status`.
struct Standing {
  let place: Place
  let bee: Bee

  static func all(_ bees: [Bee]) -> some Sequence<Standing> {
    bees.lazy.enumerated().map { Standing(place: Place(number: $0 + 1), bee: $1) }
  }
}

extension Standing: Row {
  static let fields: Fields<Standing> = [
    .integer("position", "Position", "the place in the race, from 1") { $0.place.number }
      .shown { TableCell($0.place.ordinal) },
    .text("medal", "Medal", "a medal for the first three, or null", orNull: \.place.medal)
      .shown { TableCell($0.place.medal ?? "") },
    .text("name", "Name", "what the bee is called; not unique", \.bee.name),
    .text("color", "Color", "its colour as the service writes it, mostly #rrggbb", \.bee.color)
      .shown { TableCell($0.bee.style == nil ? $0.bee.color : "■ \($0.bee.color)", $0.bee.style) },
  ]
}
