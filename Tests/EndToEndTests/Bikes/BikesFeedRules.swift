import Foundation
import JSON
import Testing

/// The schemas of the files of the General Bikeshare Feed, in `Tests/ProgramTests/recorded/feed-schemas.jsonl`: every field that the
/// public schemas require, and those beyond that hw may use. A field that is not there is a problem too.
enum BikesFeedRules {
  /// By version and name of the file, without its ending.
  static let files: [String: [(name: String, schema: String)]] = {
    let file = GeneratedFiles.root.appending(path: "Tests/ProgramTests/recorded/feed-schemas.jsonl")
    var files: [String: [(name: String, schema: String)]] = [:]
    for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
      guard let entry = try? JSON.parse(String(line)), let version = try? entry["version"].string,
        let name = try? entry["file"].string
      else { return [:] }
      var schema: [UInt8] = []
      entry["schema"].appendRaw(to: &schema)
      files[version, default: []].append((name, String(decoding: schema, as: UTF8.self)))
    }
    return files
  }()

  /// No two vehicles have the same name.
  static func repeatedVehicles(_ vehicles: JSON, id: String) throws -> [String] {
    var names: Set<String> = []
    return try vehicles.array.filter { try !names.insert($0[id].string).inserted }.map(\.path)
  }
}
