import Foundation
import TestSupport
import Testing

/// A key and a certificate for 127.0.0.1 that nobody trusts, made by openssl, in a folder that goes with it.
final class Certificate {
  private let scratch: ScratchDirectory
  var folder: String { scratch.path }
  var path: String { scratch.file("certificate.pem") }
  var key: String { scratch.file("key.pem") }

  static let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  init() throws {
    scratch = try ScratchDirectory()
    let request = Process()
    request.executableURL = Foundation.URL(fileURLWithPath: try #require(Certificate.openssl))
    request.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
      "/CN=hw test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", path,
    ]
    request.standardError = FileHandle.nullDevice
    try request.run()
    request.waitUntilExit()
    try #require(request.terminationStatus == 0)
  }
}
