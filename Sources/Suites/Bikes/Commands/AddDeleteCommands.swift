import Command
import HTTP
import Output
import System
import Terminal

extension Bikes {
  static let name = Option(
    "name",
    ValueKind("NAME", expects: "a text that is not empty", problem: BikeName.problem) {
      BikeName.problem($0) == nil ? $0 : nil
    }, "The name of the bike")
  static let frameColor = Option(
    "frame-color",
    ValueKind(
      "COLOR", expects: FrameColor.expected,
      choices: FrameColor.palette.map { Choice($0.name, "#\($0.hex)") }
    ) { FrameColor($0) }, "The color of the frame",
    details: "A name, or six hexadecimal digits.")
  static let pin = Option(
    "pin", ValueKind("PIN", expects: Pin.expected, isSecret: true) { Pin($0) },
    "The PIN of the padlock, four digits",
    details:
      "Other users of this machine can see it in the process list. Prefer --pin-file or the prompt.")
  static let pinFile = Option(
    "pin-file", ValueKind<String>.inputFile, "Read the PIN from FILE; '-' is standard input")

  static let add = Command(
    "add", "Add a bike",
    discussion: """
      Others can rent the bike immediately. On a terminal the command prompts for missing values and then asks for \
      confirmation. Without a terminal a missing value is an error. The original server refuses a coordinate of \
      exactly 0.
      """,
    options: [name, frameColor, pin, pinFile, at, tokenFile], settings: [location],
    exclusions: [Exclusion(pin, pinFile)],
    output: .one(FoundBike.self).schemaVersion(2)
      .hintIfLost("'hw bikes list --anywhere' shows the bike; do not add it again"),
    needs: [.network, .writes],
    examples: [
      Example(
        "echo 4711 | hw bikes add --name Wanda --frame-color red --pin-file - --at 50.12,8.64",
        "add a bike, with the PIN from standard input")
    ],
    failures: [.no]
  ) { call, context throws(Failure) in
    var form = BikeForm()
    form.name = call[name]
    form.color = call[frameColor]
    form.place = position(call, at)
    form.pin = try pin(call, context)
    let profile: BikeProfile
    if let whole = form.profile {
      profile = whole
    } else {
      guard context.host.isInteractive else {
        let stream = context.host.hasPipedInput ? "standard input" : "standard error"
        let missing = form.missing
        throw Failure(
          .usage, "missing \(missing.joined(separator: ", "))",
          hint: "\(stream) is not a terminal, so hw does not prompt for \(missing.count == 1 ? "it" : "them")"
        )
      }
      // The default position is only proposed.
      form.place = call[at]
      let swatches = context.output.settings.screen?.color ?? false
      guard
        let answer = try form.ask(context.host.prompt(), preset: call[location], swatches: swatches)
      else { throw Failure(.no, "nothing was added") }
      profile = answer
    }
    let bike = try context.reportingInterruption { () throws(Failure) in
      try serverClient(context).add(profile)
    }
    try context.output.write(FoundBike(bike, from: call[location]))
  }

  /// The PIN from `--pin` or `--pin-file`. Errors do not include the contents of the file.
  static func pin(_ call: Invocation, _ context: Context) throws(Failure) -> Pin? {
    guard let file = call[pinFile] else { return call[pin] }
    guard let pin = Pin(try context.secret(in: file, called: "PIN")) else {
      throw Failure(.usage, "'\(file)' contains no PIN: that is \(Pin.expected)")
    }
    return pin
  }

  static let delete = Command(
    "delete", "Delete bikes",
    discussion: """
      The owner of a bike and an admin can delete it while it is not rented, or if it is missing ('hw bikes edit \
      --state'). Its history remains. A server without users does not delete bikes. On a terminal the command asks for \
      confirmation, once for all bikes. --dry-run does not ask the server, which may refuse.

      Several bikes are deleted one by one. A failure is reported, the others are deleted, and the status is that of \
      the first failure.
      """,
    usage: ["ID...", "-"],
    operands: [ids], options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .rows(Deleted<DeletedBike>.self, text: "One line per bike.").schemaVersion(2),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw bikes delete 1 --yes", "delete a bike without confirmation"),
      Example("hw bikes delete 1 2 --yes", "delete two bikes"),
      Example("hw bikes delete 1 --dry-run", "check what would be deleted"),
    ]
  ) { call, context throws(Failure) in
    let client = try serverClient(context)
    let isDryRun = call[Confirmation.dryRun]
    let named = try call[ids]
    if !isDryRun, !named.isEmpty {
      let list = named.map(\.terminalSafe).joined(separator: ", ")
      try context.confirmIfInteractive(
        named.contains("-")
          ? "Delete all bikes whose ids are given?"
          : "Delete \(named.count == 1 ? "bike" : "bikes") \(list)?")
    }
    try writeEach(named, context, client) { id throws(Failure) in
      guard !isDryRun else {
        let name = try client.bike(id).name
        return Deleted(
          DeletedBike(id: id, name: name, isDeleted: false), "bike \(id), \(name),", isDryRun: true)
      }
      try context.reportingInterruption { () throws(Failure) in try client.delete(id) }
      // A missing bike can be deleted while it is rented.
      RentalSession.updateNote(of: id, context) { session throws(Failure) in
        if !session.isReplayed { try session.notes?.remove(id) }
      }
      return Deleted(DeletedBike(id: id, name: nil, isDeleted: true), "bike \(id)", isDryRun: false)
    }
  }
}

private struct DeletedBike: Row {
  let id: String
  /// The name, which only --dry-run requests.
  let name: String?
  let isDeleted: Bool

  static let fields: Fields<DeletedBike> = [
    .text("id", "Id", "the id of the bike") { $0.id },
    .text("name", "Name", "its name, with --dry-run", orNull: { $0.name }),
    .flag("deleted", "Deleted", "false with --dry-run") { $0.isDeleted },
  ]
}
