import JSON
import System

/// A place's name in some languages; which ones differs from place to place.
struct LocatedName {
  /// As the service sent it: locale → name.
  let names: JSON

  /// Fails (`invalidData`) where the value is no object of texts.
  init(_ json: JSON) throws(Failure) {
    var members = try json.members
    while let name = members.nextValue() {
      if name.kind != .string, name.kind != .null { _ = try name.string }
    }
    names = json
  }

  init?(orNull json: JSON) throws(Failure) {
    guard let json = json.orNull else { return nil }
    try self.init(json)
  }

  /// The rankings wrap the object in a string: a text that holds JSON. The object itself will do as well.
  init?(wrapped json: JSON) throws(Failure) {
    guard let json = json.orNull else { return nil }
    let inner = try json.unwrapped
    if inner.orNull == nil { return nil }
    do throws(Failure) {
      try self.init(inner)
    } catch {
      // The path inside the string says nothing about the way to it.
      guard json.kind == .string else { throw error }
      throw json.invalid("in the JSON text of this string: \(error.message)")
    }
  }

  /// The name in the language, or the nearest there is; nil where there is none at all.
  subscript(_ language: Language) -> String? {
    // Nearly always it is there under the very locale; to compare with each costs a table half its time.
    if let name = try? names[language.usual].orNull?.string { return name }
    var best: (name: String, distance: Int)?
    // Both were read before: an object of texts.
    guard let members = try? names.members else { return nil }
    for (locale, name) in members {
      let distance = language.distance(to: locale)
      guard distance < best?.distance ?? .max, let text = try? name.string else { continue }
      best = (text, distance)
    }
    return best?.name
  }

  /// Whether any of its names is this one, in any case.
  func isCalled(_ name: String) -> Bool {
    guard let members = try? names.members else { return false }
    let wanted = name.lowercased()
    for (_, value) in members {
      if let text = try? value.string, text.lowercased() == wanted { return true }
    }
    return false
  }
}

/// The language that names are shown in: a tag such as `pt-BR`.
struct Language: Equatable, Sendable {
  let tag: String
  /// As the service spells it, where it has names in it.
  let usual: String

  /// Those that the service has names in.
  static let known = ["de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"]
  static let english = Language(tag: "en", usual: "en")

  private init(tag: String, usual: String) {
    self.tag = tag
    self.usual = usual
  }

  /// A tag of a known language, with any region: `de-AT` is German. Nil for others.
  init?(_ text: String) {
    let tag = String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
    let primary = Language.primary(of: tag)
    guard let known = Language.known.first(where: { Language.primary(of: $0) == primary }) else { return nil }
    let folded = tag.lowercased()
    self.init(tag: folded, usual: known.lowercased() == folded ? known : folded)
  }

  /// As POSIX has it for messages: the first of these variables that is set decides. English where it names none of
  /// the known languages.
  init(environment: Environment) {
    let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]
    self = locale.flatMap { Language($0) } ?? .english
  }

  /// How far a locale is: the exact one, one of the same language, English, any other.
  func distance(to locale: String) -> Int {
    let locale = locale.lowercased()
    if locale == tag { return 0 }
    if Language.primary(of: locale) == Language.primary(of: tag) { return 1 }
    return Language.primary(of: locale) == "en" ? 2 : 3
  }

  private static func primary(of tag: String) -> String {
    tag.prefix { $0 != "-" }.lowercased()
  }
}
