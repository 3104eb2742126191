import System

/// Prints the request as a `curl` line that can be pasted into bash or zsh (`--explain`), and sends nothing.
///
/// `send` always throws `Failure.explained`. A command catches it and continues if its next request does not depend on
/// the response; otherwise the program ends with success, after a comment that describes the next requests.
public struct ExplainingTransport: Transport {
  let secrets: [String: SecretSource]
  let write: (String) throws(Failure) -> Void

  /// `secrets` maps the names of header fields to the sources of their secrets, which the line reads from there.
  public init(secrets: [String: SecretSource], write: @escaping (String) throws(Failure) -> Void) {
    self.secrets = secrets
    self.write = write
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    try write(line(request))
    if let next = request.next { try write("# then, with the response: \(next.terminalSafe)") }
    throw .explained
  }
}

public enum SecretSource: Equatable, Sendable {
  case variable(String)
  /// `-` is standard input.
  case file(String)
  case setting(String)

  var shellExpansion: String {
    switch self {
    case .variable(let name): "\"$\(name)\""
    case .file("-"): "\"$(cat)\""
    case .file(let path): "\"$(cat \(ShellWord(path.hasPrefix("-") ? "./\(path)" : path).quoted))\""
    case .setting(let name): "\"$(hw config get \(ShellWord(name).quoted))\""
    }
  }
}

extension Failure {
  /// The end of a run with `--explain`. Its kind is `interrupted`, because every layer passes that on: it is not
  /// retried, replaced by a cached response, or treated as a response of the service.
  public static let explained = Failure(.interrupted, "explained, not sent", cause: .explained)
}

extension ExplainingTransport {
  func line(_ request: Request) -> String {
    guard request.url.scheme.hasHost || request.url.scheme == .unix else {
      return "# \(Secrets.shown(request)): handled within hw, without a request"
    }
    var words = ["curl"] + method(request)
    // Square brackets and braces are patterns to curl.
    if request.url.target.contains(where: { "[]{}".contains($0) }) { words.append("--globoff") }
    for field in request.headers.fields { words += ["-H", header(field)] }
    if !request.body.isEmpty {
      let body = String(decoding: request.body, as: UTF8.self)
      words += ["--data-raw", ExplainingTransport.withoutPIN(body).quoted]
    }
    words += address(request.url)
    return words.joined(separator: " ")
  }

  private func method(_ request: Request) -> [String] {
    switch request.method {
    case .get: []
    case .head: ["--head"]
    case .post where !request.body.isEmpty: []
    default: ["-X", request.method.rawValue]
    }
  }

  private func header(_ field: Headers.Field) -> String {
    // To curl, `Name:` removes a header and `Name;` is a header with an empty value.
    guard !field.value.isEmpty else { return ShellWord("\(field.name);").quoted }
    guard Secrets.isSecret(field.name) else { return ShellWord("\(field.name): \(field.value)").quoted }
    // The scheme is required, and not secret.
    let scheme = ["Bearer ", "Basic ", "Token "].first { field.value.hasPrefix($0) } ?? ""
    let format = ShellWord("\(field.name): \(scheme)%s").quoted
    let source = secrets[field.name] ?? .variable(variable(for: field.name))
    // printf is part of the shell: unlike an argument of curl, its arguments are not shown to other users.
    return "@<(printf \(format) \(source.shellExpansion))"
  }

  private func address(_ url: URL) -> [String] {
    var word = ShellWord(url.scheme == .unix ? "http://localhost" : "\(url.scheme)://\(url.authority)")
    word.append(url.path.isEmpty && url.scheme == .unix ? "/" : url.path)
    var separator = "?"
    for item in url.query.split(separator: "&") {
      word.append(separator)
      separator = "&"
      if let (name, value) = item.queryItem, Secrets.isSecret(name) {
        word.append(String(item[..<value.startIndex]))
        word.append(variable: variable(for: name))
      } else {
        word.append(String(item))
      }
    }
    return (url.scheme == .unix ? ["--unix-socket", ShellWord(url.socket).quoted] : []) + [word.quoted]
  }

  /// Replaces each PIN with a variable: it may come from a file or a prompt.
  private static func withoutPIN(_ text: String) -> ShellWord {
    let member = "\"pin\":\""
    let parts = text.split(by: member)
    var word = ShellWord(parts.first ?? "")
    for part in parts.dropFirst() {
      word.append(member)
      word.append(variable: "PIN")
      word.append(String(part.drop { $0 != "\"" }))
    }
    return word
  }

  private func variable(for name: String) -> String {
    let letters = name.uppercased().utf8.map { $0.isASCIIAlphanumeric ? $0 : UInt8(ascii: "_") }
    return "HW_" + String(decoding: letters, as: UTF8.self)
  }
}
