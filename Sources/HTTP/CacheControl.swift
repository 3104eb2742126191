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
