import Foundation
import TestSupport
import Testing

/// A server of somebody else's that speaks TLS on a free port, with a certificate of its own.
final class TLSServer {
  let port: Int
  let certificate: Certificate
  private let process: pid_t

  /// `openssl s_server`: answers each request with the file of that name.
  static func answering(
    _ answers: [String: String], certificate subject: String = "IP:127.0.0.1"
  ) throws -> TLSServer {
    let certificate = try Certificate(for: subject)
    for (name, answer) in answers {
      try answer.write(toFile: "\(certificate.folder)/\(name)", atomically: true, encoding: .utf8)
    }
    let words = [
      "s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key", certificate.key,
    ]
    return try TLSServer(try #require(Tool.openssl.path), words, certificate)
  }

  /// Node's: speaks HTTP/2 to whoever asks for it, HTTP/1.1 to the others, and answers with the version.
  static func namingVersions() throws -> TLSServer {
    let certificate = try Certificate()
    let script = """
      const { readFileSync } = require('fs');
      const key = readFileSync('key.pem'), cert = readFileSync('certificate.pem');
      require('http2').createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
        response.end(request.httpVersion);
      }).listen(0, '127.0.0.1', function () { console.log('ACCEPT 127.0.0.1:' + this.address().port); });
      """
    return try TLSServer(try #require(Tool.node.path), ["-e", script], certificate)
  }

  private init(_ program: String, _ words: [String], _ certificate: Certificate) throws {
    self.certificate = certificate
    let log = "\(certificate.folder)/log"
    process = try Spawn.start(["env", "-C", certificate.folder, program] + words, output: .file(log))
    // It says "ACCEPT 127.0.0.1:PORT" in a line once it listens.
    port = try waitFor("the server to listen") {
      let said = String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
      return said.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap { Int($0.1) }
    }
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  func url(_ path: String) -> URL { URL(scheme: .https, host: "127.0.0.1", port: port, path: "/" + path) }
}
