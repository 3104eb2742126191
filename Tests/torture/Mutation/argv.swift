import Foundation
import TestSupport

@testable import Command
@testable import hw

extension Driver {
  /// Every option of every command, from the declarations, with extreme values. Nothing is asked but sample data.
  static let argv = Driver(name: "argv", round: 100) { home in
    let words = CommandWords()
    return Attack(make: { words.make(&$0) }) { input in
      unlink("\(home.path)/.config/hw/config")
      var line = InputLine(input)
      line.isOnTerminal = input.count % 2 == 0
      // What a user says is shown to the user: only escape sequences and the like must not pass.
      return line.problem(in: home)
    }
  }
}

private struct CommandWords: Sendable {
  /// The words of a command, its options, and operands that its examples have.
  let commands: [(words: [String], options: [OptionDeclaration], operands: [[String]])]

  init() {
    // A server never ends, and a race takes its time.
    let endless = ["serve", "race watch"]
    commands = Program.hw.allCommands.filter { !endless.contains($0.name) }.map { entry in
      let name = entry.name.split(separator: " ").map(String.init)
      let lines = CommandLines.examples(entry.command).filter { $0.starts(with: name) }
      let operands = lines.map { Array($0.dropFirst(name.count)) } + [[]]
      // `--watch` and `--open` end with Ctrl-C only.
      let options = entry.command.allOptions.filter {
        !["url", "record", "replay", "watch", "open"].contains($0.name)
      }
      return (name, options, operands)
    }
  }

  func make(_ random: inout SeededGenerator) -> [UInt8] {
    let command = random.pick(commands)
    var words = command.words + random.pick(command.operands)
    for _ in 0..<(1 + random.below(5)) {
      if random.chance(4) {
        words.append(value(nil, &random))
        continue
      }
      let option = random.pick(command.options)
      let isShort = option.short != nil && random.chance(6)
      let name =
        isShort ? "-\(option.short ?? "x")" : random.chance(20) ? "--no-\(option.name)" : "--\(option.name)"
      guard option.value != nil else {
        words.append(random.chance(30) ? "\(name)=\(value(nil, &random))" : name)
        continue
      }
      let value = value(option.value, &random)
      if random.chance(2), !isShort { words.append("\(name)=\(value)") } else { words += [name, value] }
    }
    if random.chance(10), !words.isEmpty { words.remove(at: random.below(words.count)) }
    if random.chance(10) { words.swapAt(random.below(words.count), random.below(words.count)) }
    return Array(words.joined(separator: "\u{1F}").utf8)
  }

  private static let values =
    Mutator.numbers + Mutator.texts + [
      "name", "id", "a.b.c", "help", "json", "table", "1s", "1h", "0s", "1e9s", "999999999999h", "-1s",
      "1/60", "0/0", "1/0", "50.12,8.64", "90,180", "-90,-180", "91,0", "0,1e-300", "50.1195,8.6382",
      "nan,nan", "2025-01-15", "0000-00-00", "9999-12-31", "2024-02-30", "today", "yesterday", "latest",
      "name=x", "id>=0", "id!=", "=", "*=", "a*=b", "id<9e999", "always", "never", "auto", "LAL", "lakers",
      "crane", "CRANE", "🟩🟨⬛🟩🟩", "281", "-", "--", "", " ", "1..3", "3..1", "Ann", "config", "nodes.lang",
      "bikes.url", "demo", "red", "0420", "bash", "zsh", "fish", "hw", "race", "nba", "wordle",
      String(repeating: "9", count: 400), String(repeating: "x", count: 5000),
      "02" + String(repeating: "a", count: 64),
    ]

  private func value(_ declared: ValueDeclaration?, _ random: inout SeededGenerator) -> String {
    var text = random.pick(Self.values)
    if let words = declared?.choices.map(\.name), !words.isEmpty, random.chance(2) {
      text = random.pick(words)
    }
    if random.chance(8) { text += random.pick(Self.values) }
    // Neither another's file nor the end of a word.
    return text.replacing("/", with: "_").replacing("\0", with: "0").replacing("\u{1F}", with: "_")
  }
}
