import TestSupport
import Testing

@Suite(.ownThread) struct ShellProgramParsing {
  @Test(arguments: [
    ("hw nodes top", ["hw"]), ("hw nodes top | jq -r .a", ["hw", "jq"]),
    ("a && b || c; d & e", ["a", "b", "c", "d", "e"]),
    ("a\nb # c\nd", ["a", "b", "d"]), ("A=b C='d e' f", ["f"]), ("a 'b; c' \"d; e\" f\\;g", ["a"]),
    ("a >b 2>>c <d 2>&1 e >&- f", ["a"]), ("a |& b", ["a", "b"]), ("a \\\n b", ["a"]), ("'a' b", ["a"]),
    // Substitutions.
    ("a $(b c | d)", ["a", "b", "d"]), ("a \"$(b)\" \"x $(c \"$(d)\")\"", ["a", "b", "c", "d"]),
    ("a $((1 + 2)) ${b} ${#c} $d", ["a"]), ("e=$(f)", ["f"]),
    // What is followed by a command.
    ("if a; then b; elif c; else d; fi", ["if", "a", "then", "b", "elif", "c", "else", "d", "fi"]),
    ("for a in b c; do d; done", ["for", "do", "d", "done"]),
    ("while ! a; do b; done", ["while", "!", "a", "do", "b", "done"]), ("{ a; } && (b)", ["a", "b"]),
    ("env -i A=b c d", ["env", "c"]), ("env -u HOME a", ["env", "a"]), ("timeout 5 a", ["timeout", "a"]),
    ("a | xargs -0 b c", ["a", "xargs", "b"]), ("exec a <b", ["exec", "a"]),
    // Scripts of a shell.
    ("sh -c 'a | b' c", ["sh", "a", "b"]), ("bash -ec \"a; b\"", ["bash", "a", "b"]), ("a -c 'b'", ["a"]),
    ("hw serve -- sh -c 'a $(b)'", ["hw", "sh", "a", "b"]), ("hw serve bikes -- a b", ["hw", "a"]),
    ("hw rows -- a", ["hw"]),
    // A function is no program.
    ("a() { b; }; a c", ["b"]),
    ("a <<X\nb\nX\nc", ["a", "c"]), ("a <<-'X' >d\nb\n  X\nc", ["a", "c"]), ("a <<X; b\nc\nX", ["a", "b"]),
  ])
  func programsOfLinesAreFound(line: String, names: [String]) {
    #expect(ShellPrograms.names(in: line) == names)
  }

  @Test func toolsMatchTable() {
    #expect(
      ShellPrograms.tools(in: "hw nodes top | jq . | nosuch; psql -c 'curl'; nodejs") == [
        .jq, .node, .postgresql,
      ])
  }
}
