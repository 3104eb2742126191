import Foundation
import TestSupport
import Testing

/// `hw serve --samples --store postgresql://…` over TLS, with the certificate of the server checked by libpq.
@Suite(.ownThread, .needs(.postgresql, .openssl)) struct PostgreSQLCertificate {
  private let right: Certificate
  private let other: Certificate
  private let server: PostgreSQLServer

  init() throws {
    right = try Certificate()
    other = try Certificate()
    server = try PostgreSQLServer(certificate: right)
  }

  private func address(trusting certificate: Certificate) -> String {
    server.networkAddress("sslmode=verify-full&sslrootcert=\(certificate.path)")
  }

  @Test func untrustedServerIsRefused() throws {
    #expect(try serve(address(trusting: right)).status == 0)
    let missing = server.networkAddress("sslmode=verify-full&sslrootcert=/nowhere/root.crt")
    for (address, words) in [
      (address(trusting: other), "certificate verify failed"),
      (missing, "\"/nowhere/root.crt\" does not exist"),
      (server.networkAddress("sslmode=verify-full"), "root.crt\" does not exist"),
      (address(trusting: right).replacing("127.0.0.1", with: "localhost"), "does not match host name"),
    ] {
      let ending = try serve(address)
      #expect(ending.status == 5, "\(address): \(ending)")
      let lines = ending.errors.split(separator: "\n")
      #expect(lines.count == 2 && lines[0].contains(words) && lines[1].contains("sslrootcert"), "\(lines)")
      #expect(!ending.errors.contains("\u{FFFD}"))
    }
  }

  @Test func changedCertificateIs503UntilRestored() throws {
    let running = try Serving.Server(["--samples", "--store", address(trusting: right)])
    let client = try #require(RawConnection(running.url))
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 200)
    try server.stop()
    try server.use(other)
    try server.start()
    for _ in 0..<3 {
      let refused = try #require(client.ask("PUT", "/bikes/2/rented"))
      #expect(refused.status == 503 && refused.head.lowercased().contains("retry-after: "))
    }
    try server.stop()
    try server.use(right)
    try server.start()
    try waitUntil("the server to connect again") { client.ask("PUT", "/bikes/2/rented")?.status == 200 }
    #expect(client.ask("PUT", "/bikes/1/rented")?.status == 400, "it is still rented")
    let ending = running.stop()
    #expect(ending.status == 0 && ending.errors.contains("certificate verify failed"), "\(ending)")
  }
}
