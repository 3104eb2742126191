import System

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
