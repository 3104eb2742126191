import Foundation
import TestSupport
import Testing

/// Mistakes that every suite meets: a failure has its status, says what failed, and names the next step.
@Suite(.ownThread) struct Failures {
  private static let cases: [(line: String, status: Int32, errors: String)] = [
    (
      "hw bikes add --name Wanda --frame-color 2F5FD0 --pin 12a4 --at 50.12,8.64", 2,
      "hw: '--pin' requires exactly four digits, 0000 to 9999\n"
        + "    see 'hw bikes add --help'\n"
    ),
    (
      "hw bikes add --name Wanda", 2,
      "hw: missing --frame-color, --pin-file, --at\n"
        + "    standard input is not a terminal, so hw does not prompt for them\n"
    ),
    (
      "hw bikes delete 5 --yes", 4,
      "hw: bike 5 is rented: it can be deleted when it is back\n"
    ),
    (
      "hw bikes edit 1", 2,
      "hw: nothing to change in bike '1'\n"
        + "    use one or more of --name, --frame-color, --pin-file and --at\n"
    ),
    (
      "hw bikes edit 1000 --name Johann", 3,
      "hw: bike '1000' doesn't exist\n"
        + "    'hw bikes list --anywhere' shows all there are\n"
    ),
    (
      "printf 'name,color,pin,latitude,longitude\\nWanda,red,12a4,50.12,8.64\\n' | hw bikes import -", 2,
      "hw: line 2: a PIN is exactly four digits, 0000 to 9999\n"
        + "hw: 1 of 1 bikes are invalid, the first at line 2: a PIN is exactly four digits, 0000 to 9999; nothing was added\n"
        + "    correct them and import the file again\n"
    ),
    (
      "hw bikes list --near 91,8", 2,
      "hw: '--near': latitude 91 is above 90\n"
        + "    see 'hw bikes list --help'\n"
    ),
    (
      "hw bikes show 1000", 3,
      "hw: bike '1000' doesn't exist\n"
        + "    'hw bikes list --anywhere' shows all there are\n"
    ),
    (
      "hw bikes rent 5", 4,
      "hw: bike 5 is rented\n"
        + "    the nearest free one: 'hw bikes rent 27' (Yara, 929 m away)\n"
    ),
    (
      "hw bikes rent 1000", 3,
      "hw: bike '1000' doesn't exist\n"
        + "    'hw bikes list --anywhere' shows all there are\n"
    ),
    (
      "hw bikes return 5", 2,
      "hw: missing the position of the bike\n"
        + "    use --at LAT,LON, or set HW_LOCATION\n"
    ),
    (
      "hw bikes return 1 --at 50.1190,8.6420", 4,
      "hw: bike 1 is not rented\n"
    ),
    (
      "hw nba games --since 2024-02-30 LAL", 2,
      "hw: '--since' requires a day such as 2022-03-08, today, yesterday or 7d (seven days ago), not '2024-02-30'\n"
        + "    see 'hw nba games --help'\n"
    ),
    (
      "hw nba player 1", 3,
      "hw: there is no player 1\n"
        + "    'hw nba players NAME --fields id,first_name,last_name' shows ids\n"
    ),
    (
      "hw nba team trail-blasers", 3,
      "hw: there is no team 'trail-blasers'\n"
        + "    did you mean 'Trail Blazers'?\n"
    ),
    (
      "hw nodes diff", 3,
      "hw: no snapshot is saved: by connectivity of 'demo:', mainnet\n"
        + "    save one with 'hw nodes snapshot'; 'hw nodes snapshots' lists all\n"
    ),
    (
      "hw nodes show 'Zap Harbour'", 4,
      "hw: 'Zap Harbour' matches 2 nodes\n"
        + "    use a key:\n"
        + "    03beeb8da1658eec67f893a2eefb32555e71c18690ee42c90b71bb54d8d101b5b9  Zap Harbour  (1327 channels, 292.7 BTC)\n"
        + "    03b6b9aeef0d2df7ab0b331645445bcd27ff6c67e81909778a990cd70b12c5d084  Zap Harbour  (625 channels, 65.8 BTC)\n"
    ),
    (
      "hw race captcha --captcha fail", 9,
      "hw: the service requires a CAPTCHA: https://www.google.com/recaptcha/api2/demo\n"
        + "    open the address in a browser, or use '--captcha browser'\n"
    ),
    (
      "hw race captcha javascript:alert", 2,
      "hw: 'javascript:alert' is not an address for a CAPTCHA: neither https nor on this machine\n"
    ),
    (
      "hw race delete 999", 3,
      "hw: race 999 is not in the history\n"
        + "    nothing was deleted; 'hw race history' lists the races\n"
    ),
    (
      "hw race show 999", 3,
      "hw: race 999 is not in the history\n"
        + "    'hw race history' lists the races\n"
    ),
    (
      "hw race show 999 --speed 2", 2,
      "hw: '--speed' requires '--play'\n    add '--play'\n"
    ),
    (
      "hw check wordle --url http://127.0.0.1:1 --retries 0", 5,
      "hw: no response from wordle\n"
        + "    see 'hw config list --origin' for the addresses, or try later\n"
    ),
    (
      "hw config get timeout", 3,
      "hw: 'timeout' is not set in the file\n"
        + "    its default is 30\n"
    ),
    (
      "hw config set timeout never", 2,
      "hw: 'timeout' requires a number of seconds from 0.001 to 86400, not 'never'\n"
    ),
    (
      "echo '[{\"a\":1},{\"b\":2}]' | hw rows --csv", 2,
      "hw: row 2: the header has no field 'b'\n"
        + "    choose fields with --fields, or read all rows before the header with --fields all\n"
    ),
    (
      "echo '[1,2' | hw rows --tsv", 2,
      "hw: line 2, column 1: expected ',' or ']', found the end\n"
    ),
    (
      "hw serve --listen 0.0.0.0:0", 2,
      "hw: the server is public, has no users, and 'race' is not public\n"
        + "    add users with 'hw users add NAME', name the suites to serve, or allow reading with "
        + "--public race,nba,bikes,wordle,nodes\n"
    ),
    (
      "hw serve bikes wordle --public bikes --public-url https://host --store 'a b'", 2,
      "hw: the server is public, has no users, and 'wordle' is not public\n"
        + "    add users with hw users add NAME --store 'a b', name the suites to serve, or allow reading with "
        + "--public wordle\n"
    ),
    (
      "hw users add ann --fields name,admin", 2,
      "hw: '--fields name,admin' leaves out the token, which is shown only once\n"
        + "    add 'token' to the fields, or use --token-file\n"
    ),
    (
      "hw bikes list --radius 5", 2,
      "hw: '--radius' requires a position\n    use --near LAT,LON, or set HW_LOCATION\n"
    ),
    (
      "hw bikes map --radius 5 --anywhere", 2,
      "hw: '--radius' and '--anywhere' exclude each other\n    remove one of them\n"
    ),
    (
      "hw bikes export --geojson --csv", 2,
      "hw: '--geojson' and '--csv' exclude each other\n    remove one of them\n"
    ),
    (
      "hw bikes export --geojson --fields id", 2,
      "hw: '--geojson' and '--fields' exclude each other\n    remove one of them\n"
    ),
    (
      "hw bikes edit 1 --pin 4711 --pin-file f", 2,
      "hw: '--pin' and '--pin-file' exclude each other\n    remove one of them\n"
    ),
    (
      "hw store verify --store data --fields table,checksum --tsv", 3,
      "hw: the store has no database\n"
        + "    --store names a directory or a database\n"
    ),
    (
      "hw store copy --from no-such-directory --to backup-2", 3,
      "hw: there is no database to copy\n"
        + "    --from names a directory or a database\n"
    ),
    (
      "hw users add 'carla!'", 2,
      "hw: invalid user name 'carla!'\n"
        + "    a name has 1 to 64 letters, digits, '-', '_' and '.', and begins with a letter or digit\n"
    ),
    (
      "hw users add mia -q && hw users delete nobody", 3,
      "hw: the server has no user 'nobody'\n"
        + "    'hw users list', with the same --store, shows them\n"
    ),
    (
      "hw users add mia -q && hw users rotate nobody", 3,
      "hw: the server has no user 'nobody'\n"
        + "    'hw users list', with the same --store, shows them\n"
    ),
    (
      "hw wordle add --id 262 --date 2022-03-08 --word sweet --tries sweet", 4,
      "hw: score 262 already exists\n"
        + "    use '--replace' to replace it\n"
    ),
    (
      "hw wordle delete 1", 3,
      "hw: score 1 does not exist\n"
        + "    nothing was deleted; 'hw wordle scores -o table' lists the scores\n"
    ),
    (
      "hw wordle reset </dev/null", 2,
      "hw: 'reset' requires '--yes' without a terminal\n"
        + "    add '--yes', or '--dry-run' to print what would be done\n"
    ),
    (
      "printf 'Wordle 281 4/6\\n\\n🟩🟩🟩🟩🟩\\n' | hw wordle import", 2,
      "hw: line 1: Wordle 281 4/6 has 1 row\n"
        + "hw: 1 share text was not imported, 0 read: line 1: Wordle 281 4/6 has 1 row\n"
        + "    correct these lines, and import them again\n"
    ),
    (
      "hw wordle scores --since 2022-13-99", 2,
      "hw: '--since' requires a day such as 2022-03-08, today, yesterday or 7d (seven days ago), not '2022-13-99'\n"
        + "    see 'hw wordle scores --help'\n"
    ),
    (
      "hw wordle score 1", 3,
      "hw: no score 1\n"
        + "    'hw wordle scores -o table' lists the scores\n"
    ),
    (
      "hw wordle tiles po7ds nymph", 2,
      "hw: 'po7ds' has '7' at position 3, which is not a letter\n"
        + "    give a guess and a word of the same length, 1 to 64 letters each\n"
    ),
  ]

  @Test(arguments: cases.indices)
  func end(index: Int) throws {
    let (line, status, errors) = Failures.cases[index]
    let ending = try shell(line)
    #expect(ending.status == status, "\(line)")
    #expect(ending.errors == errors, "\(line)")
  }

  /// The address contains the port of the server.
  @Test func aCaptchaInAScript() throws {
    let ending = try shell(
      "hw serve --race-seconds 2 --captcha-after 1 -- hw race watch --captcha fail")
    #expect(ending.status == 9)
    #expect(ending.errors.contains("hw: the service requires a CAPTCHA: http://127.0.0.1:"))
    #expect(ending.errors.hasSuffix(", then retry\n"))
  }
}
