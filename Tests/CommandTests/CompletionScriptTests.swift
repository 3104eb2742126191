import Output
import System
import Testing

@testable import Command

/// The three scripts for a made-up program with operands and options of every kind, but for their fixed text.
@Suite struct CompletionScripts {
  private struct Box: Row {
    static let fields: Fields<Box> = [
      .text("name", "Name", "what it is called") { _ in "" },
      .integer("count", "Count", "how many it holds") { _ in 0 },
    ]
  }

  private static let things = WordSource("things", "what there is") { _, _ in [] }
  private static let text = ValueKind<String>.text("TEXT")

  private static let pack = Command(
    "pack", "Pack a box",
    operands: [
      Operand("DIR", ValueKind<String>.folder, "From where"),
      Operand(optional: "THING", text.completed(with: things), "What"),
      Operand(rest: "FILE", ValueKind<String>.file, "Which"),
    ],
    options: [
      Option("size", short: "s", .choice, default: Sample.Size.small, "Choose a size"),
      Option("into", ValueKind<String>.folder, "Put it in DIR"),
      Option("note", text, "Add a [note]: short"), Option("force", short: "f", "Do it"),
    ],
    output: .list(Box.self, order: "by name"), examples: []
  ) { _, _ in }

  private static let seal = Command(
    "seal", "Seal a box",
    operands: [Operand("THING", ValueKind<String>.text("THING", .wordsOrFiles(things)), "What")],
    output: .plain("Nothing."), examples: []
  ) { _, _ in }

  private static let tell = Command(
    "tell", "Tell of it",
    operands: [Operand(rest: "ABOUT", ValueKind<String>.text("ABOUT", .subjects), "Of what")],
    options: [Option("brief", "Say less")], output: .plain("Text."), examples: []
  ) { _, _ in }

  private static let run = Command(
    "run", "Run it",
    operands: [
      Operand("SIZE", ValueKind<Sample.Size>.choice, "How large"),
      Operand(afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "What"),
    ],
    output: .plain("Text."), examples: []
  ) { _, _ in }

  private static let program = Program(
    "shop", version: "1", "A shop", suites: [.init("box", Suite("box", "Boxes", commands: [pack, seal]))],
    tools: Suite("", "Tools", commands: [tell, run]))

  private func script(_ shell: Shell) -> String { shell.script(for: Self.program) }

  private func lines(_ shell: Shell) -> [String] {
    script(shell).split(separator: "\n").map(String.init)
  }

