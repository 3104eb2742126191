import System

/// Names of the databases that a server has used in a directory, as the lines of a file beside them. A server does not
/// create one that was there before: it would lack the stored data or, without its users, be open to everybody.
enum ServedDatabases {
  private static let format = FileFormat("databases")

  private static func path(_ folder: String) -> String { "\(folder)/databases" }

  private static func names(_ folder: String) throws(Failure) -> [String] {
    guard let contents = try File.read(path(folder)) else { return [] }
    try format.check(headerOf: contents, in: path(folder))
    return String(decoding: contents, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
  }

  /// Whether a directory has a database. Throws if a server has used one that is missing.
  static func has(_ name: String, in folder: String) throws(Failure) -> Bool {
    if try File.certainlyExists("\(folder)/\(name).db") { return true }
    guard try names(folder).contains(name) else { return false }
    throw Failure(
      .storage, "database '\(folder)/\(name).db' is missing",
      hint: "a server has used it: put a copy back, or delete '\(path(folder))' to begin without it")
  }

  fileprivate static func add(_ added: [String], in folder: String) throws(Failure) {
    guard !Set(added).isSubset(of: try names(folder)), Folder.isWritable(folder) else { return }
    // Two servers that start at once would lose the names of one.
    let lock = try LockedFile(folder: folder)
    let all = Set(try names(folder)).union(added)
    let lines = ([format.header] + all.sorted()).map { "\($0)\n" }
    try File.replace(path(folder), with: Array(lines.joined().utf8)) { file throws(SystemError) in
      try file.takeOwnerAsRoot(of: folder)
    }
    _ = consume lock  // Held until here.
  }
}

extension Store {
  /// Records in the directory the names of the databases that a server has opened.
  public func noteServed(_ databases: [Migrations]) throws(Failure) {
    guard let folder else { return }
    try ServedDatabases.add(databases.filter { !$0.isLocal }.map(\.name), in: folder)
  }
}
