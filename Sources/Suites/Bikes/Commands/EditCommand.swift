import Command
import HTTP
import Output
import System

extension Bikes {
  static let state = Option(
    "state", ValueKind<BikeState>.choice, "Set whether the bike can be rented",
    details: "A bike that is rented can be withdrawn: it stays withdrawn after its return.")

  static let edit = Command(
    "edit", "Change the values or the state of a bike",
    discussion: """
      The owner of a bike and an admin can edit it, also while it is rented: 'hw bikes rented' then shows a new PIN. \
      The renter can only move it, which is a part of the rental and not in the history as an edit. A withdrawn or \
      missing bike cannot be rented, and only its owner and admins have it in their lists. Values that are not given \
      do not change. --dry-run does not ask the server, which may refuse the edit.
      """,
    operands: [id], options: [name, frameColor, pin, pinFile, at, state, Confirmation.dryRun, tokenFile],
    settings: [location],
    exclusions: [Exclusion(pin, pinFile)],
    output: .one(FoundBike.self).schemaVersion(2),
    needs: [.network, .writes],
    examples: [
      Example("hw bikes edit 1 --name Johann --frame-color red", "a new name and a new color"),
      Example("echo 4711 | hw bikes edit 1 --pin-file -", "a new PIN"),
      Example("hw bikes edit 1 --state withdrawn", "withdraw a bike, for instance for a repair"),
      Example("hw bikes edit 1 --at 50.12,8.64 --dry-run", "check what would be changed"),
    ]
  ) { call, context throws(Failure) in
    let id = try call[id]
    let change = BikeChange(
      name: call[name], color: call[frameColor]?.hex, pin: try pin(call, context), place: call[at],
      state: call[state])
    guard !change.isEmpty else {
      throw Failure(
        .usage, "nothing to change in bike '\(id)'",
        hint: "use one or more of --name, --frame-color, --pin-file, --at and --state")
    }
    let client = try serverClient(context)
    guard !call[Confirmation.dryRun] else {
      let bike = try client.resolving(id) { id throws(Failure) in try client.bike(id) }
      return try context.output.write(FoundBike(bike.applying(change), from: call[location]))
    }
    try context.reportingInterruption { () throws(Failure) in
      let bike = try client.resolving(id) { id throws(Failure) in try client.edit(id, change) }
      RentalSession.updateNote(of: bike.id, context) { $0.noteChange(change, of: bike) }
      try context.output.write(FoundBike(bike, from: call[location]))
    }
  }
}

extension BikeState: ChoiceValue {
  var meaning: String {
    switch self {
    case .available: "it can be rented"
    case .withdrawn: "nobody can rent it, for instance during a repair"
    case .missing: "it is lost; it can be deleted while it is rented"
    }
  }
}
