import Foundation

/// A key and a certificate for 127.0.0.1 that nobody trusts, made by openssl, in a folder that goes with it.
public final class Certificate: Sendable {
  private let scratch: ScratchDirectory
  public var folder: String { scratch.path }
  public var path: String { scratch.file("certificate.pem") }
  public var key: String { scratch.file("key.pem") }

  /// `subject` is what the certificate is valid for, such as `DNS:elsewhere.example`.
  public init(for subject: String = "IP:127.0.0.1") throws {
    guard let openssl = Tool.openssl.path else { throw CocoaError(.fileNoSuchFile) }
    scratch = try ScratchDirectory()
    try Spawn.run([
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
      "/CN=hw test", "-addext", "subjectAltName=\(subject)", "-keyout", key, "-out", path,
    ])
  }
}
