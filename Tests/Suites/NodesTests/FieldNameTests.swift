import Output
import Testing

@testable import Nodes

/// Within the suite one thing has one field name, and one field name one meaning.
@Suite struct FieldNameTests {
  private static let columns =
    RankedNode.fields.map(\.column) + NodeDetailRow.fields.map(\.column) + NodeChange.fields.map(\.column)
    + SearchResultRow.fields.map(\.column) + SavedSnapshot.fields.map(\.column)
    + ListedSnapshot.fields.map(\.column)

  @Test func oneNamePerThing() {
    for column in FieldNameTests.columns {
      let same = FieldNameTests.columns.filter { $0.title == column.title || $0.path == column.path }
      #expect(same.allSatisfy { $0.title == column.title && $0.path == column.path }, "\(column.path)")
      #expect(same.allSatisfy { $0.type == column.type }, "\(column.path)")
    }
  }

  /// What `top` lists can be asked of `show` as well.
  @Test func showHasTheFieldsOfTop() {
    let shown = NodeDetailRow.fields.map(\.column.path)
    for field in RankedNode.fields where field.column.path != "rank" {
      #expect(shown.contains(field.column.path))
    }
  }
}
