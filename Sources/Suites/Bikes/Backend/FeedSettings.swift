import Command
import HTTP
import System

extension FeedSystem {
  private static let feedID = Setting(
    "feed-id", ValueKind<String>.line("ID"), default: FeedSystem().id, scope: .serve,
    "Set the system id of the feed", details: "It should be unique among all feeds of the world.")
  private static let feedName = Setting(
    "feed-name", ValueKind<String>.line("NAME"), default: FeedSystem().name, scope: .serve,
    "Set the name of the system in the feed")
  private static let feedOperator = Setting(
    "feed-operator", ValueKind<String>.line("NAME"), scope: .serve, "Set the operator in the feed")
  private static let feedZone = Setting(
    "feed-timezone", ValueKind<String>.timeZone, default: FeedSystem().timeZone, scope: .serve,
    "Set the time zone of the feed, such as Europe/Berlin")
  private static let feedLicense = Setting(
    "feed-license", ValueKind<String>.webAddress, scope: .serve, "Set the license URL of the feed's data")
  private static let feedEmail = Setting(
    "feed-email", ValueKind<String>.email, default: FeedSystem().email, scope: .serve,
    "Set the e-mail address for questions about the feed")

  static let settings: [any Declared] = [
    feedID, feedName, feedOperator, feedZone, feedLicense, feedEmail,
  ]

  init(_ options: ServerOptions) throws(Failure) {
    try Self.check(timeZone: options[Self.feedZone], in: "/usr/share/zoneinfo")
    self.init(
      id: options[Self.feedID], name: options[Self.feedName], operatorName: options[Self.feedOperator],
      timeZone: options[Self.feedZone], licenseURL: options[Self.feedLicense],
      email: options[Self.feedEmail])
  }

  /// Refuses a time zone that is not in the database. Without a database the form suffices.
  static func check(timeZone: String, in database: String) throws(Failure) {
    guard File.exists(database), !File.exists("\(database)/\(timeZone)") else { return }
    throw Failure(
      .usage, "'\(feedZone.declaration.name)' requires a time zone, not '\(timeZone)'",
      hint: "'ls \(database)' lists them")
  }
}

extension ValueKind where Value == String {
  fileprivate static func line(_ valueName: String) -> ValueKind {
    ValueKind(valueName, expects: "a visible text of one line") { text in
      BikeName.problem(text) == nil ? text : nil
    }
  }

  /// A name of the form `Area/City`.
  fileprivate static var timeZone: ValueKind {
    ValueKind("ZONE", expects: "the name of a time zone, such as Europe/Berlin") { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      let isValid =
        (2...3).contains(parts.count)
        && parts.allSatisfy { part in
          part.first?.isLetter == true
            && part.utf8.allSatisfy { $0.isASCIIAlphanumeric || "_+-".utf8.contains($0) }
        }
      return isValid ? text : nil
    }
  }

  fileprivate static var webAddress: ValueKind {
    ValueKind("URL", expects: "an http or https address") { text in
      guard let url = try? URL(text), url.scheme.hasHost else { return nil }
      return "\(url)"
    }
  }

  fileprivate static var email: ValueKind {
    ValueKind("ADDRESS", expects: "an e-mail address") { text in
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      let isValid =
        parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
        && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || ".!#$%&'*+/=?^_`{|}~-@".utf8.contains($0) }
        && !parts[1].split(separator: ".", omittingEmptySubsequences: false).contains("")
      return isValid ? text : nil
    }
  }
}
