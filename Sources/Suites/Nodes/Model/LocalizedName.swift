import JSON
import System

/// The name of a location in those languages that the service has for it.
struct LocalizedName {
  let names: JSON

  /// Fails (`invalidData`) if the value is not an object of strings.
  init(_ json: JSON) throws(Failure) {
    var members = try json.members
    while let name = members.nextValue() {
      // Reading throws for other kinds; strings are not decoded before they are used.
      if name.kind != .string, name.kind != .null { _ = try name.string }
    }
    names = json
  }

  init?(orNull json: JSON) throws(Failure) {
    guard let json = json.orNull else { return nil }
    try self.init(json)
  }

  /// Reads an object, or a string that contains an object as JSON, as rankings have it.
  init?(wrapped json: JSON) throws(Failure) {
    guard let json = json.orNull else { return nil }
    let inner = try json.unwrapped
    if inner.orNull == nil { return nil }
    do throws(Failure) {
      try self.init(inner)
    } catch {
      // The path in this message begins inside the string. The outer error adds the path to the string.
      guard json.kind == .string else { throw error }
      throw json.invalid("in the JSON text of this string: \(error.message)")
    }
  }

  /// The name in the language, or in the nearest one; nil if there is no name.
  subscript(_ language: Language) -> String? {
    // Nearly all names have this locale. Comparing all of them would take half the time of a table.
    if let name = try? names[language.locale].orNull?.string { return name }
    var best: (locale: String, name: String, distance: Int)?
    // Cannot fail: the initializer has read all members.
    guard let members = try? names.members else { return nil }
    for (locale, name) in members {
      guard let text = try? name.string else { continue }
      let distance = language.distance(to: locale)
      // The last name of a repeated locale counts.
      if distance < best?.distance ?? .max || locale == best?.locale { best = (locale, text, distance) }
    }
    return best?.name
  }
}

/// The language of place names in tables. `tag` is in lower case; `locale` is the key of the service, such as `pt-BR`.
struct Language: Equatable, Sendable {
  let tag: String
  let locale: String

  static let supported = ["de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"]
  static let english = Language(tag: "en", locale: "en")
}

extension Language {
  /// Reads the tag of a supported language with any region: `de-AT` is German. Returns nil for other languages.
  init?(_ text: String) {
    let tag = String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
    let primary = Language.primary(of: tag)
    guard let match = Language.supported.first(where: { Language.primary(of: $0) == primary }) else {
      return nil
    }
    let lowercased = tag.lowercased()
    self.init(tag: lowercased, locale: match.lowercased() == lowercased ? match : lowercased)
  }

  /// The language of messages as in POSIX: the first of these variables that is set, or English if it is not supported.
  init(environment: Environment) {
    let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]
    self = locale.flatMap { Language($0) } ?? .english
  }

  /// 0 for the exact locale, 1 for the same language, 2 for English, 3 for a language in Latin script, 4 for others.
  func distance(to locale: String) -> Int {
    let locale = locale.lowercased()
    if locale == tag { return 0 }
    let primary = Language.primary(of: locale)
    if primary == Language.primary(of: tag) { return 1 }
    return primary == "en" ? 2 : ["de", "es", "fr", "pt"].contains(primary) ? 3 : 4
  }

  private static func primary(of tag: String) -> String { tag.prefix { $0 != "-" }.lowercased() }
}

extension LocalizedName {
  var all: [String] {
    guard let members = try? names.members else { return [] }
    return members.compactMap { try? $0.value.string }
  }

  /// The English name, or the nearest one. Sorting does not depend on the language of the table.
  var sortKey: String? { self[Language.english] }
}
