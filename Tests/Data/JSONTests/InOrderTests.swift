import JSON
import System
import Testing

/// Members asked for in any order are found; in the usual one, quickly.
@Suite struct InOrderTests {
  private func read(_ text: String, _ names: [StaticString]) throws -> [String] {
    var members = try JSON.parse(text).inOrder
    return names.map { name in
      var bytes: [UInt8] = []
      members[name].appendRaw(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  @Test func membersAreFoundInAnyOrder() throws {
    let text = #"{"a":1,"bb":[2,{}],"a_long_name":{"a":3},"d":"4"}"#
    #expect(try read(text, ["a", "bb", "a_long_name", "d"]) == ["1", "[2,{}]", #"{"a":3}"#, #""4""#])
    #expect(try read(text, ["d", "a_long_name", "bb", "a"]) == [#""4""#, #"{"a":3}"#, "[2,{}]", "1"])
    #expect(try read(text, ["bb", "bb", "a"]) == ["[2,{}]", "[2,{}]", "1"])
    #expect(try read(text, ["x", "a", "", "d"]) == ["", "1", "", #""4""#])
    #expect(try read(text, ["a_long_namf", "a_long_nam", "d"]) == ["", "", #""4""#])
  }

  @Test(arguments: [
    #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"b":2,"\u0061":3}"#, #"{"\u0061":1,"a":3,"b":2}"#,
    #"{"a":1,"n":{"a":4},"aa":5,"ab":6,"ba":7,"a0":8,"b":2,"a":3}"#,
    "{\"a\":1,\((0..<100).map { "\"x\($0)\":0," }.joined())\"b\":2,\"a\":3}",
  ])
  func lastValueOfARepeatedNameCounts(_ text: String) throws {
    #expect(try read(text, ["a", "b", "a"]) == ["3", "2", "3"])
    var members = try JSON.parse(text).inOrder
    #expect(try members.intOrNull("a") == 3 && members.int("a") == 3 && members.intOrNull("c") == nil)
  }

  @Test func missingMemberFailsLikeWrongType() throws {
    let object = try JSON.parse(#"{"list":[{"a":1}]}"#)["list"][0]
    var members = try object.inOrder
    let problem = #expect(throws: Failure.self) { try members["b"].int }
    #expect(problem == #expect(throws: Failure.self) { try object["b"].int })
    #expect(problem?.message.contains("list[0].b") == true)
  }

  @Test func optionalIntegerIsReadOrNil() throws {
    let text = #"{"a":-12,"b":null,"c":"x","d":3.0,"e":99999999999999999999,"f":[1],"g":0}"#
    var members = try JSON.parse(text).inOrder
    #expect(
      try members.intOrNull("a") == -12 && members.intOrNull("b") == nil && members.intOrNull("x") == nil)
    #expect(try members.intOrNull("d") == 3 && members.intOrNull("g") == 0)
    for name in ["c", "e", "f"] as [StaticString] {
      let problem = #expect(throws: Failure.self) { try members.intOrNull(name) }
      #expect(problem?.message.contains(name.description) == true)
    }
  }

  @Test func optionalTextAndFlagAreReadOrNil() throws {
    let text = #"{"a":"x","b":null,"c":"\u00e9\n","d":true,"e":false,"f":"","g":1,"h":["x"]}"#
    var members = try JSON.parse(text).inOrder
    #expect(try members.stringOrNull("a") == "x" && members.stringOrNull("b") == nil)
    #expect(try members.stringOrNull("c") == "é\n" && members.stringOrNull("x") == nil)
    #expect(try members.boolOrNull("d") == true && members.boolOrNull("e") == false)
    #expect(
      try members.stringOrNull("f") == "" && members.boolOrNull("b") == nil && members.boolOrNull("x") == nil)
    for name in ["g", "h", "d"] as [StaticString] {
      let problem = #expect(throws: Failure.self) { try members.stringOrNull(name) }
      #expect(problem?.message.contains("\(name): expected a string") == true)
    }
    for name in ["a", "g", "h"] as [StaticString] {
      let problem = #expect(throws: Failure.self) { try members.boolOrNull(name) }
      #expect(problem?.message.contains("\(name): expected true or false") == true)
    }
  }

  /// What must be there fails where it is null or absent, as a view of it would.
  @Test func missingRequiredMemberFails() throws {
    let object = try JSON.parse(#"{"a":1,"b":null,"c":"x","d":true}"#)
    var members = try object.inOrder
    #expect(try members.int("a") == 1 && members.string("c") == "x" && members.bool("d"))
    for name in ["b", "x"] as [StaticString] {
      let view = object[name.description]
      #expect(
        #expect(throws: Failure.self) { try members.int(name) } == #expect(throws: Failure.self) {
          try view.int
        })
      #expect(
        #expect(throws: Failure.self) { try members.string(name) } == #expect(throws: Failure.self) {
          try view.string
        })
      #expect(
        #expect(throws: Failure.self) { try members.bool(name) } == #expect(throws: Failure.self) {
          try view.bool
        })
    }
  }

  @Test func membersOfOtherValuesFail() throws {
    for text in ["[]", "1", "null"] {
      #expect(throws: Failure.self) { _ = try JSON.parse(text).inOrder }
    }
  }

  @Test func valueIsComparedWithBytes() throws {
    let object = try JSON.parse(#"{"a": {"b" :1}, "c": 2}"#)
    #expect(object["a"].hasRawBytes(Array(#"{"b" :1}"#.utf8)))
    #expect(!object["a"].hasRawBytes(Array(#"{"b": 1}"#.utf8)) && !object["c"].hasRawBytes([]))
    #expect(object["nothing"].hasRawBytes([]))
  }
}
