import JSON
import System
import TestSupport
import Testing

@testable import Output

@Suite struct ConditionTests {
  @Test(
    arguments: [
      ("a=1", "a=1"), ("a != b", "a!=b"), ("a.b>=1", "a.b>=1"), ("a<1", "a<1"), ("a*=x=y", "a*=x=y"),
      ("a=", "a="), ("a= x", "a=x"), ("a=x ", "a=x"), ("a = x", "a=x"), ("a<=2", "a<=2"), ("a>b<c", "a>b<c"),
      ("a!b=1", "a!b=1"), ("a==1", "a==1"), ("a == 1", "a==1"), ("a = =1", "a==1"), ("a!==1", "a!==1"),
      ("capacity", nil), ("", nil), ("=1", nil), ("  = 1", nil), ("a!b", nil), ("a*b", nil),
    ] as [(String, String?)])
  func conditionIsParsed(text: String, meaning: String?) { #expect(Condition(text)?.text == meaning) }

  /// What holds for a value, by its JSON.
  @Test(arguments: [
    ("1", "x=1 x=1.0 x>0 x>=1 x<=1 x<1e400 x!=2 x*=1", "x=2 x!=1 x>1 x<1 x=a x>a x*=2 x="),
    ("9007199254740993", "x>9007199254740992 x!=9007199254740992", "x=9007199254740992 x<=9007199254740992"),
    ("-1e400", "x<5 x=-1e400", "x>5 x=0"), (#""null""#, "x!=null x*=null", "x=null"),
    (#""b""#, "x!=null x=b x=B x>a x<c x*=B x!=a", "x=a x*=c x>b x= x!=B"),
    // Only `=` and `!=` with an empty value ask whether there is one at all.
    (#""b""#, "x> x>= x*=", "x< x<="), (#""Straße""#, "x=STRAßE x=straße x=Strasse", "x!=Strasse x=Straß"),
    (#""[a""#, "x=[A x!={a", "x={a x=;a x=[ab"), (#""10""#, "x=10 x=1e1 x>9 x<a", "x<9 x=010"),
    ("true", "x=true x!=false x=TRUE", "x=1 x>false x!=TRUE x<true x>=true x*=true x*=t"),
    ("null", "x= x!=1 x=null", "x!=null x>=null x*=null x=1 x!= x<1 x>1 x<=1 x*=n"),
    (#""""#, "x= x*= x<a", "x!= x=a"), (#"["a","b"]"#, "x=a x=b x=B x*=B x!=c x!=", "x=c x!=a x="),
    ("[]", "x= x!=a", "x=a x!="), (#"{"a":1}"#, "x!=1 x!=", "x=1 x= x*=a"),
  ])
  func conditionSelectsMatchingRows(value: String, holds: String, fails: String) throws {
    let cell = FieldValue.json(try JSON.parse(value))
    for text in holds.split(separator: " ") {
      #expect(try #require(Condition(String(text))).matches(cell), "\(text) holds for \(value)")
    }
    for text in fails.split(separator: " ") {
      #expect(!(try #require(Condition(String(text))).matches(cell)), "\(text) does not hold for \(value)")
    }
  }

  struct Part: Row {
    var name: String
    var size: Int?
    var tags: [String] = []
    var kind = "round"

    static let fields: Fields<Part> = [
      .text("name", "Name", "what it is called") { $0.name },
      Field.integer("size", "Size", "how large it is", orNull: { $0.size })
        .shown { TableCell("\($0.size ?? 0) mm") },
      .list("tags", "Tags", "what is said of it") { $0.tags },
      Field(Column("kind", title: "Kind", meaning: "its kind", type: .choice(["round", "square"]))) {
        .text($0.kind)
      }, .flag("good", "Good", "whether it is") { $0.size != nil },
      Field.text("height", "Height", "its height") {
        ["c": "7-0", "a": "6-11", "B": "6-9"][$0.name] ?? "6-10"
      }.measured(
        by: Scale("a height (6-9)") { text in
          let parts = text.split(separator: "-").compactMap { Int64($0) }
          return parts.count == 2 ? parts[0] * 12 + parts[1] : nil
        }), Field.text("shape", "Shape", "its shape") { $0.kind }.among(["round", "square"]),
      Field.object("names", "Names", "locale → name", orNull: { _ in nil }).among(["de", "en"]),
    ]
  }

  private let parts = [
    Part(name: "c", size: 3, tags: ["x"]), Part(name: "a", size: nil),
    Part(name: "B", size: 1, kind: "square"), Part(name: "d", size: 1),
  ]

  private let today = CalendarDay(daysSinceEpoch: 19_000)

  private func selection(_ conditions: [String], _ sort: String?, _ limit: Int? = nil) throws -> ListSelection
  {
    ListSelection(
      conditions: try conditions.map { try #require(Condition($0)) }, order: sort.flatMap { SortOrder($0) },
      limit: limit)
  }

  private func selectionOfParts(
    _ conditions: [String], _ sort: String?, _ limit: Int? = nil
  ) throws -> ListSelection {
    var list = try selection(conditions, sort, limit)
    try list.resolve(against: Part.fields.map(\.column), today: today)
    return list
  }

  private struct Item: Row {
    let id: String?

    static let fields: Fields<Item> = [Field.text("id", "Id", "its id", orNull: { $0.id })]
  }

  /// Two values that are written as numbers compare as numbers: in declared rows, and in rows of any JSON, of which some
  /// have numbers and some have texts. Other texts are neither less nor greater than a number.
  @Test(
    arguments: [
      (nil, "id", ["-1", "007", "9", "10", "12.5", "a", "-"]),
      (nil, "-id", ["a", "12.5", "10", "9", "007", "-1", "-"]), ("id>9", nil, ["10", "12.5"]),
      ("id>=1e1", nil, ["10", "12.5"]), ("id=10.0", nil, ["10"]), ("id=007", nil, ["007"]),
      ("id<=9", nil, ["9", "007", "-1"]), ("id=", nil, ["-"]),
      ("id!=9", nil, ["10", "a", "-", "007", "12.5", "-1"]), ("id*=0", nil, ["10", "007"]),
    ] as [(String?, String?, [String])])
  func numbersCompareInEachJSONType(condition: String?, order: String?, ids: [String]) throws {
    var list = try selection(condition.map { [$0] } ?? [], order)
    let all = ["10", "a", nil, "9", "007", "12.5", "-1"]
    let declared = try RowSelection<Item>(list).applied(to: all.map { Item(id: $0) }).map { $0.id ?? "-" }
    #expect(declared == ids)
    list.resolveForAnyFields(today: today)
    let conditions = list.conditions.map { (condition: $0, column: UndeclaredColumn(named: $0.field)) }
    for isNumber in [false, true] {
      let rows = try all.map { id in
        let text = id.map { isNumber && $0 != "a" && $0 != "007" ? $0 : "\"\($0)\"" }
        return UndeclaredRow(try JSON.parse(#"{"id":\#(text ?? "null")}"#), number: 1)
      }
      let found = try RowSelection(undeclared: list).applied(to: rows.filter { try $0.meets(conditions) }).map
      { row in
        var text: [UInt8] = []
        FieldValue.json(row.json["id"]).appendText(to: &text)
        return text.isEmpty ? "-" : String(decoding: text, as: UTF8.self)
      }
      #expect(found == ids)
    }
  }

  /// First the conditions, then the order, then the limit; the same when rows are written one by one.
  @Test(
    arguments: [
      ([], nil, nil, "caBd"), (["size>=1"], nil, nil, "cBd"), (["size>=1"], "size,-name", nil, "dBc"),
      (["size>=1"], "-size", 2, "cB"), ([], nil, 0, ""), (["size="], nil, nil, "a"),
      (["size=null"], nil, nil, "a"), (["size!=null"], nil, nil, "cBd"), (["good=null"], nil, nil, ""),
      (["tags=x"], nil, nil, "c"), (["kind!=round", "size=1"], nil, nil, "B"), (["name*=b"], nil, nil, "B"),
      (["good=false"], nil, nil, "a"), (["tags="], nil, nil, "aBd"), (["tags!="], nil, nil, "c"),
      (["tags!=x"], nil, nil, "aBd"), (["good="], nil, nil, ""), (["good!="], nil, nil, "caBd"),
      (["size!="], nil, nil, "cBd"), (["name="], nil, nil, ""), (["kind*=qu"], nil, nil, "B"),
      // An order of texts, which need not be one of the choices.
      (["kind<s"], nil, nil, "cad"), ([], "size", nil, "Bdca"), (["size>100"], "name", 5, ""),
      (["kind=Square"], nil, nil, "B"), (["height>6-9"], nil, nil, "cad"), (["height<=6-9"], nil, nil, "B"),
      (["height=6-10"], nil, nil, "d"), (["height*=6-1"], nil, nil, "ad"), ([], "-height", nil, "cadB"),
    ] as [([String], String?, Int?, String)])
  func conditionsOrderAndLimitSelectRows(conditions: [String], sort: String?, limit: Int?, expected: String)
    throws
  {
    let list = try selectionOfParts(conditions, sort, limit)
    #expect(try RowSelection<Part>(list).applied(to: parts).map(\.name).joined() == expected)
    let sink = MemorySink()
    let output = output(list, sink)
    var requested = 0
    var iterator = parts.makeIterator()
    try output.write { () throws(Failure) -> Part? in
      requested += 1
      return iterator.next()
    }
    try output.outlet.flush()
    #expect(sink.text.split(separator: "\n").joined() == expected)
    #expect(output.rowCount == expected.count)
    // A producer stops where the limit is reached.
    if conditions.isEmpty, sort == nil, let limit { #expect(requested == limit) }
  }

  @Test(
    arguments: [
      (["nam=x"], nil, "unknown field 'nam'", nil),
      (["size>big"], nil, "'size' is a number, and 'big' is not", nil),
      (["good=yes"], nil, "'good' is true or false", nil),
      (["good!=yes"], nil, "'good' is true or false", nil),
      (["kind=oval"], nil, "'kind' is never 'oval'", "values: round, square"),
      (["kind!=oval"], nil, "'kind' is never 'oval'", nil),
      (["kind=roun"], nil, "'kind' is never 'roun'", "did you mean 'round'?"),
      (
        ["size*=3"], nil, "'*=' finds a part of a text, and 'size' is a number",
        "operators: =, !=, <, <=, >, >="
      ),
      (["good*=tr"], nil, "'*=' finds a part of a text, and 'good' is true or false", nil),
      (["height>tall"], nil, "'tall' is no value of 'height'", "write a height (6-9)"),
      (["shape=cube"], nil, "'shape' is never 'cube'", nil),
      (["names.xx=a"], nil, "unknown field 'names.xx'", nil),
      (["names.En=a"], nil, "unknown field 'names.En'", "did you mean 'names.en'?"),
      ([], "size,nam", "unknown field 'nam'", nil),
      ([], "tags", "rows cannot be sorted by 'tags'", "fields: name, size, kind, good, height, shape"),
    ] as [([String], String?, String, String?)])
  func invalidConditionOrOrderIsRefused(conditions: [String], sort: String?, message: String, hint: String?)
    throws
  {
    let failure = try #require(throws: Failure.self) { try selectionOfParts(conditions, sort) }
    #expect(failure.kind == .usage && failure.message.contains(message))
    if let hint { #expect(failure.hint == hint) }
  }

  @Test(arguments: [
    ("day>=2026-11-21", true), ("day>=2026-11", true), ("day=2026", true), ("day=", true),
    ("day*=-11-", true), ("day>yesterday", true), ("day=7d", true), ("day>=2026-13-45", false),
    ("day=2026-02-29", false), ("day=2026-13", false), ("day>tomorrow", false), ("day=< 2026-11-21", false),
    ("day=20260101", false), ("day=26", false),
  ])
  func conditionOnDayNeedsDay(text: String, isRead: Bool) throws {
    let column = Column("day", title: "", meaning: "", type: .day)
    let condition = try #require(Condition(text)).resolved(for: column, today: CalendarDay(daysSinceEpoch: 0))
    let refusal = failure { try condition.check(against: column) }
    #expect(refusal?.kind == (isRead ? nil : .usage))
    #expect(
      refusal?.message
        == (isRead ? nil : "'--where \(condition.text)': 'day' is a day, and '\(condition.value)' is not"))
  }

  @Test func nameOfSeveralFieldsIsRefused() throws {
    var list = ListSelection(conditions: [try #require(Condition("location=1"))])
    #expect(
      throws: Failure(
        .usage, "'location' is several fields", hint: "fields: location.latitude, location.tags")
    ) {
      try list.resolve(against: Bike.fields.map(\.column), today: today)
    }
  }

  @Test func pathContinuesBelowAnyValue() throws {
    let columns = [CellType.text, .any].map { Column($0.name, title: "", meaning: "", type: $0) }
    let choice = try FieldSelection.one("any value.x.1", of: columns)
    #expect(choice.field == 1 && choice.inside != nil && choice.column.path == "any value.x.1")
    #expect(choice.column.isOptional && choice.column.type == .any)
    #expect(throws: Failure.self) { try FieldSelection.one("text.x", of: columns) }
  }

  /// Whichever way there is nothing.
  @Test func emptyCellsAreCompared() throws {
    let condition = try #require(Condition("x="))
    let cells: [(FieldValue, Bool)] = [
      (.null, true), (.text(""), true), (.text("a"), false), (.list([]), true), (.list([.text("")]), false),
      (.flag(false), false), (.integer(0), false), (.number(0), false), (.record([]), false),
    ]
    for (cell, isEmpty) in cells { #expect(condition.matches(cell) == isEmpty, "\(cell)") }
  }

  /// How many rows are sufficient.
  @Test func limitAloneBoundsRowsNeeded() throws {
    let condition = try #require(Condition("size=1"))
    #expect(ListSelection(limit: 5).rowsNeeded == 5 && ListSelection().rowsNeeded == nil)
    #expect(ListSelection(conditions: [condition], limit: 5).rowsNeeded == nil)
    #expect(ListSelection(order: SortOrder("size"), limit: 5).rowsNeeded == nil)
  }

  private func output(_ list: ListSelection?, _ sink: MemorySink) -> Output {
    Output(settings(.tsv, fields: "name", header: false, list: list), Outlet(sink))
  }

  /// A producer that pushes rows may go on behind the limit.
  @Test func pushedRowsAreSelected() throws {
    let sink = MemorySink()
    let output = output(ListSelection(limit: 2), sink)
    try output.write(each: Part.self) { rows throws(Failure) in
      var needed: [Int] = []
      for part in parts {
        #expect(rows.isFull == (rows.rowsNeeded == 0))
        needed.append(rows.rowsNeeded)
        try rows.write(part)
      }
      #expect(needed == [2, 1, 0, 0])
    }
    try output.outlet.flush()
    #expect(sink.text == "c\na\n" && output.rowCount == 2)
  }

  @Test func numberOfNeededRowsMayBeUnknown() throws {
    let lists = [
      nil, ListSelection(), ListSelection(conditions: [try #require(Condition("size=1"))], limit: 1),
      ListSelection(order: SortOrder("size"), limit: 1),
    ]
    for list in lists {
      let output = output(list, MemorySink())
      try output.write(each: Part.self) { rows throws(Failure) in
        #expect(rows.rowsNeeded == .max && !rows.isFull)
        try rows.write(parts[0])
        #expect(!rows.isFull)
      }
    }
  }

  @Test func singleRowIsNotFiltered() throws {
    let sink = MemorySink()
    let condition = try #require(Condition("size=1"))
    let output = output(ListSelection(conditions: [condition], limit: 0), sink)
    try output.write(parts[0])
    try output.outlet.flush()
    #expect(sink.text == "c\n" && output.rowCount == 0)
  }

  @Test func selectionAppliesToRowsDrawnByCommand() throws {
    let all = output(nil, MemorySink())
    #expect(try all.selected(parts).map(\.name) == ["c", "a", "B", "d"] && all.rowCount == 4)
    let condition = try #require(Condition("size=1"))
    let some = output(
      ListSelection(conditions: [condition], order: SortOrder("-name"), limit: 5), MemorySink())
    #expect(try some.selected(parts).map(\.name) == ["d", "B"] && some.rowCount == 2)
  }

  /// Rows of any JSON: a path that a row does not have is missing there.
  @Test(
    arguments: [
      (["b<=1,000"], nil, nil, "{\"b\":2}"), (["a=1"], nil, nil, #"{"a":1}"#),
      (["a="], nil, nil, #"{"b":2} 5"#), ([], "-a", 2, #"{"a":3} {"a":1}"#),
      (["a.c=x"], nil, nil, ""), ([], nil, 1, #"{"a":1}"#),
    ] as [([String], String?, Int?, String)])
  func foreignRowsAreSelected(conditions: [String], sort: String?, limit: Int?, expected: String) throws {
    var list = try selection(conditions, sort, limit)
    list.resolveForAnyFields(today: today)
    var rows = try [#"{"a":1}"#, #"{"b":2}"#, "5", #"{"a":3}"#].map { try JSON.parse($0) }.makeIterator()
    let text = try written(.jsonl, list: list) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in rows.next() }
    }
    #expect(text.split(separator: "\n").joined(separator: " ") == expected)
  }
}
