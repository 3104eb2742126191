import Testing

@testable import System

@Suite struct SuggestionTests {
  private static let names = ["top", "show", "snapshot", "diff", "--limit", "--json", "connectivity"]

  @Test(
    arguments: [
      // One slip: a letter left out, put in, replaced, swapped.
      ("to", "top"), ("topp", "top"), ("tob", "top"), ("otp", "top"), ("shwo", "show"),
      ("snapshto", "snapshot"), ("dif", "diff"), ("--limti", "--limit"), ("--jsno", "--json"),
      // Case does not count, and two letters or more of the front are enough.
      ("TOP", "top"), ("con", "connectivity"), ("connect", "connectivity"), ("sn", "snapshot"),
      // A slip for every three letters.
      ("conectivty", "connectivity"), ("snpshto", "snapshot"),
      // Nothing near.
      ("", nil), ("rewind", nil), ("xyz", nil), ("zzzzzzzzzzzz", nil),
    ] as [(String, String?)])
  func nearest(typed: String, meant: String?) {
    #expect(Suggestion.nearest(to: typed, among: SuggestionTests.names) == meant)
    #expect(
      Suggestion.phrase(for: typed, among: SuggestionTests.names) == meant.map { "did you mean '\($0)'?" })
  }

  @Test(
    arguments: [
      // One slip below six letters, and then one for every three.
      ("", ["y"], nil), ("x", [], nil), ("x", ["y"], "y"), ("x", ["yz"], nil), ("abxye", ["abcde"], nil),
      ("abxyef", ["abcdef"], "abcdef"),
      ("abxyzfgh", ["abcdefgh"], nil), ("abxyzfghi", ["abcdefghi"], "abcdefghi"),
      // The front is enough from two letters on.
      ("s", ["show"], nil), ("sh", ["show"], "show"), ("con", ["connectivity", "contact"], "connectivity"),
      // The name itself is nearer than one that goes on.
      ("show", ["shows", "show"], "show"),
      // The first of those that are equally near, and never the opposite.
      ("cat", ["bat", "hat"], "bat"), ("unrent", ["rent"], nil), ("set", ["unset"], nil),
      ("export", ["import"], nil), ("import", ["export"], nil),
      (
        String(repeating: "a", count: 64), ["x", String(repeating: "a", count: 64)],
        String(repeating: "a", count: 64)
      ),
      (String(repeating: "a", count: 65), [String(repeating: "a", count: 65)], nil),
    ] as [(String, [String], String?)])
  func limits(typed: String, known: [String], meant: String?) {
    #expect(Suggestion.nearest(to: typed, among: known) == meant)
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1),
    ("abc", "abxc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("é", "e", 1),
  ])
  func distance(a: String, b: String, distance: Int) {
    #expect(Suggestion.distance(Array(a.unicodeScalars), Array(b.unicodeScalars)) == distance)
    #expect(Suggestion.distance(Array(b.unicodeScalars), Array(a.unicodeScalars)) == distance)
  }
}
