import JSON
import System

extension Driver {
  static let json = Driver(name: "json", round: 2000) { _ in
    let mutator = Mutator([Array("[1,2,3]".utf8)])
    return Attack(make: { mutator.make(&$0) }) { input in
      _ = try? JSON.parse(input)
      return nil
    }
  }
}
