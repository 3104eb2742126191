import JSON
import System

/// The name of a location in some languages. Which languages there are differs between locations.
struct LocalizedName {
  /// Locale → name, as the service sent it.
  let names: JSON

  /// Fails (`invalidData`) if the value is not an object of texts.
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

  /// Reads an object, or a string that contains the object as JSON: the rankings send it so.
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

  /// The name in the language, or in the nearest one. Nil if there is no name.
  subscript(_ language: Language) -> String? {
    // Nearly always the name has this locale. Comparing with each locale takes half the time of a table.
    if let name = try? names[language.locale].orNull?.string { return name }
    var best: (name: String, distance: Int)?
    // The initializer has read all members, so this does not fail.
    guard let members = try? names.members else { return nil }
    for (locale, name) in members {
      guard let text = try? name.string else { continue }
      let distance = language.distance(to: text, in: locale)
      if distance < best?.distance ?? .max { best = (text, distance) }
    }
    return best?.name
  }
}

/// The language of the names in tables: a tag such as `pt-BR`.
struct Language: Equatable, Sendable {
  let tag: String
  /// The tag as the service writes it.
  let locale: String

  /// The languages of the service.
  static let supported = ["de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-CN"]
  static let english = Language(tag: "en", locale: "en")
}

extension Language {
  /// A tag of a supported language, with any region: `de-AT` is German. Nil for other languages.
  init?(_ text: String) {
    let tag = String(text.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
    let primary = Language.primary(of: tag)
    guard let match = Language.supported.first(where: { Language.primary(of: $0) == primary }) else {
      return nil
    }
    let lowercased = tag.lowercased()
    self.init(tag: lowercased, locale: match.lowercased() == lowercased ? match : lowercased)
  }

  /// The language of messages according to POSIX: the first of these variables that is set decides. English if the
  /// service does not support the language.
  init(environment: Environment) {
    let locale = environment["LC_ALL"] ?? environment["LC_MESSAGES"] ?? environment["LANG"]
    self = locale.flatMap { Language($0) } ?? .english
  }

  /// 0 for the exact locale, 1 for the same language, 2 for English, 3 for a name in the script of the language, 4 for
  /// one in Latin script, 5 for others.
  func distance(to name: String, in locale: String) -> Int {
    let locale = locale.lowercased()
    if locale == tag { return 0 }
    if Language.primary(of: locale) == Language.primary(of: tag) { return 1 }
    if Language.primary(of: locale) == "en" { return 2 }
    let script = Script(of: name)
    return script == self.script ? 3 : script == .latin ? 4 : 5
  }

  private var script: Script {
    switch Language.primary(of: tag) {
    case "ru": .cyrillic
    case "ja", "zh": .eastAsian
    default: .latin
    }
  }

  private static func primary(of tag: String) -> String {
    tag.prefix { $0 != "-" }.lowercased()
  }
}

/// The scripts of the supported languages, as far as a reader of one of them is helped by the distinction.
private enum Script {
  case latin
  case cyrillic
  /// Chinese characters and kana.
  case eastAsian
  case other

  /// The script of the first letter.
  init(of name: String) {
    switch name.unicodeScalars.first(where: \.properties.isAlphabetic)?.value {
    case .some(0x41...0x24F), .some(0x1E00...0x1EFF): self = .latin
    case .some(0x400...0x52F): self = .cyrillic
    case .some(0x3040...0x30FF), .some(0x3400...0x9FFF), .some(0x20000...0x3FFFF): self = .eastAsian
    default: self = .other
    }
  }
}

extension LocalizedName {
  /// The name in every language of the response.
  var all: [String] {
    guard let members = try? names.members else { return [] }
    var all: [String] = []
    for (_, name) in members { if let text = try? name.string { all.append(text) } }
    return all
  }

  /// The English name, or the nearest one: what rows are sorted by, whatever the language of the table.
  var sortKey: String? { self[Language.english] }
}
