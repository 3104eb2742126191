import System

/// Prints the request as a `curl` line that can be pasted into a shell (`--explain`), and sends nothing.
///
/// There is no answer, so nothing can go on: `send` always ends with `Failure.explained`, which `main` takes for
/// success. What a command would ask next depends on the answer and is not known.
public struct Explained: Transport {
  let variable: String
  let write: (String) throws(Failure) -> Void

  /// `variable` is the environment's name for the service's key: it stands where the key would.
  public init(variable: String, write: @escaping (String) throws(Failure) -> Void) {
    self.variable = variable
    self.write = write
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try write(line(request))
    throw .explained
  }
}

extension Failure {
  /// The end of a run that was only to be explained, not a fault. Of the kind `interrupted`, because every layer lets
  /// that pass: nobody retries it, caches around it or takes it for the service's answer.
  public static let explained = Failure(.interrupted, "explained, not sent")
}

extension Explained {
  func line(_ request: Request) -> String {
    guard request.url.scheme.hasHost || request.url.scheme == .unix else {
      return
        "# \(request.method.rawValue) \(Secrets.shown(request.url)): answered within hw, without a request"
    }
    var words = ["curl"] + method(request)
    // Square brackets and braces are patterns to curl.
    if request.url.target.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    for field in request.headers.fields { words += ["-H", header(field)] }
    let body = body(request)
    words += body.words + address(request.url)
    return body.source + words.joined(separator: " ")
  }

  private func method(_ request: Request) -> [String] {
    switch request.method {
    case .get where request.body.isEmpty: []
    case .post where !request.body.isEmpty: []
    case .head where request.body.isEmpty: ["--head"]
    default: ["-X", request.method.rawValue]
    }
  }

  private func header(_ field: Headers.Field) -> String {
    // curl takes `Name:` for "leave that header out", and `Name;` for one without a value.
    guard !field.value.isEmpty else { return ShellWord("\(field.name);").quoted }
    var word = ShellWord("\(field.name): ")
    guard Secrets.isSecret(field.name) else {
      word.append(field.value)
      return word.quoted
    }
    // Not secret, and needed: what kind of key it is.
    if let scheme = ["Bearer ", "Basic ", "Token "].first(where: { field.value.hasPrefix($0) }) {
      word.append(scheme)
    }
    word.append(variable: variable(for: field.name))
    return word.quoted
  }

  private func address(_ url: URL) -> [String] {
    var word = ShellWord(url.scheme == .unix ? "http://localhost" : "\(url.scheme)://\(url.authority)")
    word.append(url.path.isEmpty && url.scheme == .unix ? "/" : url.path)
    var separator = "?"
    for item in url.query.split(separator: "&") {
      word.append(separator)
      separator = "&"
      let shown = Secrets.shown(query: String(item))
      if shown == item {
        word.append(shown)
      } else {
        let name = item.prefix { $0 != "=" }
        word.append("\(name)=")
        word.append(variable: variable(for: PercentEncoding.decode(name) ?? String(name)))
      }
    }
    return (url.scheme == .unix ? ["--unix-socket", ShellWord(url.socket).quoted] : []) + [word.quoted]
  }

  private func body(_ request: Request) -> (source: String, words: [String]) {
    guard !request.body.isEmpty else { return ("", []) }
    // Else curl would call it a form.
    let type = request.headers["Content-Type"] == nil ? ["-H", "Content-Type:"] : []
    let isText = !request.body.contains { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 || $0 == 0x7f }
    if isText, let text = String(validating: request.body, as: UTF8.self) {
      return ("", type + ["--data-raw", ShellWord(text).quoted])
    }
    return ("echo \(Base64.encode(request.body)) | base64 -d | ", type + ["--data-binary", "@-"])
  }

  private func variable(for name: String) -> String {
    guard !["authorization", "x-authorization"].contains(name.lowercased()) else { return variable }
    let letters = name.uppercased().utf8.map { ByteSet.alphanumeric.contains($0) ? $0 : UInt8(ascii: "_") }
    return "HW_" + String(decoding: letters, as: UTF8.self)
  }
}

/// One word of a shell's command line, some parts of it variables.
struct ShellWord {
  private enum Part {
    case literal(String)
    case variable(String)
  }

  private var parts: [Part] = []

  init(_ text: String) { append(text) }

  mutating func append(_ text: String) {
    if case .literal(let before) = parts.last {
      parts[parts.count - 1] = .literal(before + text)
    } else {
      parts.append(.literal(text))
    }
  }

  /// What comes behind it must not begin with a letter, a digit or `_`.
  mutating func append(variable: String) { parts.append(.variable(variable)) }

  /// Bare where that is safe, in double quotes where there is a variable and nothing else means anything there, else
  /// in single quotes.
  var quoted: String {
    let texts = parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    let text = texts.joined()
    if texts.count == parts.count {
      let isPlain = text.utf8.allSatisfy {
        ByteSet.alphanumeric.contains($0) || "-._/:,@%+=".utf8.contains($0)
      }
      return isPlain && !text.isEmpty ? text : single(text)
    }
    // Even `!`: pasted into a shell that keeps a history, it means something in double quotes.
    let isSafe = !text.utf8.contains { "\\\"$`!\n".utf8.contains($0) }
    let words = parts.map { part in
      switch part {
      case .literal(let text): isSafe ? text : single(text)
      case .variable(let name): isSafe ? "$\(name)" : "\"$\(name)\""
      }
    }
    return isSafe ? "\"\(words.joined())\"" : words.joined()
  }

  private func single(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
