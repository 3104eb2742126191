import Command
import HTTP
import Output
import System

extension Toolbox {
  public static let cache = Suite(
    "cache", "Clear cached responses",
    discussion: """
      Responses are cached in $XDG_CACHE_HOME/hw where the service allows it, or an option such as --max-age. \
      --no-cache neither reads nor writes them. The cache is limited to 64 MiB; the oldest responses are removed \
      first.
      """,
    commands: [cacheClear]
  )

  static let cacheClear = Command(
    "clear", "Remove all cached responses",
    discussion:
      "Files in the directory that hw did not make stay. The next requests are sent to the services.",
    options: [Confirmation.yes, Confirmation.dryRun],
    output: .one(ClearedCache.self, text: "The number of responses and their size."),
    needs: [.store, .loss],
    examples: [Example("hw cache clear --yes", "clear the cache without confirmation")]
  ) { call, context throws(Failure) in
    let folder = CacheFolder(try UserFolders(context.environment).cache)
    let (files, bytes) = try folder.total()
    let cleared = ClearedCache(files: files, bytes: bytes)
    if !call[Confirmation.dryRun] {
      if files > 0 { try context.confirmIfInteractive("Remove \(cleared.responses)?") }
      try folder.clear()
    }
    try context.output.write(cleared)
  }
}

private struct ClearedCache: Row {
  let files: Int
  let bytes: Int
  var responses: String { "\(files) cached \(files == 1 ? "response" : "responses")" }

  static let fields: Fields<ClearedCache> = [
    .integer("responses", "Responses", "the number of removed responses") { $0.files },
    .integer("bytes", "Bytes", "the size of their files") { $0.bytes },
  ]

  static let text: (@Sendable (ClearedCache, Screen?) -> String)? = { row, _ in
    "\(row.responses), \(row.bytes) bytes"
  }
}
