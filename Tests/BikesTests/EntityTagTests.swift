import Testing

@testable import Bikes

@Suite struct EntityTags {
  private static let tag = "\"a1\""

  @Test(
    arguments: [
      (tag, true), ("*", true), ("W/\(tag)", true), ("\"b\", \(tag)", true), ("\"b\",W/\(tag)", true),
      ("\(tag), \"b\"", true), ("  \(tag)", true), ("", false), ("a1", false), ("\"a2\"", false),
      ("W/\"a2\"", false), ("w/\(tag)", false), ("X/\(tag)", false), ("\"b\", W/\"a2\"", false),
      ("W/", false),
    ])
  func aFieldThatContainsOne(field: String, contains: Bool) {
    #expect(EntityTag.matches(field, Self.tag) == contains)
  }
}
