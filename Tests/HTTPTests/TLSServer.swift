import Foundation
import Testing

/// `openssl s_server` on a free port, with a certificate of its own that nobody trusts, answering each request with
/// the file of that name. Nil where there is no openssl.
final class TLSServer {
  let port: Int
  let certificate: String
  private let folder: String
  private let process = Process()

  init?(answers: [String: String]) throws {
    guard let openssl = TLSServer.openssl else { return nil }
    folder = NSTemporaryDirectory() + "/hw-test-\(UUID().uuidString)"
    certificate = folder + "/certificate.pem"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, answer) in answers {
      try answer.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    let request = Process()
    request.executableURL = Foundation.URL(fileURLWithPath: openssl)
    request.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
      "/CN=hw test", "-addext",
      "subjectAltName=IP:127.0.0.1", "-keyout", "\(folder)/key.pem", "-out", certificate,
    ]
    request.standardError = FileHandle.nullDevice
    try request.run()
    request.waitUntilExit()
    let output = Pipe()
    process.executableURL = Foundation.URL(fileURLWithPath: openssl)
    process.currentDirectoryURL = Foundation.URL(fileURLWithPath: folder)
    process.arguments = [
      "s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", certificate, "-key", "\(folder)/key.pem",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It says "ACCEPT 127.0.0.1:PORT" in a line once it listens.
    var said = ""
    while !said.contains(/ACCEPT .*\n/) {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
    }
    port = try #require(said.firstMatch(of: /ACCEPT .*:(\d+)\n/).flatMap { Int($0.1) })
  }

  deinit {
    // Not SIGTERM: a test's thread blocks it, and its child inherits that.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func url(_ path: String) -> URL { URL(scheme: .https, host: "127.0.0.1", port: port, path: "/" + path) }

  private static var openssl: String? {
    ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
