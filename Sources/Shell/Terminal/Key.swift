import System

public enum Key: Hashable, Sendable {
  /// Typed scalar. A cluster, such as a letter with an accent, arrives as several keys, which a `String` joins.
  case character(Character)
  case enter, tab, backTab, backspace, escape
  case up, down, left, right, home, end, pageUp, pageDown
  case mouse(Mouse)
}

/// Mouse report. Rows and columns count from 0, as in `Canvas`.
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable { case press, release, wheelUp, wheelDown }
  public enum Button: Hashable, Sendable { case left, middle, right, none }

  public var action: Action
  public var button: Button
  public var row: Int
  public var column: Int

  public init(_ action: Action, _ button: Button = .left, row: Int, column: Int) {
    self.action = action
    self.button = button
    self.row = row
    self.column = column
  }
}

/// Keys of the sequences that begin with `ESC [` and `ESC O`, on all terminals in use.
enum KeyTable {
  /// Keys by the last byte.
  static let byFinalByte: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
    UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "Z"): .backTab, UInt8(ascii: "M"): .enter,
  ]

  /// Keys by the number before `~`.
  static let numbered: [Int: Key] = [
    1: .home, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]

  /// Key of a whole sequence. Modifiers in the second parameter are ignored. A mouse report ends with `M` or `m`.
  static func key(_ parameters: [UInt8], final byte: UInt8) -> Key? {
    if parameters.first == UInt8(ascii: "<") { return mouse(numbers(parameters.dropFirst()), final: byte) }
    guard parameters.allSatisfy({ $0 == UInt8(ascii: ";") || $0.isASCIIDigit }) else { return nil }
    if byte == UInt8(ascii: "~") { return numbers(parameters[...]).first.flatMap { numbered[$0] } }
    return byFinalByte[byte]
  }

  private static func mouse(_ numbers: [Int], final byte: UInt8) -> Key? {
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let code = numbers[0]
    let (column, row) = (numbers[1] - 1, numbers[2] - 1)
    // Bit 32 is a movement, 4 to 16 are Shift, Alt and Ctrl, 64 is the wheel, 128 are other buttons.
    guard code & 32 == 0, code & 128 == 0 else { return nil }
    if code & 64 != 0 {
      switch code & 3 {
      case 0: return .mouse(Mouse(.wheelUp, .none, row: row, column: column))
      case 1: return .mouse(Mouse(.wheelDown, .none, row: row, column: column))
      default: return nil
      }
    }
    let button: Mouse.Button = [.left, .middle, .right, .none][code & 3]
    return .mouse(Mouse(byte == UInt8(ascii: "M") ? .press : .release, button, row: row, column: column))
  }

  /// Numbers between semicolons; empty if one is invalid or too long.
  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    var numbers: [Int] = []
    for part in parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
      guard part.count <= 6, part.allSatisfy(\.isASCIIDigit) else { return [] }
      numbers.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
    }
    return numbers
  }
}
