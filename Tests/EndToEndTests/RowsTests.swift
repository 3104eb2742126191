import Foundation
import TestSupport
import Testing

/// `hw rows`: whatever comes in, nothing is lost without a word.
@Suite(.ownThread) struct RowsCommand {
  private static let mixed = #"printf '[{"a":1},{"b":2},5,"x"]' | hw rows "#

  @Test(
    "what comes out",
    arguments: [
      ("hw nodes top --limit 2 --json | sed 's/,/,\\n  /g' | hw rows --jsonl | wc -l", "2\n"),
      (mixed + "--fields all --csv", "a,b,value\r\n1,,\r\n,2,\r\n,,5\r\n,,x\r\n"),
      (mixed, "a  b  value\n1  -  -\n-  2  -\n-  -  5\n-  -  x\n"),
      (
        #"echo '{"a.b":1,"c,d":2,"e f":3}' | hw rows --fields '"a.b","c,d",e f' --tsv --no-header"#,
        "1\t2\t3\n"
      ),
      (
        #"printf '{"a b":2}{"a b":1}' | hw rows --sort '"a b"' --where '"a b">0' --jsonl"#,
        "{\"a b\":1}\n{\"a b\":2}\n"
      ),
      (
        "echo '[5,-1e400,9007199254740993,9007199254740992.5]' | hw rows --sort value --jsonl",
        "-1e400\n5\n9007199254740992.5\n9007199254740993\n"
      ),
      (
        #"echo '{"data":{"list":[1,2]}}{"data":{"list":[3]}}' | hw rows --path data.list --tsv --no-header"#,
        "1\n2\n3\n"
      ),
      (#"printf '\357\273\277[1]\n[2]\n' | hw rows --tsv --no-header"#, "1\n2\n"),
      (#"printf '%s' '[{"a":1,"b":"x\n"}]' | hw rows --csv -0 | tr '\0' '|'"#, "a,b|1,\"x\n\"|"),
      (
        #"printf '%s' '[{"a":"x\u0000y"}]' | hw rows --csv -0 --no-header | tr '\0' '|'"#, "x\u{FFFD}y|"
      ),
      (
        #"printf '%s' '[{"a":"x\u0000y"}]' | hw rows --tsv -0 --no-header | tr '\0' '|'"#, "x\u{FFFD}y|"
      ),
      ("echo '[1]' >a; echo '[3]' >b; echo '[2]' | hw rows a - b --tsv --no-header", "1\n2\n3\n"),
      // More files than a process may have open.
      (
        "i=100; while [ $i -lt 200 ]; do echo $i >$i; i=$((i + 1)); done; ulimit -n 50; hw rows 1* --tsv --no-header | tail -n 1",
        "199\n"
      ),
      // A condition selects the same rows of a suite and of its JSON.
      (
        "hw nba players --where 'jersey_number>9' --json >x; hw nba players --json | hw rows --where 'jersey_number>9' --json"
          + " | cmp - x && wc -c <x | grep -qv '^3$' && echo same",
        "same\n"
      ),
    ]) func prints(line: String, output: String) throws
  {
    let ending = try shell(line)
    #expect(ending == Ending(status: 0, output: output), "\(ending)")
  }

  @Test(
    "what is reported",
    arguments: [
      (
        mixed + "--csv", 2, "a\r\n1\r\n",
        "hw: row 2: the header has no field 'b'\n"
          + "    choose fields with --fields, or read all rows before the header with --fields all\n"
      ),
      (
        mixed + "--fields a,nope --csv --no-header", 0, "1,\r\n,\r\n,\r\n,\r\n",
        "hw: no row has the field 'nope'\n"
      ),
      (
        mixed + "--tsv --keep-going 2>&1 >/dev/null | grep -o 'row .*'", 0,
        "row 2: the header has no field 'b'\nrow 3: the header has no field 'value'\nrow 4: the header has no field 'value'\n",
        ""
      ),
      (
        #"printf '{"a":1}\nx\n{"a":2}\n' | hw rows --jsonl --keep-going 2>e; echo $?; grep -o 'message":"row[^"]*' e"#,
        0,
        "{\"a\":1}\n{\"a\":2}\n2\nmessage\":\"row 2: line 2, column 1: expected a value, found 'x'\n", ""
      ),
      (
        "printf '[1,x,2]' | hw rows --tsv --keep-going", 2, "value\n1\n",
        "hw: row 2: line 1, column 4, at [1]: expected a value, found 'x'\n"
      ),
      (
        #"echo '{"data":5}' | hw rows --path data"#, 2, "",
        "hw: line 1, column 9, at data: expected an array, found a number\n"
      ),
      (
        #"echo '{"data":5}{"data":[1]}' | hw rows --path data --tsv --keep-going"#, 2, "value\n1\n",
        "hw: row 1: line 1, column 9, at data: expected an array, found a number\n"
      ),
      (
        "echo '[1]' >a; echo x >b; hw rows no a b --tsv", 10, "value\n1\n",
        "hw: cannot read 'no': no such file or directory\nhw: 'b', row 1: line 1, column 1: expected a value, found 'x'\n"
      ),
    ]) func reports(line: String, status: Int32, output: String, errors: String) throws
  {
    let ending = try shell(line)
    #expect(ending == Ending(status: status, output: output, errors: errors), "\(ending)")
  }

  @Test(
    "an array is closed where the input is invalid",
    arguments: [
      ("printf '[1,2' | hw rows --json", 2, "[1,\n2]\n"),
      ("printf '[1,x,2]' | hw rows --json --keep-going", 2, "[1]\n"),
      (#"printf '[{"a":1,"b":2},x]' | hw rows --json --fields a"#, 2, "[{\"a\":1}]\n"),
      (#"printf '{"a":1}\nx\n{"a":2}\n' | hw rows --json --keep-going"#, 2, "[{\"a\":1},\n{\"a\":2}]\n"),
      ("echo '[1]' >a; printf '[2,x' >b; hw rows a b --json", 2, "[1,\n2]\n"),
      // Nothing was written, so there is nothing to close.
      ("printf '[2,1' | hw rows --json --sort value", 2, ""), ("printf x | hw rows --json", 2, ""),
    ] as [(String, Int32, String)]) func closes(line: String, status: Int32, output: String) throws
  {
    let ending = try shell(line)
    #expect(ending.status == status && ending.output == output, "\(ending)")
  }
}
