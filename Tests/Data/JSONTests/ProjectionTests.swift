import System
import TestSupport
import Testing

@testable import JSON

/// Many paths at once find what each of them finds alone.
@Suite struct ProjectionTests {
  private static let paths = [
    "", "a", "b", "a.b", "a.b.c", "c[0]", "c.0", "c[2].d", "c.2.d", "c.2", "d.2", #"d["2"]"#, "d[2]", "e.f",
    "x", "a", #"["a.b"]"#, "é", #"[""]"#, "c[1]", "c[7]", "a[0]", "0", "[0]", "1.a",
  ]

  private static let rows = [
    "{}", "[]", "1", "null", "\"text\"", #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#,
    #"{"a":{"b":{"c":3}},"a.b":4}"#,
    #"{"c":[1,2,{"d":5}]}"#, #"{"d":{"2":6}}"#, #"{"d":[7,8,9]}"#, #"{"":1,"é":2,"0":3}"#, #"[10,{"a":11}]"#,
    // Of a name that comes twice the last counts, also where only the first goes on.
    #"{"a":1,"b":1,"a":2}"#, #"{"a":{"b":1},"a":2}"#, #"{"a":2,"a":{"b":1}}"#,
    #"{"a":{"b":1},"a":{"b":{"c":2}}}"#,
    // Names with escapes.
    #"{"\u0061":1,"\u00e9":2}"#, #"{"a":1,"\u0061":2}"#, #"{"\u0061":2,"a":1}"#,
    #"{"e":{"f":[{}]},"x":null}"#,
  ]

  /// Nothing of a row is left in the next one.
  @Test func projectionEqualsPaths() throws {
    let paths = ProjectionTests.paths.map { JSON.Path($0) }
    var projection = JSON.Projection(paths)
    for text in ProjectionTests.rows + ProjectionTests.rows.reversed() {
      let row = try JSON.parse(text)
      projection.find(in: row)
      for (place, path) in paths.enumerated() {
        let expected = row[path].kind == .absent ? nil : rawText(row[path])
        #expect(projection[place].map(rawText) == expected, "\(path) in \(text)")
        var (mine, others): ([UInt8], [UInt8]) = ([], [])
        let mayNeedEscape = projection.appendBare(place, to: &mine)
        #expect(mayNeedEscape == row.appendBare(path, to: &others) && mine == others)
      }
    }
    projection.find(in: try JSON.parse("{}")["none"])
    #expect(paths.indices.allSatisfy { projection[$0] == nil })
  }

  /// The lengths of names are told apart up to 62 bytes; longer ones share a mark.
  @Test func longNamesAreDistinguished() throws {
    let lengths = [0, 1, 62, 63, 64, 127]
    let names = lengths.map { String(repeating: "n", count: $0) }
    for known in [names, [names[2]], [names[3]], [names[5]]] {
      var projection = JSON.Projection(known.map { JSON.Path(names: [$0]) })
      for (name, length) in zip(names, lengths) {
        projection.find(in: try JSON.parse("{\"\(name)\":\(length)}"))
        for (place, path) in known.enumerated() {
          #expect(projection[place].map(rawText) == (path == name ? "\(length)" : nil))
        }
        #expect(projection.otherName == (known.contains(name) ? nil : name))
      }
    }
  }

  /// However many names there are, another name is found to be none of them.
  @Test(arguments: 1...70) func otherNameIsFoundAmongAnyNumberOfNames(_ count: Int) throws {
    var projection = JSON.Projection((0..<count).map { JSON.Path(names: ["n\($0 + 10)"]) })
    projection.find(in: try JSON.parse(#"{"n10":1,"xyz":2}"#))
    #expect(projection.otherName == "xyz" && projection[0].map(rawText) == "1")
    for place in 1..<count { #expect(projection[place] == nil) }
  }

  @Test(arguments: 0..<40) func projectionEqualsLookupInRandomRows(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 31)
    let names = (0..<30).map { _ in
      String(Sample.string(&random).prefix(Int.random(in: 0...4, using: &random)))
    }
    let paths = names.map { JSON.Path(names: [$0]) }
    var projection = JSON.Projection(paths)
    for _ in 0..<20 {
      var writer = JSONWriter()
      writer.object { writer in
        for _ in 0..<Int.random(in: 0...60, using: &random) {
          writer.member(names.randomElement(using: &random) ?? "", Int.random(in: 0...999, using: &random))
        }
      }
      let row = try JSON.parse(writer.bytes)
      projection.find(in: row)
      for (place, path) in paths.enumerated() {
        #expect(projection[place].map(rawText) == (row[path].kind == .absent ? nil : rawText(row[path])))
      }
    }
  }

  /// As deep as an argument can be, and no deeper than the stack.
  @Test func longPathDoesNotOverflowStack() throws {
    let path = JSON.Path([String](repeating: "a", count: 60_000).joined(separator: "."))
    var projection = JSON.Projection([path])
    let row = try JSON.parse(#"{"a":{"a":1}}"#)
    projection.find(in: row)
    #expect(projection[0] == nil)
    #expect(row[path].kind == .absent)
  }
}
