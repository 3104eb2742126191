import System
import Terminal

struct BikeForm {
  var name: String?
  var color: FrameColor?
  var pin: Pin?
  var place: Place?

  var profile: BikeProfile? {
    guard let name, let color, let pin, let place else { return nil }
    return BikeProfile(name: name, color: color.hex, pin: pin, place: place)
  }

  var missing: [String] {
    [
      name == nil ? "--name" : nil, color == nil ? "--frame-color" : nil, pin == nil ? "--pin-file" : nil,
      place == nil ? "--at" : nil,
    ].compactMap { $0 }
  }

  /// Prompts for each missing value and for confirmation. Returns nil without confirmation.
  mutating func ask(_ prompt: Prompt, preset: Place?, swatches: Bool) throws(Failure) -> BikeProfile? {
    if name == nil {
      name = try prompt.ask("Name") { answer throws(Failure) in
        if let fault = BikeName.problem(answer) { throw Failure(.usage, fault) }
        return answer
      }
    }
    if color == nil {
      let palette = FrameColor.palette.compactMap { FrameColor($0.hex) }
      let labels = palette.map { swatches ? "\($0.style.applied(to: "  ")) \($0.name)" : $0.name }
      let chosen: FrameColor = try prompt.choose(
        "Color", from: palette.map { (name: $0.name, value: $0) }, labels: labels,
        or: (expected: "six hex digits (00C8E6)", read: { FrameColor($0) }))
      color = chosen
    }
    if pin == nil {
      pin = try prompt.ask("PIN (four digits, not shown)", echo: .hidden) { answer throws(Failure) in
        guard let pin = Pin(answer) else { throw Failure(.usage, "a PIN is \(Pin.expected)") }
        return pin
      }
    }
    if place == nil {
      place = try prompt.ask("Place (LAT,LON)", preset: preset?.description) { answer throws(Failure) in
        guard let place = Place(answer) else { throw Failure(.usage, "a place is \(Place.expected)") }
        return place
      }
    }
    guard let profile, let color,
      try prompt.confirm("Add '\(profile.name)', \(color.name), at \(profile.place)?")
    else { return nil }
    return profile
  }
}
