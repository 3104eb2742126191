import Command
import Server
import System

/// The bikes suite.
public enum Bikes {
  public static let suite = Suite(
    "bikes", "Shared bikes: find, rent and return them, bring your own",
    discussion: """
      A community shares its bikes: each has a padlock with a PIN, stands anywhere, and belongs to whoever needs it until \
      it is returned, anywhere again. 'hw serve' is the backend of a whole town; its routes are those of the original \
      node server, and the commands work with both.

      Places are LAT,LON in degrees of WGS 84. HW_LOCATION is where you are, unless a command is told. A PIN is shown \
      to who rents the bike, and never stands in a list.
      """,
    service: service,
    backend: { settings, _ throws(Failure) in try BikesBackend(settings).backend },
    checks: checks,
    commands: [
      list, map, show, add, rent, giveBack, rented, importBikes, export, gbfs, history, delete, userAdd,
    ]
  )

  static let service = Service(
    "bikes", address: "embedded:",
    credential: Credential(header: "X-Authorization", setting: "token", file: tokenFile))

  static func client(_ context: Context) throws(Failure) -> BikesClient {
    BikesClient(endpoint: try context.endpoint(service))
  }
}
