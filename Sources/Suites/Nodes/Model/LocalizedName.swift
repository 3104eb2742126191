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

extension LocalizedName {
  var all: [String] {
    guard let members = try? names.members else { return [] }
    return members.compactMap { try? $0.value.string }
  }

  /// The English name, or the nearest one. Sorting does not depend on the language of the table.
  var sortKey: String? { self[Language.english] }
}
