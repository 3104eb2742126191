import System

extension URL {
  /// Parses an address from a user or a service. Refuses invalid and unsafe ones.
  public init(_ text: String) throws(Failure) { self = try URLReader(text: text).address(text[...]) }

  /// Resolves a reference relative to this address (RFC 3986, section 5.2), for redirects.
  func resolving(_ reference: String) throws(Failure) -> URL {
    let reader = URLReader(text: reference)
    let rest = reference.prefix { $0 != "#" }
    var url: URL
    if reader.scheme(of: rest) != nil {
      url = try reader.address(rest)
    } else if rest.hasPrefix("//"), scheme.hasHost {
      url = try reader.address("\(scheme):\(rest)")
    } else {
      url = self
      let (path, query) = try reader.pathAndQuery(rest)
      if !path.isEmpty || query != nil { url.query = query ?? "" }
      if path.hasPrefix("/") {
        url.path = path
      } else if !path.isEmpty {
        let folder = self.path.lastIndex(of: "/").map { self.path[...$0] } ?? "/"
        url.path = folder + path
      }
    }
    url.path = URLReader.withoutDots(url.path)
    return url
  }
}

/// Parses an address. `text` is the whole address, for messages.
struct URLReader {
  let text: String

  func address(_ address: Substring) throws(Failure) -> URL {
    guard address.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw malformed("it holds a control character", nil)
    }
    guard !address.contains("#") else {
      throw malformed("it has a fragment", "leave out '#' and what follows: it is never sent")
    }
    guard let name = scheme(of: address) else {
      throw malformed(
        "it has no scheme",
        address == "demo" ? "write 'demo:'" : "write 'https://\(quotable)' or 'http://\(quotable)'")
    }
    guard let scheme = URL.Scheme(rawValue: name.lowercased()) else {
      if name.contains(".") || name.lowercased() == "localhost" {
        throw malformed("it has no scheme", "write 'http://\(quotable)'")
      }
      throw malformed(
        "unsupported scheme '\(name)'", "use http://, https://, unix:FILE, embedded:, demo: or gbfs:URL")
    }
    let rest = address.dropFirst(name.count + 1)
    if scheme.hasHost { return try onNetwork(scheme, rest) }
    if scheme == .demo {
      guard rest.isEmpty || rest.hasPrefix("/") else {
        throw malformed("'demo:' can be followed only by a path", "write 'demo:'")
      }
      let (path, query) = try pathAndQuery(rest)
      return URL(scheme: scheme, path: path, query: query ?? "")
    }
    return try onFile(scheme, rest)
  }

  /// Returns the text before the colon if it can be a scheme.
  func scheme(of address: Substring) -> Substring? {
    guard let colon = address.firstIndex(of: ":") else { return nil }
    let name = address[..<colon]
    guard let first = name.utf8.first, first.isASCIIAlphanumeric, !first.isASCIIDigit,
      name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || "+-.".utf8.contains($0) })
    else { return nil }
    return name
  }

  /// Percent-encodes what is not encoded yet. The query is nil without a `?`.
  func pathAndQuery(_ rest: Substring) throws(Failure) -> (path: String, query: String?) {
    guard rest.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw malformed("it holds a space or a control character", "write a space as %20")
    }
    for part in rest.split(separator: "%", omittingEmptySubsequences: false).dropFirst() {
      guard part.utf8.count >= 2, part.utf8.prefix(2).allSatisfy({ $0.hexDigitValue != nil }) else {
        throw malformed("its '%' is not followed by two hexadecimal digits", "write a percent sign as %25")
      }
    }
    let encoded = PercentEncoding.encode(rest, keeping: PercentEncoding.isKeptByte)
    guard let question = encoded.firstIndex(of: "?") else { return (encoded, nil) }
    return (String(encoded[..<question]), String(encoded[encoded.index(after: question)...]))
  }

  private func onNetwork(_ scheme: URL.Scheme, _ rest: Substring) throws(Failure) -> URL {
    guard rest.hasPrefix("//") else { throw malformed("two slashes are missing", "write '\(scheme)://HOST'") }
    let address = rest.dropFirst(2)
    let authority = address.prefix { $0 != "/" && $0 != "?" }
    guard !authority.contains(" ") else { throw malformed("its host holds a space", nil) }
    guard !authority.contains("@") else {
      throw malformed(
        "it holds a user name or password",
        "a secret does not belong in an address: give it as the suite's token or key instead")
    }
    var host = authority
    var port = Substring()
    if host.hasPrefix("["), let end = host.lastIndex(of: "]") {
      port = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      guard host.contains(":") else { throw malformed("square brackets are for IPv6 addresses", nil) }
      guard port.isEmpty || port.hasPrefix(":") else { throw malformed("only a port can follow ']'", nil) }
      port = port.dropFirst()
    } else if let colon = host.firstIndex(of: ":") {
      port = host[host.index(after: colon)...]
      host = host[..<colon]
      guard !port.contains(":") else {
        throw malformed("it has more than one colon", "write an IPv6 address in square brackets")
      }
    }
    let (path, query) = try pathAndQuery(address.dropFirst(authority.count))
    return URL(
      scheme: scheme, host: try checkedHost(host), port: try number(port), path: path, query: query ?? "")
  }

  private func onFile(_ scheme: URL.Scheme, _ rest: Substring) throws(Failure) -> URL {
    // The file ends at a colon before a path. The address of a feed has another one after its own scheme.
    let searched = rest.dropFirst(scheme == .gbfs ? "https:".count : 0)
    let end = searched.indices.first { rest[$0...].hasPrefix(":/") } ?? rest.endIndex
    let file = String(rest[..<end])
    let (path, query) = try pathAndQuery(rest[end...].dropFirst())
    if scheme == .gbfs {
      let feed = try URL(file)
      guard feed.scheme.hasHost else {
        throw malformed("a feed is on a network", "write 'gbfs:https://HOST/gbfs.json'")
      }
      return URL(scheme: scheme, path: path, query: query ?? "", feed: "\(feed)")
    }
    guard !file.hasPrefix("~") else {
      throw malformed("'~' is expanded only by the shell", "write the whole path")
    }
    if scheme == .embedded { return URL(scheme: scheme, path: path, query: query ?? "", database: file) }
    guard SocketAddress(unixPath: file) != nil else {
      throw malformed(
        file.isEmpty ? "it names no socket file" : "the path is longer than a socket's can be",
        "write 'unix:/path/to/file.sock'")
    }
    return URL(scheme: scheme, path: path, query: query ?? "", socket: file)
  }

  private func number(_ port: Substring) throws(Failure) -> Int? {
    if port.isEmpty { return nil }
    guard port.utf8.allSatisfy(\.isASCIIDigit), let number = Int(port), (1...65535).contains(number)
    else { throw malformed("'\(port)' is not a port", "a port is a number from 1 to 65535") }
    return number
  }

  private func checkedHost(_ text: Substring) throws(Failure) -> String {
    let host = text.lowercased()
    if host.contains(":") {
      // Normalized, so that two spellings of an address are one host.
      guard let address = SocketAddress(numeric: host, port: 0) else {
        throw malformed("'\(host)' is not an IPv6 address", nil)
      }
      return address.host
    }
    guard !host.isEmpty else { throw malformed("it names no host", "write '\(URL.Scheme.https)://HOST'") }
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw malformed("its host is not ASCII", "write the name in its 'xn--' form")
    }
    let labels = (host.hasSuffix(".") ? host.dropLast() : host[...])
      .split(separator: ".", omittingEmptySubsequences: false)
    let allowed = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy {
          $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
    guard allowed, host.utf8.count <= 253, let last = labels.last?.utf8 else {
      throw malformed("'\(host)' is not a host name", nil)
    }
    // With a numeric last label, the host must be an IPv4 address: programs parse '127.1' and '0x7f.0.0.1' differently.
    let isNumber =
      last.first.map { $0 <= UInt8(ascii: "9") } == true
      && (last.allSatisfy { $0 <= UInt8(ascii: "9") } || last.starts(with: "0x".utf8))
    guard !isNumber || SocketAddress(numeric: host, port: 0) != nil else {
      throw malformed("'\(host)' is not an IPv4 address", "write four numbers from 0 to 255")
    }
    return host
  }

  /// Removes the segments `.` and `..` (RFC 3986, section 5.2.4).
  static func withoutDots(_ path: String) -> String {
    guard path.contains("/.") else { return path }
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".":
        if isLast { kept.append("") }
      case "..":
        if kept.count > 1 { kept.removeLast() }
        if isLast { kept.append("") }
      default:
        kept.append(segment)
      }
    }
    return kept.joined(separator: "/")
  }

  private func malformed(_ reason: String, _ hint: String?) -> Failure {
    Failure(.usage, "'\(quotable)' is not an address for hw: \(reason)", hint: hint)
  }

  /// The text on one line, with limited length and without secrets.
  private var quotable: String {
    let shown = Secrets.shown(
      address: text.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : String($0) }
        .joined())
    return shown.count > 200 ? shown.prefix(200) + "…" : shown
  }
}
