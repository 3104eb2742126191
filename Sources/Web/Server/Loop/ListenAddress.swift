import System

extension SocketAddress {
  /// Parses an address to listen on: `127.0.0.1:7400`, `[::1]:7400`, `localhost:0` (any free port),
  /// `unix:/run/hw.sock`. Accepts only numeric hosts, because a name can have several addresses.
  public init(listening text: String) throws(Failure) {
    let malformed = Failure(
      .usage, "malformed address '\(text)'",
      hint: "write 127.0.0.1:7400, [::1]:7400 or unix:/path; port 0 picks one")
    if text.hasPrefix("unix:") {
      guard let address = SocketAddress(unixPath: String(text.dropFirst(5))) else {
        throw Failure(
          .usage, "malformed socket file '\(text)'",
          hint: "the path must not be empty, nor longer than 107 bytes")
      }
      self = address
      return
    }
    guard let colon = text.lastIndex(of: ":") else { throw malformed }
    var host = String(text[..<colon])
    if host == "localhost" { host = "127.0.0.1" }
    if host.contains(":") {
      guard host.hasPrefix("["), host.hasSuffix("]") else { throw malformed }
      host = String(host.dropFirst().dropLast())
    }
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(digits),
      let address = SocketAddress(numeric: host, port: port)
    else { throw malformed }
    self = address
  }
}
