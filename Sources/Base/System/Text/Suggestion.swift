public enum Suggestion {
  /// Hint `did you mean 'top'?`, if a candidate is near enough.
  public static func phrase(for name: String, among candidates: [String]) -> String? {
    nearest(to: name, among: candidates).map { "did you mean '\($0)'?" }
  }

  /// Nearest candidate within `limit` edits; the default depends on the length of the name.
  public static func nearest(
    to name: String, among candidates: [String], within limit: Int? = nil
  ) -> String? {
    let typed = Array(name.lowercased().unicodeScalars)
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates where !areOpposites(name, candidate) {
      let known = Array(candidate.lowercased().unicodeScalars)
      var distance = Suggestion.distance(typed, known)
      // An incomplete word is nearer than its number of missing letters.
      if limit == nil, typed.count >= 2, known.starts(with: typed) { distance = min(distance, 1) }
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    guard let best, best.distance <= limit ?? max(1, typed.count / 3) else { return nil }
    return best.name
  }

  private static func areOpposites(_ name: String, _ candidate: String) -> Bool {
    name == "un\(candidate)" || candidate == "un\(name)" || Set([name, candidate]) == ["export", "import"]
  }

  /// Number of insertions, deletions, replacements and swaps of neighbors (optimal string alignment).
  static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var twoAbove: [Int] = []
    var above = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(above[j] + (a[i] == b[j] ? 0 : 1), above[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, twoAbove[j - 1] + 1) }
        row.append(cost)
      }
      twoAbove = above
      above = row
    }
    return above[b.count]
  }
}
