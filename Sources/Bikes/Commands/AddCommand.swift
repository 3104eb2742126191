import Command
import HTTP
import Output
import System
import Terminal

extension Bikes {
  static let name = Option("name", ValueKind<String>.text("NAME"), "What the bike is called")
  static let color = Option(
    "color", ValueKind<FrameColor>.frameColor, "The colour of its frame",
    details:
      "By its name, or as six hexadecimal digits. Here --color is this option; it stands after the command's name."
  ).inPlaceOfStandard
  static let pin = Option(
    "pin", ValueKind<Pin>.pin, "The PIN of its padlock",
    details:
      "Everybody on this machine can read it in the list of processes: prefer --pin-file, or to be asked.")
  static let pinFile = Option(
    "pin-file", ValueKind<String>.file, "Read the PIN from FILE; '-' is standard input")

  static let add = Command(
    "add", "Bring a bike of your own",
    discussion: """
      It is for rent as soon as it is saved. On a terminal everything that is missing is asked for, the PIN without being \
      shown, and the whole is confirmed; elsewhere it is an error.

      The original server takes a coordinate of exactly 0 for a missing one, and refuses it.
      """,
    options: [name, color, pin, pinFile, at, location, tokenFile],
    output: .one(FoundBike.self),
    needs: [.network, .writes],
    examples: [
      Example(
        "echo 4711 | hw bikes add --name Wanda --color red --pin-file - --at 50.12,8.64",
        "the PIN stays between you"),
      Example(
        "hw bikes add --name Wanda --color 2F5FD0 --pin 12a4 --at 50.12,8.64", "that is no PIN", exits: 2),
      Example("hw bikes add --name Wanda", "what is missing is said", exits: 2),
    ],
    failures: [.connection, .invalidData, .unauthorized]
  ) { call, context throws(Failure) in
    var form = BikeForm()
    form.name = call[name]
    form.color = call[color]
    form.place = here(call, at)
    form.pin = try call[pinFile].map { file throws(Failure) in try pin(in: file, context) } ?? call[pin]
    if let name = form.name, let fault = BikeName.fault(name) { throw Failure(.usage, "'--name': \(fault)") }
    let profile: BikeProfile
    if let whole = form.profile {
      profile = whole
    } else {
      guard context.host.isAttended else {
        throw Failure(
          .usage, "missing \(form.missing.joined(separator: ", "))", hint: "on a terminal you are asked")
      }
      form.place = call[at]
      let swatches = context.output.settings.screen?.color ?? false
      guard
        let answer = try form.ask(
          context.host.prompt(), preset: call[location], swatches: swatches)
      else { throw Failure(.no, "nothing was added") }
      profile = answer
    }
    let bike: Bike
    do throws(Failure) {
      bike = try client(context).add(profile)
    } catch {
      throw error.told { context.messages.report($0) }
    }
    try context.output.write(FoundBike(bike, from: nil))
  }

  /// Read from a file, no message shows what stands in it.
  private static func pin(in file: String, _ context: Context) throws(Failure) -> Pin {
    guard let pin = Pin(try context.secret(in: file, called: "PIN")) else {
      throw Failure(.usage, "'\(file)' holds no PIN: that is \(Pin.wanted)")
    }
    return pin
  }
}

/// What is known of a bike that is being added, and the questions for the rest.
struct BikeForm {
  var name: String?
  var color: FrameColor?
  var pin: Pin?
  var place: Place?

  /// The whole, once nothing is missing.
  var profile: BikeProfile? {
    guard let name, let color, let pin, let place else { return nil }
    return BikeProfile(name: name, color: color.hex, pin: pin, place: place)
  }

  var missing: [String] {
    [
      name == nil ? "--name" : nil, color == nil ? "--color" : nil, pin == nil ? "--pin-file" : nil,
      place == nil ? "--at" : nil,
    ].compactMap { $0 }
  }

  /// Asks for what is missing, field by field, then for the whole; nil when that is not confirmed.
  mutating func ask(_ prompt: Prompt, preset: Place?, swatches: Bool) throws(Failure) -> BikeProfile? {
    if name == nil {
      name = try prompt.ask("Name") { answer throws(Failure) in
        if let fault = BikeName.fault(answer) { throw Failure(.usage, fault) }
        return answer
      }
    }
    if color == nil {
      let palette = FrameColor.palette.compactMap { FrameColor($0.hex) }
      let labels = palette.map { swatches ? "\($0.style.applied(to: "██")) \($0.name)" : $0.name }
      color = palette[try prompt.choose("Colour", from: palette.map(\.name), labels: labels)]
    }
    if pin == nil {
      pin = try prompt.ask("PIN (four digits, not shown)", echo: .hidden) { answer throws(Failure) in
        guard let pin = Pin(answer) else { throw Failure(.usage, "a PIN is \(Pin.wanted)") }
        return pin
      }
    }
    if place == nil {
      place = try prompt.ask("Place (LAT,LON)", preset: preset?.description) { answer throws(Failure) in
        guard let place = Place(answer) else { throw Failure(.usage, "a place is \(Place.wanted)") }
        return place
      }
    }
    guard let profile, let color,
      try prompt.confirm("Add '\(profile.name)', \(color.name), at \(profile.place)?")
    else { return nil }
    return profile
  }
}
