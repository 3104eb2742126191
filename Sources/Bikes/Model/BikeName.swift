import System
import Terminal

/// What a bike may be called: something that can be seen, on one line, of a length that a list can show.
enum BikeName {
  static let longest = 100

  /// Why a name is refused; nil when it is good.
  static func fault(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "the name is empty" }
    if name.utf8.count > longest {
      return "the name has \(name.utf8.count) bytes, and \(longest) are allowed"
    }
    if name.terminalSafe != name { return "the name has control or invisible characters" }
    return nil
  }
}
