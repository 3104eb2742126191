import Command
import HTTP
import Output
import Store
import System
import Terminal

/// `hw cache`: the cached responses of all services.
extension Toolbox {
  public static let cache = Suite(
    "cache", "List and clear cached responses",
    discussion: """
      Responses are cached in $XDG_CACHE_HOME/hw where the service allows it, or an option such as --max-age. --no-cache \
      neither reads nor writes them. The cache is limited to 64 MiB; the oldest responses are removed first.
      """,
    commands: [cacheList, cacheClear]
  )

  static let cacheList = Command(
    "list", "List the cached responses",
    output: .list(CachedResponseRow.self, order: "by time, newest first"),
    needs: [.store],
    examples: [
      Example("hw cache list", "what is cached, and until when"),
      Example("hw cache list --json | jq 'map(.bytes) | add'", "the size of the cache"),
    ]
  ) { _, context throws(Failure) in
    let responses = try CacheFolder(Folders(context.environment).cache).responses()
    try context.output.write(responses.map { CachedResponseRow(response: $0, time: context.time) })
  }

  static let cacheClear = Command(
    "clear", "Remove all cached responses",
    discussion:
      "Files in the directory that hw did not make stay. The next requests are sent to the services.",
    options: [Confirmation.yes, Confirmation.dryRun],
    output: .one(ClearedCache.self, text: "The number of responses and their size."),
    needs: [.store, .loss],
    examples: [Example("hw cache clear --yes", "clear the cache without confirmation")]
  ) { call, context throws(Failure) in
    let folder = CacheFolder(try Folders(context.environment).cache)
    let total = try folder.total()
    if !call[Confirmation.dryRun] {
      let responses = total.files == 1 ? "1 cached response" : "\(total.files) cached responses"
      if total.files > 0 { try context.confirmIfInteractive("Remove \(responses)?") }
      try folder.clear()
    }
    try context.output.write(ClearedCache(files: total.files, bytes: total.bytes))
  }
}

/// A row of `hw cache list`.
private struct CachedResponseRow: Row {
  let response: CacheFolder.Stored
  let time: any TimeKeeper

  static let fields: Fields<CachedResponseRow> = [
    .time("asOf", "As of", "the time of the response, or of its confirmation") { $0.response.asOf }
      .shown { TableCell($0.time.local($0.response.asOf).seconds) },
    .time(
      "expires", "Expires", "the time until which no request is sent; null if each use sends one",
      orNull: { $0.response.expires }
    )
    .shown { row in
      row.response.expires.map { TableCell(row.time.local($0).seconds) } ?? TableCell(.null)
    },
    .integer("bytes", "Bytes", "the size of its file") { $0.response.bytes },
    .text("source", "Source", "the address of the request, with secrets masked") { $0.response.source },
  ]
}

/// The row of `hw cache clear`.
private struct ClearedCache: Row {
  let files: Int
  let bytes: Int

  static let fields: Fields<ClearedCache> = [
    .integer("responses", "Responses", "the number of removed responses") { $0.files },
    .integer("bytes", "Bytes", "the size of their files") { $0.bytes },
  ]

  static let text: (@Sendable (ClearedCache, Screen?) -> String)? = { row, _ in
    "\(row.files) cached \(row.files == 1 ? "response" : "responses"), \(row.bytes) bytes"
  }
}
