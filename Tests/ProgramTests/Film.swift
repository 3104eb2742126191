import System

@testable import Bikes
import Terminal

/// The pictures of a screen while a person uses it. Every picture is a text: styles are escape sequences (`␛`), and
/// every row ends with `|`.
struct Film<Screen: InteractiveScreen> {
  private(set) var text = ""
  private(set) var screen: Screen
  private(set) var hasLeft = false
  private(set) var requests: [Screen.Request] = []
  private var size = WindowSize(columns: 80, rows: 24)
  private var now = Duration.seconds(100)
  /// Pictures are only counted in the checksum until the next still.
  private let isBrief: Bool
  private var checksum = Checksum()

  init(_ screen: Screen, columns: Int, rows: Int, isBrief: Bool = false) throws {
    self.screen = screen
    self.isBrief = isBrief
    try resize(columns, rows)
  }

  /// A picture, and of a brief film the checksum of those since the last one.
  mutating func still(_ title: String) {
    text += "--- \(title): \(checksum.text)\n" + picture.rows
    checksum = Checksum()
  }

  /// The checksum of the pictures since the last one.
  mutating func mark(_ title: String) {
    text += "\(title): \(checksum.text)\n"
    checksum = Checksum()
  }

  mutating func resize(_ columns: Int, _ rows: Int) throws {
    size = WindowSize(columns: columns, rows: rows)
    try take("\(columns)x\(rows)", .resized(size))
  }

  mutating func press(_ keys: Key...) throws {
    for key in keys { try handle(.key(key)) }
    shoot(keys.map { "\($0)" }.joined(separator: " "))
  }

  mutating func complete(_ outcome: Result<Screen.Outcome, Failure>, _ title: String) throws {
    try take(title, .completed(outcome))
  }

  /// Lets time pass, with every tick that the screen asks for.
  mutating func wait(_ duration: Duration) throws {
    let end = now + duration
    while let alarm = screen.alarm, alarm <= end {
      now = max(now + .milliseconds(1), alarm)
      try handle(.tick)
    }
    now = end
    shoot("after \(duration)")
  }

  private mutating func take(_ title: String, _ event: ScreenEvent<Screen.Outcome>) throws {
    try handle(event)
    shoot(title)
  }

  private mutating func handle(_ event: ScreenEvent<Screen.Outcome>) throws {
    switch try screen.handle(event, at: now) {
    case .stay: break
    case .leave: hasLeft = true
    case .request(let request): requests.append(request)
    }
  }

  /// The same picture with one escape sequence for neighbors of one style.
  private static func joined(_ text: String) -> String {
    var joined = ""
    var style = ""
    for part in text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated() {
      let sides = part.element.split(separator: "m", maxSplits: 1, omittingEmptySubsequences: false)
      guard part.offset > 0, sides.count == 2 else {
        joined += part.element
        continue
      }
      // A reset counts when other text or another style follows.
      if sides[0] == "0", sides[1].isEmpty { continue }
      if sides[0] != style {
        joined += "␛[\(sides[0])m"
        style = String(sides[0])
      }
      joined += sides[1]
    }
    return joined
  }

  private mutating func shoot(_ title: String) {
    let picture = picture
    if isBrief { return checksum.add("\(title)\n\(picture.cursor)\n\(picture.rows)") }
    text += "--- \(title)\(picture.cursor)\(hasLeft ? ", left" : "")\n" + picture.rows
  }

  /// The rows of the present picture.
  var frame: String { picture.rows }

  private var picture: (rows: String, cursor: String) {
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    let picture = Self.joined(canvas.text(color: true))
    var rows = picture.split(separator: "\n", omittingEmptySubsequences: false).map { "\($0)|" }
    if rows.last == "|" { rows.removeLast() }
    let cursor = canvas.cursor.map { ", cursor in row \($0.row), column \($0.column)" } ?? ""
    return (rows.map { "\($0)\n" }.joined(), cursor)
  }
}

/// FNV-1a, in 16 hexadecimal digits.
struct Checksum {
  private var state: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ text: String) {
    for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  var text: String {
    let digits = String(state, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
