import TestSupport

extension Driver {
  /// What commands read of files and of standard input: CSV, GeoJSON, JSON, share texts, tiles, races.
  static let imports = Driver(name: "imports", round: 100) { home in
    let commands = ImportSamples.commands
    let mutators = commands.map { Mutator($0.texts.map { Array($0.utf8) }, tokens: ImportSamples.tokens) }
    return Attack(
      make: { random in
        let index = random.below(commands.count)
        let form = random.pick([[], ["--json"], ["--csv"], ["--terminal"]])
        let words = (random.pick(commands[index].words) + form).joined(separator: "\u{1F}")
        return Array(words.utf8) + [0x0A] + mutators[index].make(&random)
      },
      judge: { input in
        let end = input.firstIndex(of: 0x0A) ?? input.count
        return InputLine(input[..<end]).problem(in: home, input: Array(input[min(end + 1, input.count)...]))
      })
  }
}

enum ImportSamples {
  static let commands: [(words: [[String]], texts: [String])] = [
    (
      [["bikes", "import", "-"], ["bikes", "import", "-", "--dry-run"]],
      [
        "name,color,pin,latitude,longitude\nWanda,red,0420,50.12,8.64\nOtto,\"dark, blue\",1111,-89.99,179.9\n",
        "pin,name,color,longitude,latitude,other\r\n0420,\"a \"\"b\"\"\",red,8.64,50.12,x\r\n",
        #"[{"name":"Wanda","color":"red","pin":"0420","location":{"latitude":50.12,"longitude":8.64}}]"#,
        #"{"name":"Wanda","color":"red","pin":"0420","location":{"latitude":50.12,"longitude":8.64}}"# + "\n"
          + #"{"name":"Otto","color":"blue","pin":"0421","location":{"latitude":50.13,"longitude":8.65}}"#
          + "\n",
        #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":"#
          + #"[8.64,50.12]},"properties":{"name":"Wanda","color":"red","pin":"0420"}}]}"#,
      ]
    ),
    (
      [["wordle", "import"], ["wordle", "import", "--player", "Eve", "--dry-run"]],
      [
        "Wordle 281 4/6\n\n⬛🟨⬛⬛⬛\n🟨⬛🟨⬛⬛\n⬛🟩🟩🟨⬛\n🟩🟩🟩🟩🟩\n",
        "Wordle 1,281 X/6*\n\n" + String(repeating: "⬜🟧🟦⬜⬜\n", count: 6),
        "> hi\n> Wordle 281 1/6\n> \n> 🟩🟩🟩🟩🟩\n> bye\nWordle 282 2/6\n\n🟨🟨🟨🟨🟨\n🟩🟩🟩🟩🟩",
      ]
    ),
    (
      [["wordle", "tiles"], ["wordle", "tiles", "--style", "ansi"]],
      ["crane slate\nslate crate\n", "abbey kebab\tx\n", "ÄÖÜßé aaaaa\n", "crane\ncrane crane crane\n\n"]
    ),
    (
      [["race", "show", "-"], ["race", "show", "-", "--play", "--speed", "1000"]],
      [ImportSamples.race.joined()]
    ),
    (
      [
        ["rows", "--table"], ["rows", "-o", "table", "--sort", "a"],
        ["rows", "--where", "id>1", "--limit", "2"],
      ], JSONSamples.texts.filter { $0.count < 1500 }.map { String(decoding: $0, as: UTF8.self) }
    ),
    (
      [["config", "set", "nodes.lang", "-"], ["config", "set", "wordle.token", "-"]], ["de\n", "hush\r\n"]
    ),
  ]

  static let race: [String] = [
    event("start", 1, 0, ##""duration":2"##),
    event(
      "standings", 2, 0.014,
      ##""beeList":[{"name":"BeeAman","color":"#8a18a3"},{"name":"Bee","color":"#eff7a3"}]"##),
    event("captcha", 3, 0.5, ##""captchaUrl":"https://127.0.0.1/captcha?x=1""##),
    event("resumed", 4, 0.6, ##""wait":null"##), event("rate_limited", 5, 0.7, ##""wait":1.5"##),
    event("retry", 6, 0.9, ##""wait":0.1,"message":"gone""##),
    event(
      "standings", 7, 2.002,
      ##""beeList":[{"name":"Bee","color":"#eff7a3"},{"name":"BeeAman","color":"#8a18a3"}]"##),
    event(
      "finish", 8, 2.002,
      ##""winner":"Bee","provisional":false,"beeList":[{"name":"Bee","color":"#eff7a3"}]"##),
  ]

  private static func event(_ name: String, _ number: Int, _ elapsed: Double, _ more: String) -> String {
    #"{"event":"\#(name)","seq":\#(number),"elapsed":\#(elapsed),"remaining":\#(max(0, 2 - elapsed)),\#(more)}"#
      + "\n"
  }

  static let tokens = [
    "\"FeatureCollection\"", "\"coordinates\":[", "latitude", "longitude", ",,", "\"\"", "\r\n", "\n\n", "🟩",
    "🟨", "⬛", "⬜", "🟧", "X/6", "0/6", "7/6", "*", "Wordle ", "1,281", "\u{FE0F}", "\u{200D}", "\"elapsed\":",
    "\"bees\":", "\"type\":", "1e308", "-1e308",
  ]
}
