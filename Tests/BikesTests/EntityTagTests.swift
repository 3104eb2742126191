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

  @Test func aTagIsOfADatabaseAReaderAndRevisions() {
    func tag(_ epoch: String, _ reader: String?, _ revisions: Int...) -> String {
      var tag = EntityTag(EntityTag.Seed(epoch: epoch), reader)
      for revision in revisions { tag.add(revision) }
      return tag.text
    }
    let tags = [
      tag("e", nil), tag("f", nil), tag("e", ""), tag("e", "a"), tag("e", "b"), tag("e", nil, 1),
      tag("e", nil, 2), tag("e", nil, 1, 2), tag("e", nil, 2, 1),
    ]
    #expect(Set(tags).count == tags.count, "\(tags)")
    #expect(tag("e", nil, 1, 2) == tags[7])
    // Clients keep it when the server is replaced by a newer one.
    #expect(
      [tags[2], tags[7], tag("e", "a", 7)] == [
        "\"2q1do67cm1tig\"", "\"29b5inrg4vb3a\"", "\"2uc6l5v8ges3h\"",
      ])
  }
}
