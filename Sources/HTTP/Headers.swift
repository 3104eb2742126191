/// Header fields in the order they came; names compare without case.
public struct Headers: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var fields: [Field]

  public struct Field: Equatable, Sendable {
    public var name: String
    public var value: String
  }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first value of that name; setting replaces every one of them.
  public subscript(_ name: String) -> String? {
    get { fields.first { Headers.same($0.name, name) }?.value }
    set {
      fields.removeAll { Headers.same($0.name, name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Every value of that name, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { Headers.same($0.name, name) }.map(\.value)
  }

  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  private static func same(_ a: String, _ b: String) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

extension Headers {
  /// The members of a field that is a list, every line of it, in lower case.
  func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String(decoding: Array($0.lowercased().utf8)[...].trimmingBlanks, as: UTF8.self) }
  }
}

extension StringProtocol {
  /// `Name: value`, taken apart.
  var splitField: (name: String, value: String)? {
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let value = self[index(after: colon)...]
    return (String(self[..<colon]), String(value.drop { $0 == " " }))
  }
}

/// What a service says about keeping its answer, as far as a private cache minds (RFC 9111).
struct CacheControl: Equatable {
  /// May not be kept at all.
  var noStore = false
  /// May be kept, but is asked about before every use.
  var noCache = false
  /// May not be used once it is stale, come what may.
  var mustRevalidate = false
  /// How long it stays fresh, in seconds.
  var maxAge: Int64?

  init(_ headers: Headers) {
    for directive in headers.values("Cache-Control").flatMap(CacheControl.directives) {
      switch directive.name {
      case "no-store": noStore = true
      case "no-cache": noCache = true
      case "must-revalidate": mustRevalidate = true
      // Said twice, the shorter holds; what cannot be read is stale.
      case "max-age": maxAge = min(maxAge ?? .max, CacheControl.seconds(directive.value) ?? 0)
      default: break
      }
    }
  }

  /// Names in lower case, values without their quotes; a comma within quotes does not separate.
  private static func directives(_ text: String) -> [(name: String, value: String)] {
    var parts = [""]
    var quoted = false
    for character in text.unicodeScalars {
      if character == "\"" { quoted.toggle() }
      if character == ",", !quoted {
        parts.append("")
      } else if character != "\"" {
        parts[parts.count - 1].unicodeScalars.append(character)
      }
    }
    return parts.map { part in
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.filter { $0 != " " && $0 != "\t" }
      }
      return (sides[0].lowercased(), sides.count > 1 ? sides[1] : "")
    }
  }

  /// More than arithmetic can bear counts as ever.
  static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return min(Int64(text) ?? .max, 1 << 31)
  }
}
