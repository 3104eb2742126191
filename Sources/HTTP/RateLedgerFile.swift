import System

/// The ledger of one service's host, in a file that all hw processes share.
///
/// A look at it costs one open, lock, read, write and close; the clock is read under the lock, so that the calls stand
/// in the order of their slots. A damaged ledger tells nothing of the past: `RateLedger.full` is what goes on.
public struct RateLedgerFile {
  private let path: String

  /// The ledger for `url`'s host in `folder`, which is made when it is missing.
  public init(_ url: URL, in folder: String) throws(Failure) {
    try Folder.make(folder)
    let name = (url.scheme == .unix ? url.socket : url.authority).utf8.map { byte in
      PercentEncoding.unreserved(byte) ? byte : UInt8(ascii: "_")
    }
    path = "\(folder)/\(String(decoding: name.suffix(200), as: UTF8.self)).rate"
  }

  /// Brings the ledger up to the present, does with it what `change` does, and keeps the result.
  func update<Result>(
    _ limit: RateLimit, _ time: any TimeKeeper, _ change: (inout RateLedger) -> Result
  ) throws(Failure) -> Result {
    let file = try LockedFile(path)
    let bytes = try file.read(atMost: RateLedger.size)
    let clocks = RateLedger.Clocks(time)
    var ledger =
      bytes.isEmpty ? RateLedger(limit, clocks) : RateLedger(bytes) ?? .full(limit, clocks)
    ledger.advance(limit, to: clocks)
    let result = change(&ledger)
    try file.write(ledger.bytes)
    return result
  }
}