  @Test func theTable() {
    let table = CompletionTable(Self.program)
    #expect(table.entries.map(\.path) == ["", "box", "box pack", "box seal", "tell", "tell box", "run"])
    #expect(table.entries.map(\.isRepeated) == [false, false, true, false, false, false, false])
    #expect(table.runningPaths == ["run"])
    #expect(
      table.valued.suffix(7) == ["--color", "--size", "--into", "--note", "--where", "--sort", "--limit"])
    #expect(table.valued.count { $0 == "--fields" } == 1 && !table.valued.contains("--force"))
    #expect(table.valuedBundle == "^-[^-nos]*[nos]$")
  }

  @Test func everySourceOfWordsOnce() {
    #expect(Self.program.wordSources.map(\.name) == ["own-commands", "alias-words", "things"])
  }

  @Test func bash() throws {
    let lines = lines(.bash)
    let start = try #require(lines.firstIndex(of: "  case $1 in"))
    let cases = lines[(start + 1)...].prefix { !$0.hasPrefix("    ' --')") }
    let topics = Topic.all(Self.program).map(\.name).joined(separator: " ")
    #expect(
      Array(cases) == [
        "    ' 1') echo '<ask own-commands> box tell run' ;;",
        "    'box 1') echo 'pack seal' ;;",
        "    'box ?') echo known ;;",
        "    'box pack 1') echo '<folders>' ;;",
        "    'box pack 2') echo '<ask things>' ;;",
        "    'box pack '[0-9]*) echo '<files>' ;;",
        "    'box pack ?') echo known ;;",
        "    'box pack --') echo '--size --into --note --force --where --sort --limit --exit-status --fields' ;;",
        "    'box pack --size') echo 'small large' ;;",
        "    'box pack -s') echo 'small large' ;;",
        "    'box pack --into') echo '<folders>' ;;",
        "    'box pack --where') echo '<part> name= count=' ;;",
        "    'box pack --sort') echo '<list> name count' ;;",
        "    'box pack --fields') echo '<list> name count all help' ;;",
        "    'box seal 1') echo '<ask things> <files>' ;;",
        "    'box seal ?') echo known ;;",
        "    'tell 1') echo 'box tell run \(topics)' ;;",
        "    'tell ?') echo known ;;",
        "    'tell --') echo --brief ;;",
        "    'tell box 1') echo 'pack seal' ;;",
        "    'tell box ?') echo known ;;",
        "    'tell box --') echo --brief ;;",
        "    'run 1') echo 'small large' ;;",
        "    'run ?') echo known ;;",
      ])
    #expect(script(.bash).contains(#"[[ $word == -- && " run " == *" $path "* ]]"#))
  }

  @Test(
    arguments: [
      "'box pack '1)\n      also=folders\n      ;;", "'box pack '2)\n      also=things\n      ;;",
      "'box pack '<3->)\n      also=files\n      ;;",
      "'box seal '1)\n      also=things\n      files=1\n      ;;",
      "'run '1)\n      words_here=(\n        'small:fits a pocket'\n        'large:fits a shelf'\n      )\n      ;;",
      "'box seal')\n      ;;",
      "'tell box')\n      options=(\n        '*--brief[Say less]'\n      )\n      ;;",
      "'*--into=[Put it in DIR]:DIR:_files -/'", #"'*--note=[Add a \[note\]: short]:TEXT: '"#,
      "'*--force[Do it]'\n        '*-f[Do it]'", #"return and backslash as \\t \\n \\r \\\\'"#,
      #"'*-s[Choose a size]:small|large:((small\:'\''fits a pocket'\'' large\:'\''fits a shelf'\''))'"#,
    ])
  func zsh(part: String) { #expect(script(.zsh).contains(part)) }

  @Test func fish() {
    let lines = lines(.fish)
    #expect(lines.contains("set -g __shop_places 'box' 'box pack' 'box seal' 'tell' 'tell box' 'run'"))
    func own(_ place: String) -> [String] {
      let start = #"complete -c shop -n '__shop_at \'\#(place)\'"#
      return lines.filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
    #expect(
      own("box pack").filter { !$0.contains("-l where") && !$0.contains("-l fields") } == [
        " 1' -a '(__fish_complete_directories)'", " 2' -a '(__shop_ask things)'", " 3-' -F",
        #"' -l size -s s -x -a 'small\\t\'fits a pocket\' large\\t\'fits a shelf\'' -d 'Choose a size'"#,
        "' -l into -x -a '(__fish_complete_directories)' -d 'Put it in DIR'",
        "' -l note -x -d 'Add a [note]: short'", "' -l force -s f -d 'Do it'",
        #"' -l sort -x -a '(__shop_list name\\t\'what it is called\' count\\t\'how many it holds\')' -d 'Sort by fields; -FIELD for descending'"#,
        "' -l limit -s n -x -d 'Show at most N rows'",
        "' -l exit-status -d 'End with status 1 if no row is left'",
      ])
    #expect(own("box seal") == [" 1' -F -a '(__shop_ask things)'"])
    #expect(
      own("run") == [
        " 1' -a 'small' -d 'fits a pocket'", " 1' -a 'large' -d 'fits a shelf'",
      ])
    #expect(own("tell box").last == "' -l brief -d 'Say less'")
    #expect(script(.fish).contains("contains -- \"$place\" 'run'\n"))
  }
}
