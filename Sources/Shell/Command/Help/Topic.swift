import HTTP
import Output
import System

public struct Topic: Sendable {
  public let name: String
  public let title: String
  public let summary: String
  public let blocks: [Block]
  /// Commands and suites whose manual pages refer to this guide.
  let related: [String]

  public init(name: String, title: String, summary: String, related: [String] = [], blocks: [Block]) {
    self.name = name
    self.title = title
    self.summary = summary
    self.related = related
    self.blocks = blocks
  }

  public static func all(_ program: Program) -> [Topic] {
    [
      options, services(program), output, scripting, environment(program), exitCodes, plugIns,
    ] + program.guides
  }

  /// Sections of a manual page: the subsections, after the blocks before them.
  var sections: [Section] {
    var sections = [Section("Description", [])]
    for block in blocks {
      if case .subsection(let title, let blocks) = block {
        sections.append(Section(title, blocks))
      } else {
        sections[sections.count - 1].blocks.append(block)
      }
    }
    return sections.filter { !$0.blocks.isEmpty }
  }

  public func page(in program: Program) -> Page {
    Page(
      name: "\(program.name) help \(name)", summary: summary, usage: [""],
      sections: [Section(title, isInShortHelp: true, blocks)])
  }

  private static let exitCodes = Topic(
    name: "exit-codes", title: "Exit status", summary: "What each exit status means",
    blocks: [
      .items(ExitCodes.all),
      .paragraph(
        """
        The numbers are stable from 1.0 on. With --json or --jsonl an error is one line of JSON on standard error. \
        'kind' is the word in brackets above, and 'retryable' is true if the same command can succeed later:
        """),
      .literal([
        #"{"error":{"kind":"usage","exitCode":2,"message":"...","hint":"...","retryable":false}}"#
      ]),
      .paragraph(
        """
        An error of the kind 'connection' also has the member 'subkind': \
        \(ConnectionSubkind.allCases.map(\.rawValue).joined(separator: ", ")). 'retryAfter' is the number of seconds \
        that the service asks its clients to wait. An interruption is reported only if it may have left a change \
        behind, or if another command continues the output.
        """),
    ])

  private static let output = Topic(
    name: "output", title: "Output", summary: "Formats, fields, color, and streams",
    blocks: [
      .paragraph(
        """
        Standard output contains only results; messages go to standard error. The format does not depend on whether \
        standard output is a terminal. Only color, the width of lines, and the replacement of control characters do. \
        Exceptions: 'hw race watch' shows a screen on a terminal, and long output is shown in a pager. A command whose \
        output is not a table prints text of its own if no format is chosen.
        """),
      .items(Format.allCases.map { Item($0.rawValue, $0.meaning) }),
      .paragraph(
        """
        --fields selects fields by name or dotted path, in output order; '--fields help' lists the fields of a \
        command, 'all' selects all. Null is an empty cell in CSV and TSV and a dash in a table. Markdown contains the \
        cells of the table: markup characters are escaped with a backslash, a line break is <br>, a blank at the start \
        or the end of a cell is &nbsp;. Values do not become links: the colon of :// is &#58;, the point of www. is \
        &#46;, and an empty comment (<!-- -->) follows the @ of a name and the # of a number. With --no-header both \
        header lines are omitted, for rows that are appended to a table. Lines end with LF in every format, or with \
        NUL with --null. A table is printed when its last row is known, or page by page; other formats print each row \
        immediately, and the header with the first one. If a service fails after the first rows, a JSON array is not \
        closed, since it is not complete. 'hw schema SUITE COMMAND' prints the JSON Schema of the output.
        """),
    ])

  private static let plugIns = Topic(
    name: "plugins", title: "Plug-ins", summary: "Add your own commands",
    blocks: [
      .paragraph(
        """
        If hw has no command NAME, 'hw NAME' runs the program hw-NAME from PATH with the arguments after NAME. It \
        replaces hw, so standard streams and exit status are its own. Commands and suites of hw take precedence. \
        'hw help' lists the plug-ins it finds, without running them; 'hw help NAME' and 'hw --help NAME' run hw-NAME \
        --help.
        """),
      .paragraph(
        """
        HW_BIN is the path of the hw that runs the plug-in. Settings (HW_URL, HW_TIMEOUT, HW_COLOR, ...: 'hw help \
        environment') also apply to each hw that the plug-in runs. Options of hw cannot stand before NAME.
        """),
      .literal([
        "#!/bin/sh",
        "# hw-where: the countries of the best nodes",
        "[ \"$1\" = --hw-complete ] && exit",
        "exec \"$HW_BIN\" nodes top --fields=iso_code \"$@\"",
      ]),
      .paragraph(
        """
        For completion the shell runs hw-NAME --hw-complete WORD... with the words after NAME. The last word is the \
        one to complete and can be empty. The plug-in prints one candidate per line on standard output; a description \
        can follow after a tab.
        """),
    ])

