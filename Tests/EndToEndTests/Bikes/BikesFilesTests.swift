import Command
import Foundation
import TestSupport
import Testing

/// Bikes in files, in and out, as a user moves them.
@Suite(.ownThread, .needs(.libsqlite3)) struct BikesInFiles {
  /// Names and places that a format might trip over, with and without a '#' before the color.
  private static let odd = [
    ##"{"name":"Müller, \"Rosi\" 🚲","color":"00C8E6","pin":"0007","location":{"latitude":0.00001,"longitude":-0.0000002}}"##,
    ##"{"name":" leads with a blank","color":"D8433A","pin":"9999","location":{"latitude":-90,"longitude":180}}"##,
    ##"{"name":"'=1+1;\\|","color":"#1C1C1C","pin":"1234","location":{"latitude":50.119504,"longitude":-179.9999999}}"##,
    ##"{"name":"null","color":"F4F4F4","pin":"0000","location":{"latitude":0,"longitude":0}}"##,
  ]

  @Test(arguments: ["--json", "--jsonl", "--csv", "--geojson"])
  func exportedBikesImportUnchanged(format: String) throws {
    let home = try Home()
    try home.write(BikesInFiles.odd.joined(separator: "\n"), to: "odd")
    let ending = try shell(
      """
      all() { hw bikes export --pins --jsonl --fields name,color,pin,location,rented --url embedded:$1; }
      hw bikes import odd --json --url embedded:a && all a >a.rows &&
      hw bikes export --pins \(format) --url embedded:a >file && hw bikes import file --json --url embedded:b &&
      all b >b.rows && diff a.rows b.rows && head -n 5 a.rows | tail -n 2
      """, in: home)
    #expect(ending.status == 0, "\(ending.output) \(ending.errors)")
    // Both have the three that a new store begins with, under the same ids.
    #expect(
      ending.output == """
        {"read":4,"added":4,"present":0,"conflicts":0}
        {"read":7,"added":4,"present":3,"conflicts":0}
        {"name":"Müller, \\"Rosi\\" 🚲","color":"00C8E6","pin":"0007","location":{"latitude":1e-05,"longitude":-2e-07},"rented":false}
        {"name":" leads with a blank","color":"D8433A","pin":"9999","location":{"latitude":-90,"longitude":180},"rented":false}

        """)
  }

  /// Sample bikes in a mistyped directory would pass for those of a backup.
  @Test func onlyChangesCreateDatabaseInNamedDirectory() throws {
    let ending = try shell(
      """
      for command in 'bikes export --pins' 'bikes history' 'bikes list --anywhere' 'wordle scores'; do
        hw $command --url embedded:typo; echo $?
      done
      HW_URL=embedded:typo hw bikes show 1; echo $?
      test ! -e typo && hw bikes rent 1 -q --url embedded:new >/dev/null &&
      hw bikes history --url embedded:new --fields bike,action --tsv --no-header
      """)
    #expect(ending.output == "3\n3\n3\n3\n3\n1\trent\n", "\(ending)")
    #expect(ending.errors.hasPrefix("hw: there is no database 'bikes' in 'typo'\n"), "\(ending)")
  }
}
