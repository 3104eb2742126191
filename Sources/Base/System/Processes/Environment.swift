public struct Environment: Sendable {
  private let fixed: [String: String]?

  /// Variables of the process, read one at a time: start-up pays only for those in use.
  public static let process = Environment(fixed: nil)

  public init(_ variables: [String: String]) { self.init(fixed: variables) }

  private init(fixed: [String: String]?) { self.fixed = fixed }

  /// Value of the variable; an empty variable counts as unset, as in POSIX tools.
  public subscript(_ name: String) -> String? {
    let value: String?
    if let fixed {
      value = fixed[name]
    } else {
      value = unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    return value?.isEmpty == true ? nil : value
  }

  /// Reason why nobody can answer a prompt or use a screen or a pager; nil if a person may be present.
  public var unattendedReason: String? {
    if let name = ["CI", "AI_AGENT", "AGENT"].first(where: { self[$0] != nil }) { return "\(name) is set" }
    return self["TERM"] == "dumb" ? "TERM is 'dumb'" : nil
  }

  /// Whether such a variable exists; cheaper than to look up each name.
  public func hasVariable(beginningWith prefix: StaticString) -> Bool {
    if let fixed { return fixed.keys.contains { $0.hasPrefix("\(prefix)") } }
    var entry = unsafe environ
    while let variable = unsafe entry.pointee {
      if unsafe strncmp(variable, prefix.utf8Start, prefix.utf8CodeUnitCount) == 0 { return true }
      unsafe entry += 1
    }
    return false
  }

  public var all: [String: String] {
    if let fixed { return fixed }
    var all: [String: String] = [:]
    var entry = unsafe environ
    while let variable = unsafe entry.pointee {
      let text = unsafe String(cString: variable)
      // A combining character may follow: as a `Character` it is not '='.
      if let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) {
        all[String(text[..<equals])] = String(text[text.utf8.index(after: equals)...])
      }
      unsafe entry += 1
    }
    return all
  }

  /// Environment for other programs: without tokens, keys and passwords, and without the addresses of hw's stores.
  public var withoutSecrets: Environment {
    let names = all.keys.filter { name in
      ["_TOKEN", "_KEY", "PASSWORD"].contains(where: name.hasSuffix)
        || name.hasPrefix("HW_") && name.contains("STORE")
    }
    return names.isEmpty ? self : setting([:], removing: names)
  }

  var entries: [String] { all.map { "\($0)=\($1)" }.sorted() }

  public func setting(_ variables: [String: String], removing removed: [String] = []) -> Environment {
    Environment(all.filter { !removed.contains($0.key) }.merging(variables) { $1 })
  }
}
