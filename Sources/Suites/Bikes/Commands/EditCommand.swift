import Command
import HTTP
import Output
import System

extension Bikes {
  static let edit = Command(
    "edit", "Change the name, color, PIN or place of a bike",
    discussion: """
      The owner of a bike and an admin can edit it, also while it is rented: 'hw bikes rented' then shows a new PIN. \
      Values that are not given do not change. --dry-run does not ask the server, which may refuse the edit.
      """,
    operands: [id], options: [name, frameColor, pin, pinFile, at, Confirmation.dryRun, tokenFile],
    settings: [location],
    exclusions: [Exclusion(pin, pinFile)],
    output: .one(FoundBike.self).schemaVersion(2),
    needs: [.network, .writes],
    examples: [
      Example("hw bikes edit 1 --name Johann --frame-color red", "a new name and a new color"),
      Example("echo 4711 | hw bikes edit 1 --pin-file -", "a new PIN"),
      Example("hw bikes edit 1 --at 50.12,8.64 --dry-run", "check what would be changed"),
    ]
  ) { call, context throws(Failure) in
    let id = try call[id]
    let change = BikeChange(
      name: call[name], color: call[frameColor]?.hex, pin: try pin(call, context), place: call[at])
    guard !change.isEmpty else {
      throw Failure(
        .usage, "nothing to change in bike '\(id)'",
        hint: "use one or more of --name, --frame-color, --pin-file and --at")
    }
    if let name = change.name, let problem = BikeName.problem(name) {
      throw Failure(.usage, "'--name': \(problem)")
    }
    let client = try client(context)
    guard !call[Confirmation.dryRun] else {
      return try context.output.write(FoundBike(client.bike(id).taking(change), from: call[location]))
    }
    do throws(Failure) {
      let bike = try client.edit(id, change)
      // Without a home directory there are no notes.
      (try? RentalSession(context))?.noteChange(change, of: bike)
      try context.output.write(FoundBike(bike, from: call[location]))
    } catch {
      throw error.reportingInterruption { context.reportInterruption($0) }
    }
  }
}
