import JSON
import System
import Testing

@testable import Output

@Suite struct Conditions {
  @Test(
    arguments: [
      ("a=1", "a=1"), ("a != b", "a!=b"), ("a.b>=1", "a.b>=1"), ("a<1", "a<1"), ("a*=x=y", "a*=x=y"),
      ("a=", "a="), ("a= x", "a= x"), ("a = x", "a=x"), ("a<=2", "a<=2"), ("a>b<c", "a>b<c"),
      ("a!b=1", "a!b=1"), ("a==1", "a=1"), ("a == 1", "a=1"), ("a = =1", "a==1"), ("a!==1", "a!==1"),
      ("capacity", nil), ("", nil), ("=1", nil), ("  = 1", nil), ("a!b", nil), ("a*b", nil),
    ] as [(String, String?)])
  func read(text: String, meaning: String?) { #expect(Condition(text)?.text == meaning) }

  /// What holds for a value, by its JSON.
  @Test(
    arguments: [
      ("1", "x=1 x=1.0 x>0 x>=1 x<=1 x<1e400 x!=2 x*=1", "x=2 x!=1 x>1 x<1 x=a x>a x*=2 x="),
      (
        "9007199254740993", "x>9007199254740992 x!=9007199254740992", "x=9007199254740992 x<=9007199254740992"
      ),
      ("-1e400", "x<5 x=-1e400", "x>5 x=0"),
      (#""b""#, "x=b x>a x<c x*=B x!=a", "x=B x=a x*=c x>b x="),
      (#""10""#, "x=10 x<9", "x>9"),
      ("true", "x=true x!=false", "x=1 x>false x=TRUE x<true x>=true x*=true x*=t"),
      ("null", "x= x!=1", "x=1 x!= x<1 x>1 x<=1 x*=n"),
      (#""""#, "x= x*= x<a", "x!= x=a"),
      (#"["a","b"]"#, "x=a x=b x*=B x!=c x!=", "x=c x!=a x="),
      ("[]", "x= x!=a", "x=a x!="),
      (#"{"a":1}"#, "x!=1 x!=", "x=1 x= x*=a"),
    ])
  func matching(value: String, holds: String, fails: String) throws {
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
      },
      .flag("good", "Good", "whether it is") { $0.size != nil },
    ]
  }

  private let parts = [
    Part(name: "c", size: 3, tags: ["x"]), Part(name: "a", size: nil),
    Part(name: "B", size: 1, kind: "square"),
    Part(name: "d", size: 1),
  ]

  private func names(_ conditions: [String], sort: String? = nil, limit: Int? = nil) throws -> String {
    let list = ListSelection(
      conditions: try conditions.map { try #require(Condition($0)) }, order: sort.flatMap { SortOrder($0) },
      limit: limit)
    try list.check(against: Part.fields.map(\.column))
    return try RowSelection<Part>(list).applied(to: parts).map(\.name).joined()
  }

  /// First the conditions, then the order, then the limit; the same when rows are written one by one.
  @Test(
    arguments: [
      ([], nil, nil, "caBd"), (["size>=1"], nil, nil, "cBd"), (["size>=1"], "size,-name", nil, "dBc"),
      (["size>=1"], "-size", 2, "cB"), ([], nil, 0, ""), (["size="], nil, nil, "a"),
      (["tags=x"], nil, nil, "c"),
      (["kind!=round", "size=1"], nil, nil, "B"), (["name*=b"], nil, nil, "B"),
      (["good=false"], nil, nil, "a"),
      (["tags="], nil, nil, "aBd"), (["tags!="], nil, nil, "c"), (["tags!=x"], nil, nil, "aBd"),
      (["good="], nil, nil, ""), (["good!="], nil, nil, "caBd"), (["size!="], nil, nil, "cBd"),
      (["name="], nil, nil, ""), (["size*=3"], nil, nil, "c"), (["kind*=qu"], nil, nil, "B"),
      // An order of texts, which need not be one of the choices.
      (["kind<s"], nil, nil, "cad"),
      ([], "size", nil, "Bdca"), (["size>100"], "name", 5, ""),
    ] as [([String], String?, Int?, String)])
  func selecting(conditions: [String], sort: String?, limit: Int?, expected: String) throws {
    #expect(try names(conditions, sort: sort, limit: limit) == expected)
    let sink = MemorySink()
    var settings = Output.Settings()
    settings.format = .tsv
    settings.header = false
    settings.fields = "name"
    settings.list = ListSelection(
      conditions: try conditions.map { try #require(Condition($0)) }, order: sort.flatMap { SortOrder($0) },
      limit: limit)
    let output = Output(settings, Outlet(sink))
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
      (["nam=x"], nil, "unknown field 'nam'"), (["size>big"], nil, "'size' is a number, and 'big' is none"),
      (["good=yes"], nil, "'good' is true or false"), (["kind=oval"], nil, "'kind' is never 'oval'"),
      ([], "size,nam", "unknown field 'nam'"), ([], "tags", "rows cannot be sorted by 'tags'"),
    ] as [([String], String?, String)])
  func refusals(conditions: [String], sort: String?, message: String) throws {
    let failure = try #require(throws: Failure.self) { try names(conditions, sort: sort) }
    #expect(failure.kind == .usage)
    #expect(failure.message.contains(message))
  }

  /// Rows of any JSON: a path that a row does not have is missing there.
  @Test(
    arguments: [
      (["a=1"], nil, nil, #"{"a":1}"#), (["a="], nil, nil, #"{"b":2} 5"#), ([], "-a", 2, #"{"a":3} {"a":1}"#),
      (["a.c=x"], nil, nil, ""), ([], nil, 1, #"{"a":1}"#),
    ] as [([String], String?, Int?, String)])
  func foreignRows(conditions: [String], sort: String?, limit: Int?, expected: String) throws {
    let sink = MemorySink()
    var settings = Output.Settings()
    settings.format = .jsonl
    settings.list = ListSelection(
      conditions: try conditions.map { try #require(Condition($0)) }, order: sort.flatMap { SortOrder($0) },
      limit: limit)
    let output = Output(settings, Outlet(sink))
    var rows = try [#"{"a":1}"#, #"{"b":2}"#, "5", #"{"a":3}"#].map { try JSON.parse($0) }.makeIterator()
    try output.write { () throws(Failure) -> JSON? in rows.next() }
    try output.outlet.flush()
    #expect(sink.text.split(separator: "\n").joined(separator: " ") == expected)
  }
}