  private static let scripting = Topic(
    name: "scripting", title: "Scripting", summary: "Interfaces that scripts can rely on",
    blocks: [
      .paragraph(
        """
        Use long options, with '=' if a value can begin with a dash: --limit=5. Options cannot be abbreviated, so \
        scripts keep working when options are added. Write '--' before operands that come from elsewhere. Options are \
        accepted anywhere after 'hw'. The last one takes precedence, and --no-NAME cancels --NAME.
        """),
      .paragraph(
        """
        No command prompts without a terminal, and only filters read standard input without a '-'. Commands that \
        delete data ask for confirmation on a terminal. Without a terminal they delete objects that are named ('hw \
        wordle delete 262', '--keep 30') and cached responses, and require --yes for the rest ('hw wordle reset'). \
        --dry-run shows what would be done. For names with any character in them use --null with 'xargs -0' or 'read \
        -d ""'. Tables are for people: their widths and headings are no promise.
        """),
      .paragraph(
        """
        From 1.0 on, exit statuses ('hw help exit-codes') and the names of commands, options, settings and fields are \
        stable; in a release candidate only a defect still changes a name. New fields may be added to JSON, so pick \
        fields by name.
        """),
      .paragraph(
        """
        A pipe ends with the status of its last program. 'set -o pipefail' lets it fail with 'hw'. --output-file \
        replaces a file only after success, and '&&' continues only then.
        """),
      .literal([
        "hw wordle tiles --tsv ponds nymph | cut -f3",
        "hw rows --fields=alias,channels --jsonl nodes.json | jq .alias",
        "hw rows --json nodes.json || echo \"failed with $?\"",
      ]),
      .paragraph("Keep a history in SQLite, whose json_each keeps integers of 64 bits:"),
      .literal([
        "hw nodes top --json --output-file top.json",
        "sqlite3 history.db <<END",
        "CREATE TABLE IF NOT EXISTS top(day, publicKey, capacity);",
        "INSERT INTO top SELECT date(), value->>'publicKey', value->>'capacity'",
        "  FROM json_each(readfile('top.json'));",
        "END",
      ]),
      .paragraph("Query JSON Lines with DuckDB:"),
      .literal([
        "hw nodes top --jsonl --output-file top.jsonl",
        "duckdb -c \"SELECT iso_code, sum(capacity) FROM 'top.jsonl' GROUP BY ALL\"",
      ]),
      .paragraph(
        "Commit a snapshot to a git repository when it has changed. Sorted by id, equal data gives equal bytes:"
      ),
      .literal([
        "hw bikes list --anywhere --sort id --jsonl --output-file data/bikes.jsonl",
        "git -C data add bikes.jsonl",
        "test -z \"$(git -C data status -s)\" || git -C data commit -q -m 'bikes'",
      ]),
      .paragraph("Report a successful cron job, which never runs twice at a time, to a monitoring service:"),
      .literal([
        "flock -n top.lock hw nodes snapshot --keep 30 -q >snapshot.txt &&",
        "  curl -fsS -m 10 --retry 3 -o /dev/null \"$PING_URL\"",
      ]),
      .paragraph(
        """
        Wait for a free bike. Status 1 is an empty list, and 5 and 8 can pass. Any other failure ends the loop:
        """),
      .literal([
        "until hw bikes list --near=50.1195,8.6381 --exit-status >bikes.txt; do",
        "  case $? in 1 | 5 | 8) sleep 60 ;; *) exit ;; esac",
        "done",
      ]),
      .paragraph(
        """
        Programs that run 'hw', such as agents, read the output of --json, the exit status and the error object, which \
        are stable; messages are not. Without a terminal, or with CI, AI_AGENT or AGENT set, nothing prompts, pages or \
        takes the screen. Run a command again only if the error object has 'retryable' true; after another failure of \
        a change, read the object first.
        """),
    ])
}

extension String {
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
