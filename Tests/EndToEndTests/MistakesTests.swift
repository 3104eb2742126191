import Foundation
import TestSupport
import Testing

/// What people type by mistake: words of other programs, the plural, an option in place of an operand, and the reverse.
/// The hint is the next step, as a command or an option that can be typed.
@Suite(.ownThread) struct Mistakes {
  private static let cases: [(line: String, hint: String)] = [
    ("hw team lakers", "did you mean 'hw nba team'?"),
    ("hw rent 5", "did you mean 'hw bikes rent'?"),
    ("hw score 264", "did you mean 'hw wordle score'?"),
    ("hw top", "did you mean 'hw nodes top'?"),
    ("hw snapshot", "did you mean 'hw nodes snapshot'?"),
    ("hw nodes list", "did you mean 'hw nodes top' or 'hw nodes snapshots'?"),
    ("hw nodes node", "commands: top, show, search, stats, snapshot, diff, snapshots"),
    ("hw nodes rank", "did you mean 'hw nodes top'?"),
    ("hw nodes info", "did you mean 'hw nodes show'?"),
    ("hw nodes get lunar.dock.com", "did you mean 'hw nodes show'?"),
    ("hw bikes ls", "did you mean 'hw bikes list'?"),
    (
      "hw bikes nearby",
      "commands: list, map, show, add, edit, rent, return, rented, import, export, history, delete"
    ),
    ("hw bikes book 2", "did you mean 'hw bikes rent'?"),
    ("hw bikes unlock 2", "did you mean 'hw bikes rent'?"),
    ("hw bikes remove 1", "did you mean 'hw bikes delete'?"),
    ("hw bikes return 1 50.1,8.6", "use --at LAT,LON, or set HW_LOCATION"),
    ("hw bikes rent", "'hw bikes list --anywhere' shows the ids"),
    ("hw bikes list 50.1195,8.6381", "did you mean '--near 50.1195,8.6381'?"),
    ("hw bikes add --name Wanda --color red --pin 1234 --at 50.1,8.6", "did you mean '--frame-color red'?"),
    ("hw wordle guess ponds nymph", "did you mean 'hw wordle tiles'?"),
    ("hw wordle tiles ponds", "write 'hw wordle tiles ponds WORD'"),
    ("hw wordle tiles ponds nymphs", "give a guess and a word of the same length, 1 to 64 letters each"),
    ("hw wordle score", "ID: The number of the game, or 'latest'\nsee 'hw wordle score --help'"),
    ("hw wordle scores 264", "did you mean 'hw wordle score 264'?"),
    ("hw wordle scores --last 5", "did you mean '--limit'?"),
    ("hw wordle share", "ID: The number of the game, or 'latest'\nsee 'hw wordle share --help'"),
    ("hw wordle delete", "'hw wordle scores -o table' lists the ids"),
    ("hw nba team", "TEAM: A name, an abbreviation or an id\nsee 'hw nba team --help'"),
    ("hw nba team LALA", "did you mean 'LAL'?"),
    ("hw nba teams lakers", "did you mean 'hw nba team lakers'?"),
    ("hw nba games --team LAL", "TEAM is an operand: write LAL without '--team'"),
    ("hw nba games --date 2024-01-02", "did you mean '--on'?"),
    ("hw nba player LeBron", "'hw nba players NAME' searches players by name"),
    ("hw nba player LeBron James", "'hw nba players NAME' searches players by name"),
    ("hw nba record", "TEAM: A name, an abbreviation or an id\nsee 'hw nba record --help'"),
    ("hw nba standings West", "did you mean '--conference West'?"),
    ("hw nodes show", "a key, the beginning of a key, or an alias"),
    ("hw nodes show satoshi", "give an alias, a key, or the first 8 digits of one or more"),
    ("hw nodes show 03zz", "give an alias, a key, or the first 8 digits of one or more"),
    ("hw nodes top 5", "did you mean '--limit 5'?"),
    (
      "hw nodes top --sort size",
      "fields: rank, alias, channels, capacity, country, city, updatedAt, publicKey, firstSeen, iso_code, subdivision"
    ),
    (
      "hw nodes top --fields size",
      "fields: rank, alias, channels, capacity, country, city, updatedAt, publicKey, firstSeen, iso_code, subdivision"
    ),
    (
      "hw nodes top --where 'size>5'",
      "fields: rank, alias, channels, capacity, country, city, updatedAt, publicKey, firstSeen, iso_code, subdivision"
    ),
    ("hw nodes top --where channels", "quote the expression: --where 'capacity>=1000'"),
    ("hw nodes top --format json", "did you mean '-o json'?"),
    ("hw nodes diff 2020-01-01", "save one with 'hw nodes snapshot'; 'hw nodes snapshots' lists all"),
    ("hw race start", "did you mean 'hw race watch'?"),
    ("hw race run", "did you mean 'hw race watch'?"),
    (
      "hw race show",
      "RACE: The id of a race, 'latest', or a file; '-' is standard input\nsee 'hw race show --help'"
    ),
    ("hw race delete", "name races, or use '--keep N'"),
    ("hw serve 80", "put '--' before a command; '--listen 127.0.0.1:PORT' selects the port"),
    ("hw serve 8080 bikes", "put '--' before a command; '--listen 127.0.0.1:PORT' selects the port"),
    ("hw serve --port 80", "did you mean '--listen 127.0.0.1:80'?"),
    ("hw serve bike", "did you mean 'bikes'?"),
    ("hw serve hw bikes list", "put '--' before a command; '--listen 127.0.0.1:PORT' selects the port"),
    ("hw check bike", "did you mean 'bikes'?"),
    ("hw config show", "did you mean 'hw config get'?"),
    ("hw config set", "NAME: A setting: timeout, nodes.lang, alias.lakers\nsee 'hw config set --help'"),
    ("hw config set nodes.lang", "'-' reads it from standard input"),
    ("hw config set foo bar", "'hw config list --origin' lists them"),
    ("hw config set timeout=5", "did you mean 'timeout'?"),
    ("hw config get lang", "set it with 'hw config set lang VALUE'"),
    ("hw config edit", "did you mean 'hw config set'?"),
    ("hw users create anna", "did you mean 'hw users add'?"),
    ("hw users remove anna", "did you mean 'hw users delete'?"),
    ("hw config path", "'hw config list' begins with the path"), ("hw rows --at data", "use '--path'"),
    ("hw rows --from csv", "the input is JSON; mlr or duckdb convert CSV and TSV"),
    ("hw completions --words x", "the scripts run 'hw __complete'"),
    ("hw wordle share 1 -o text", "text is the default of the commands that print it: leave out the option"),
    ("hw serve --feed-name x", "set HW_SERVE_FEED_NAME, or run 'hw config set serve.feed-name NAME'"),
    ("hw wordle tiles --palette x", "set HW_WORDLE_PALETTE, or run 'hw config set wordle.palette NAME'"),
    ("hw users show", "did you mean 'hw users list'?"),
    ("hw users add", "NAME: The name of the user\nsee 'hw users add --help'"),
    ("hw rows --where", "write: --where 'FIELD OP VALUE'"),
    ("hw schema", "'hw help' lists the commands"),
    ("hw schema nodes", "commands: top, show, search, stats, snapshot, diff, snapshots"),
    ("hw schema nodes tops", "did you mean 'top'?"),
    ("hw help nodes tops", "did you mean 'top'?"),
    ("hw help node", "did you mean 'nodes'?"),
    ("hw completions", "SHELL: The shell: bash, zsh or fish\nsee 'hw completions --help'"),
    ("hw -V", "did you mean '--version'?"),
    ("hw --versoin", "did you mean '--version'?"),
    ("hw -json nodes top", "did you mean '--json'?"),
    ("hw doctor", "did you mean 'hw check --self'?"),
    ("hw exit-codes", "did you mean 'hw help exit-codes'?"),
    ("hw store backup", "did you mean 'hw store copy'?"),
    ("hw cache clean", "did you mean 'hw cache clear'?"),
    ("hw node top", "did you mean 'nodes'?"),
    ("hw wordl scores", "did you mean 'wordle'?"),
    ("hw teams", "did you mean 'hw nba teams'?"),
    ("hw nba help", "did you mean 'hw help nba'?"),
    ("hw list", "did you mean 'hw bikes list', 'hw users list' or 'hw config list'?"),
    ("hw man", "did you mean 'hw help'?"),
    ("hw server", "did you mean 'hw help server' or 'hw serve'?"),
    ("hw status", "did you mean 'hw race status'?"),
    ("hw NBA teams", "did you mean 'nba'?"),
    ("hw nodes Top", "did you mean 'top'?"),
    ("hw nodes top --Limit 5", "did you mean '--limit'?"),
    ("hw nodes top –limit 5", "an option begins with '--'"),
    ("hw \"nodes top\"", "did you mean 'hw nodes top'?"),
    ("hw nodes/top", "did you mean 'hw nodes top'?"),
    ("hw nodes:top", "did you mean 'hw nodes top'?"),
    ("hw wordle remove 262", "did you mean 'hw wordle delete'?"),
    ("hw wordle new 261", "did you mean 'hw wordle add'?"),
    ("hw wordle new", "did you mean 'hw wordle add'?"),
    ("hw race run --demo", "did you mean 'hw race watch'?"),
    ("hw bikes info 1", "did you mean 'hw bikes show'?"),
    ("hw bikes give 5", "did you mean 'hw bikes return'?"),
    ("hw nodes find lunar", "did you mean 'hw nodes search'?"),
    ("hw nodes top --last 3", "did you mean '--limit'?"),
    ("hw nodes top --columns alias", "did you mean '--fields'?"),
    ("hw nodes top --filter 'channels>5'", "did you mean '--where'?"),
    ("hw wordle scores --from 2022-03-01", "did you mean '--since'?"),
    ("hw bikes list --position 50.1,8.6", "did you mean '--near'?"),
    ("hw bikes map 50.1,8.6", "did you mean '--near 50.1,8.6'?"),
    ("hw nodes top --silent", "did you mean '--quiet'?"),
    ("hw wordle reset --force", "did you mean '--yes'?"),
    ("hw nba games LAL --token x", "did you mean '--token-file'?"),
    ("hw serve --bind 0.0.0.0", "did you mean '--listen'?"),
    ("hw serve --port=80", "did you mean '--listen 127.0.0.1:80'?"),
    ("hw -csv nodes top", "did you mean '--csv'?"),
    ("hw nodes top liquidity", "did you mean '--by liquidity'?"),
    ("hw nba teams West", "did you mean '--conference West'?"),
    ("hw wordle ranking streak", "did you mean '--by streak'?"),
    ("hw check --token abc", "did you mean '--token-file'?"),
    ("hw help --list nodes", "remove one of them"), ("hw help --pages nodes", "remove one of them"),
    ("hw help --list --pages", "remove one of them"),
    ("hw help --man hw-rows --list", "remove one of them"),
    ("hw help nodes top --man hw-rows", "remove one of them"),
  ]

  @Test(arguments: cases.indices)
  func nextStep(index: Int) throws {
    let (line, hint) = Mistakes.cases[index]
    let ending = try shell("\(line) </dev/null")
    #expect([2, 3].contains(ending.status), "\(line)")
    #expect(ending.output == "", "\(line)")
    let lines = ending.errors.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("hw: ") == true, "\(line)")
    let hints = lines.filter { $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
    #expect(hints == hint, "\(line)")
  }

  @Test(arguments: ["output", "scripting"])
  func aTopicHasNoJSON(topic: String) throws {
    let ending = try shell("hw help \(topic) --json")
    #expect(ending.status == 2 && ending.output == "")
    #expect(ending.errors.contains("'\(topic)' is a topic, and topics have no JSON"), "\(ending.errors)")
    #expect(ending.errors.contains("print its text with 'hw help \(topic)'"))
  }
}
