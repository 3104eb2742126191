import Foundation
import Testing

@testable import System

@Suite struct EnvironmentTests {
  @Test func anEmptyVariableCountsAsUnset() {
    let environment = Environment(["A": "1", "B": "", "C": " "])
    #expect(environment["A"] == "1")
    #expect(environment["B"] == nil)
    #expect(environment["C"] == " ")
    #expect(environment["D"] == nil)
  }

  @Test func childEnvironmentHasChangedValues() {
    let environment = Environment(["B": "2", "A": "1", "E": ""])
    let changed = environment.setting(["A": "3", "C": "4=5", "D": ""], removing: ["B", "C", "nope"])
    #expect(changed.all == ["A": "3", "C": "4=5", "D": "", "E": ""])
    #expect(changed.entries == ["A=3", "C=4=5", "D=", "E="])
    #expect(environment.all == ["A": "1", "B": "2", "E": ""])
  }

  @Test func variableIsFoundByPrefix() {
    let environment = Environment(["HW_A": "1", "X": "HW_B"])
    #expect(environment.hasVariable(beginningWith: "HW_") && environment.hasVariable(beginningWith: "HW_A"))
    #expect(!environment.hasVariable(beginningWith: "HW_AB") && !environment.hasVariable(beginningWith: "W_"))
    #expect(!Environment([:]).hasVariable(beginningWith: ""))
  }

  @Test func theProcessHasItsOwn() async {
    await #expect(processExitsWith: .success) {
      setenv("HW_TEST_VALUE", "a=b=", 1)
      setenv("HW_TEST_EMPTY", "", 1)
      setenv("HW_TEST_COMBINING", "\u{301}a", 1)
      let environment = Environment.process
      #expect(environment["HW_TEST_VALUE"] == "a=b=")
      #expect(environment["HW_TEST_EMPTY"] == nil)
      #expect(environment.all["HW_TEST_VALUE"] == "a=b=" && environment.all["HW_TEST_EMPTY"] == "")
      #expect(environment.all["HW_TEST_COMBINING"] == "\u{301}a")
      #expect(environment.hasVariable(beginningWith: "HW_TEST_VAL"))
      #expect(!environment.hasVariable(beginningWith: "HW_TEST_VALUES"))
    }
  }
}
