import HTTP
import Output
import System

/// A page of help about what holds for every command.
public struct Topic: Sendable {
  public let name: String
  public let title: String
  public let summary: String
  public let blocks: [Block]
  /// For a guide: the commands and suites that it is about, whose manual pages refer to it.
  let related: [String]

  public init(
    name: String, title: String, summary: String, related: [String] = [], blocks: [Block]
  ) {
    self.name = name
    self.title = title
    self.summary = summary
    self.related = related
    self.blocks = blocks
  }

  public static func all(_ program: Program) -> [Topic] {
    [options, output, scripting, environment(program), exitCodes, plugIns, install(program)] + program.guides
  }

  /// The sections of a page of its own: its subsections, after what precedes them.
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
      sections: [Section(title, isBrief: true, blocks)])
  }

  private static let exitCodes = Topic(
    name: "exit-codes", title: "Exit status", summary: "What each exit status means",
    blocks: [
      .items(ExitCodes.all),
      .paragraph(
        """
        The table is stable from 1.0 on: a number never changes its meaning. Under --json or --jsonl a failure is one line of JSON \
        on standard error. Its 'kind', the word in brackets above, tells failures apart without reading English, and \
        'retryable' says whether the same may succeed later:
        """),
      .literal([
        #"{"error":{"kind":"usage","exitCode":2,"message":"...","hint":"...","retryable":false}}"#
      ]),
      .paragraph(
        """
        An error of the kind 'connection' also has the member 'subkind': \
        \(ConnectionSubkind.allCases.map(\.rawValue).joined(separator: ", ")). 'retryAfter' is the number of seconds \
        that the service asks its clients to wait.
        """),
    ])

  private static let output = Topic(
    name: "output", title: "Output", summary: "Formats, fields, colour, and what goes where",
    blocks: [
      .paragraph(
        """
        Standard output carries the answer and nothing else; whatever else is to be said goes to standard error. The \
        format never depends on whether standard output is a terminal: only colour, cutting lines to its width, and \
        the neutralising of control characters do.
        """),
      .items(Format.allCases.map { Item($0.rawValue, $0.meaning) }),
      .paragraph(
        """
        --fields chooses fields by name or dotted path, in the order wanted; '--fields help' lists what a command has, \
        'all' is everything. Null is an empty cell in CSV and TSV and a dash in a table. CSV ends its records with \
        CR LF, as RFC 4180 says; everything else ends lines with LF, or with NUL under --null. A table holds all its \
        rows in memory until the last one is known; the other formats write each row as soon as it is there. \
        'hw schema SUITE COMMAND' prints the JSON Schema of what a command prints.
        """),
    ])

  private static func environment(_ program: Program) -> Topic {
    let settings = StandardOptions.all.map(\.declaration).filter(\.isSetting).map { option in
      Item(.variable(option.variable), "\(option.asSetting): \(option.summary.lowercasedFirst)")
    }
    let suites = program.suites.map { suite in
      (suite.commands, "\(program.name) \(suite.name)", suite.name as String?)
    }
    let tools = program.tools.commands.map { ([$0], "\(program.name) \($0.name)", nil as String?) }
    let own: [Item] = (suites + tools).flatMap { commands, owner, suite in
      var seen: Set<String> = []
      return commands.flatMap(\.options).map(\.declaration)
        .filter { $0.isSetting && seen.insert($0.name).inserted }
        .map { option in
          Item(
            .variable(option.variables(suite: suite)[0]),
            "\(option.asSetting) of \(owner): \(option.summary.lowercasedFirst)")
        }
    }
    let secrets = program.services.compactMap(\.service).compactMap { service in
      service.credential.map { credential in
        Item(
          .variable(([service.variable] + credential.variables).joined(separator: ", ")),
          "the \(credential.setting) that \(program.name) \(service.suite) sends")
      }
    }
    let tokens = program.services.compactMap(\.service)
      .filter { $0.credential?.setting != Service.token }.map(\.tokenVariable).joined(separator: ", ")
    return Topic(
      name: "environment", title: "Environment", summary: "The variables that hw reads",
      blocks: [
        .paragraph(
          """
          Every setting can be an option, a variable for one suite (HW_NODES_COLOR), a variable for all (HW_COLOR), \
          or a line of the configuration (nodes.color = never, color = never), in this order of strength. An empty \
          variable counts as unset. 'hw config list' with --origin shows what is in force, and why.
          """),
        .items(
          settings + own + secrets + [
            Item(.variable(tokens), "the token of a user of 'hw serve' for one suite"),
            Item(
              .variable("HW_TOKEN"),
              "the same for all suites, sent to an address given with --url, HW_URL or HW_<SUITE>_URL"
            ),
            Item(.variable("HW_BIN"), "set for a plug-in: the hw that runs it"),
            Item(.variable("HW_CONFIG"), "the configuration file, in place of $XDG_CONFIG_HOME/hw/config"),
            Item(
              .variable("HW_PAGER, PAGER"), "what shows long answers, in place of 'less -FRX'; empty: nothing"
            ),
            Item(
              .variable("XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME"),
              "the folders in which hw has its own: configuration, databases, snapshots and limits, copies of answers"
            ),
            Item(.variable("HOME"), "where these are usually: .config, .local/share, .local/state, .cache"),
            Item(.variable("PATH"), "where plug-ins, pagers and browsers are looked for"),
            Item(.variable("TMPDIR"), "where a browser's passing profile is made"),
            Item(.variable("BROWSER"), "what opens a page; without it xdg-open or open"),
            Item(.variable("DISPLAY, WAYLAND_DISPLAY"), "unset: no window for a CAPTCHA"),
            Item(
              .variable("http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY"),
              "the proxies, as curl has them; the first in lower case alone, the others in either"),
            Item(
              .variable("CURL_CA_BUNDLE, SSL_CERT_FILE, SSL_CERT_DIR"),
              "the certificates to trust, as curl has them"),
            Item(
              .variable("PGHOST, PGPORT, PGUSER, PGDATABASE, PGSERVICE, PGPASSFILE, PGTARGETSESSIONATTRS"),
              "what the address of a PostgreSQL store leaves out, as libpq reads them"),
            Item(.variable("LC_ALL, LC_MESSAGES, LANG"), "the language that places are named in"),
            Item(
              .variable("LC_CTYPE"),
              "looked at by 'hw check' with --self alone: hw writes UTF-8 in every locale"),
            Item(.variable("TZ"), "the time zone of times in tables"),
            Item(.variable("NO_COLOR"), "no colour, whatever its value"),
            Item(.variable("CLICOLOR_FORCE"), "colour in pipes and files as well, unless it is 0"),
            Item(.variable("TERM"), "'dumb' or unset: no colour, no pager, no screens"),
            Item(
              .variable("COLORTERM"),
              "'truecolor' or '24bit': every colour; else 16, or 256 where TERM ends in 256color"),
            Item(.variable("COLUMNS"), "the width of a terminal that does not know its own"),
          ]),
      ])
  }

  private static let plugIns = Topic(
    name: "plugins", title: "Plug-ins", summary: "Commands of your own",
    blocks: [
      .paragraph(
        """
        Where hw has no command NAME, 'hw NAME' runs the program hw-NAME from PATH with the words behind NAME, in the \
        place of hw: its standard streams and its exit status are those of the command. Commands and suites of hw \
        always go first. 'hw help' lists the plug-ins it finds, without running them; 'hw help NAME' and 'hw --help \
        NAME' run hw-NAME --help.
        """),
      .paragraph(
        """
        HW_BIN is the path of the hw that runs the plug-in. An option before NAME is hw's own, and the plug-in finds \
        it in the variable HW_ and its name, a flag as 'on' or 'off': 'hw --json -v NAME' sets HW_OUTPUT=json and \
        HW_VERBOSE=1. The settings among them (HW_URL, HW_TIMEOUT, HW_COLOR, ...: 'hw help environment') count, as \
        strong as they were typed, for every hw that the plug-in calls; the output options (HW_OUTPUT, HW_FIELDS, \
        HW_HEADER, HW_NULL, HW_QUIET) are for the plug-in to obey.
        """),
      .literal([
        "#!/bin/sh",
        "# hw-where: the countries of the best nodes",
        "[ \"$1\" = --hw-complete ] && exit",
        "exec \"$HW_BIN\" nodes top --output=\"${HW_OUTPUT:-table}\" --fields=iso_code \"$@\"",
      ]),
      .paragraph(
        """
        For completion the shell runs hw-NAME --hw-complete WORD... with the words behind NAME, the last of which is \
        the one being typed, perhaps empty. It prints what may stand there, a word a line, with its meaning behind a \
        tab; nothing but standard output is looked at.
        """),
    ])

  private static let scripting = Topic(
    name: "scripting", title: "Scripting", summary: "What a script may rely on",
    blocks: [
      .paragraph(
        """
        Write long options, with '=' where a value may begin with a dash: --limit=5. There are no abbreviations, so a \
        script means the same when an option is added. Put '--' before operands that you did not write yourself. An \
        option may stand anywhere after 'hw'; the last one of a kind wins, and --no-NAME takes --NAME back.
        """),
      .paragraph(
        """
        Nothing prompts without a terminal, and nothing but a filter without operands reads standard input unless a \
        '-' asks for it. A command that loses something for good asks a person first; where there is none, it does what \
        its words name one by one ('hw wordle delete 262', '--keep 30'), and wants --yes for the rest ('hw wordle \
        reset'). --dry-run shows what would be done. Field names, their meaning and the exit statuses ('hw help \
        exit-codes') are stable; new fields may be added to JSON, \
        so pick fields by name. For names with any character in them use --null with 'xargs -0' or 'read -d ""'. \
        Tables are for people: their widths and headings are no promise.
        """),
      .literal([
        "hw wordle tiles --tsv ponds nymph | cut -f3",
        "hw rows --fields=alias,channels --jsonl nodes.json | jq .alias",
        "hw rows --json nodes.json || echo \"failed with $?\"",
      ]),
    ])
}

