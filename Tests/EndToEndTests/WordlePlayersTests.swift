import Foundation
import Testing

/// What is passed on: share texts to others, theirs to compare with.
@Suite struct WordlePlayers {
  @Test func playersAreKeptComparedAndForgotten() throws {
    let home = try Home()
    func hw(_ line: String) throws -> Ending { try shell(line, in: home, environment: ["HW_URL": nil]) }
    let chat = "Ann: Wordle 264 2/6*\\n\\n⬜🟨⬜⬜⬜\\n🟩🟩🟩🟩🟩\\nwow\\nWordle 263 X/6\\n"
    #expect(
      try hw("printf '\(chat)' | hw wordle import --player Ann --tsv --no-header").output
        == "264\t2/6\t2\ttrue\tAnn\n263\tX/6\t\tfalse\tAnn\n")
    let compared = "hw wordle compare --json"
    #expect(
      try hw(compared).output == #"""
        {"players":[{"name":"you","played":2,"wins":1,"ties":0,"mean":3.5},\#
        {"name":"Ann","played":2,"wins":1,"ties":0,"mean":2}],\#
        "games":[{"id":264,"results":{"you":"3/6","Ann":"2/6"},"best":["Ann"]},\#
        {"id":263,"results":{"you":"4/6","Ann":"X/6"},"best":["you"]}]}

        """#)
    let file =
      "hw wordle scores --json >ben.json; hw wordle share 262 >cy.txt; hw wordle compare --with Ben=ben.json --with Cy=cy.txt --json"
    #expect(
      try hw("\(file) | jq -c '[.players[] | [.name, .played]]'").output
        == #"[["you",3],["Ann",2],["Ben",3],["Cy",1]]"# + "\n")
    #expect(
      try hw("hw wordle compare --limit 1 --sort id --json | jq -c '[.games[].id]'").output == "[263]\n")
    #expect(try hw("hw wordle import --forget Ann").status == 0)
    #expect(try hw("\(compared) | jq .games").output == "[]\n")
  }

  @Test func whoIsAloneIsToldSo() throws {
    let alone = try shell(
      "hw wordle compare; hw wordle compare --all --limit 1", environment: ["HW_URL": nil])
    #expect(alone.status == 0)
    #expect(
      alone.output == """
        Wordle  you
          wins    0
          ties    0
        played    0
          mean    -
        Wordle   you
           264   3/6

          wins     0
          ties     0
        played     1
          mean  3.00

        """)
    #expect(alone.errors == "hw: no game was played by several players; '--all' shows all games\n")
  }

  @Test func theClipboardIsReachedThroughTheTerminal() throws {
    let terminal = try Terminal(columns: 80)
    let ending = try Started(
      ["hw", "wordle", "share", "264", "--clipboard"], in: Home(), errors: terminal.descriptor
    ).end()
    #expect(ending.output.hasPrefix("Wordle 264 3/6\n\n"))
    let text = terminal.text
    #expect(text.hasPrefix("\u{1B}]52;c;") && text.hasSuffix("\u{07}"))
    let encoded = text.dropFirst(7).dropLast()
    #expect(Data(base64Encoded: String(encoded)) == Data(ending.output.dropLast().utf8))
  }

  @Test func anotherServiceIsAskedWithoutTheToken() throws {
    let ending = try shell(
      "hw wordle compare --with Bea=http://127.0.0.1:1 --explain", environment: ["HW_WORDLE_TOKEN": "secret"])
    #expect(!ending.output.contains("secret"))
  }

  /// The server keeps an account for each token: had the token been sent, Bea's games would be those of its account.
  @Test func theTokenStaysWithTheAddressItIsFor() throws {
    let ending = try shell(
      """
      hw serve -- sh -c 'export HW_WORDLE_TOKEN=secret
        hw wordle delete 262 263 -q >/dev/null
        hw wordle compare --all --with Bea=$HW_URL --json' >compared
      jq -c '[.games[] | select(.id >= 262 and .id <= 264) | [.id, (.results | has("you", "Bea"))]]' compared
      """)
    #expect(ending.output == "[[264,true,true],[263,false,true],[262,false,true]]\n", "\(ending)")
  }
}