extension String {
  /// A summary within a sentence.
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension OptionDeclaration {
  /// What a variable stands for: the option with its value, or the flag that a word turns on or off.
  fileprivate var asSetting: String {
    switch kind {
    case .flag(let startsOn): "'\(startsOn ? "off" : "on")' is \(spelling)"
    case .counter, .value, .list, .shorthand: spelling
    }
  }
}

extension Topic {
  /// The recipe is run by a test, into a prefix of its own.
  static func install(_ program: Program) -> Topic {
    Topic(
      name: "install", title: "Installation",
      summary: "Installing under a prefix of your choice, and removing it",
      blocks: [
        .paragraph(
          """
          hw is one file, which runs wherever it lies; it makes its own manual and completions. After 'swift build -c \
          release' in the source:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "built=.build/release/\(program.name)",
            "install -d \"$prefix/bin\" \"$prefix/share/man/man1\" \"$prefix/share/man/man7\"",
            "install -m 755 \"$built\" \"$prefix/bin/\(program.name)\"",
            "for page in $(\"$built\" help --pages); do",
            "  \"$built\" help --man ${page%.*} >\"$prefix/share/man/man${page##*.}/$page\"",
            "done",
          ] + Shell.allCases.map { "install -d \"$prefix/share/\($0.folder)\"" }
            + Shell.allCases.map { "\"$built\" completions \($0) >\"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          Then $prefix/bin has to be on PATH, for zsh also $prefix/share/zsh/site-functions in fpath before compinit. \
          'hw check' with --self says whether everything is in its place and of this version. To remove it:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "for page in $(\"$prefix/bin/\(program.name)\" help --pages); do",
            "  rm -f \"$prefix/share/man/man${page##*.}/$page\"",
            "done",
            "rm -f \"$prefix/bin/\(program.name)\"",
          ] + Shell.allCases.map { "rm -f \"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          What hw keeps for you stays: configuration, databases, snapshots and copies lie in the folders hw below \
          ~/.config, ~/.local/share, ~/.local/state and ~/.cache, or where the XDG variables say.
          """),
      ])
  }
}

extension Shell {
  /// Where it looks for scripts, below PREFIX/share.
  var folder: String {
    switch self {
    case .bash: "bash-completion/completions"
    case .zsh: "zsh/site-functions"
    case .fish: "fish/vendor_completions.d"
    }
  }

  /// Its script, below PREFIX/share.
  public var scriptPath: String {
    switch self {
    case .bash: "\(folder)/hw"
    case .zsh, .fish: "\(folder)/\(fileName)"
    }
  }
}
