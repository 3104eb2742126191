import System
import Testing

@testable import HTTP

/// What libcurl's errors mean.
@Suite struct CurlErrorTests {
  private func error(
    _ code: Int32, _ text: String = "Some text", status: Int = 0, proxyStatus: Int = 0,
    system: SystemError? = nil, isConnected: Bool = false, usesProxy: Bool = false,
    stop: ConnectionError? = nil
  ) -> ConnectionError? {
    ConnectionError(
      CurlHandle.Outcome(
        code: code, text: text, status: status, proxyStatus: proxyStatus, systemError: system,
        wasConnected: isConnected, head: nil, body: [], stop: stop),
      Attempt(limit: .seconds(30), connect: .seconds(5), sizeLimit: 100, usesProxy: usesProxy))
  }

  @Test(
    arguments: [
      ([0], nil), ([1, 8], .malformed("is not HTTP")), ([5], .proxyFailed("its host cannot be resolved")),
      ([6], .unknownHost), ([7, 2, 3], .notConnected("some text")), ([28], .connectTimedOut(.seconds(5))),
      ([35], .handshakeFailed("some text")), ([51, 58, 59, 60, 77, 82, 83, 90, 91], .untrusted("some text")),
      ([18], .cutShort(status: nil)), ([16, 52, 55, 56, 92, 95], .closed), ([42], .interrupted),
      ([61], .malformed("is compressed in a way that cannot be read")), ([63], .tooLarge(limit: 100)),
      ([97], .proxyFailed("some text")),
    ] as [([Int32], ConnectionError?)])
  func curlCodeBecomesConnectionError(codes: [Int32], expected: ConnectionError?) {
    for code in codes { #expect(error(code) == expected, "\(code)") }
  }

  @Test(
    arguments: [
      ([16, 18, 52, 55, 56, 92, 95, 2], .cutShort(status: 200)), ([28], .timedOut(.seconds(30))),
      ([60], .untrusted("some text")),
    ] as [([Int32], ConnectionError?)])
  func curlCodeWithinResponseBecomesConnectionError(codes: [Int32], expected: ConnectionError?) {
    for code in codes { #expect(error(code, status: 200, isConnected: true) == expected, "\(code)") }
  }

  @Test(
    arguments: [
      (0, .closed), (100, .cutShort(status: nil)), (199, .cutShort(status: nil)),
      (200, .cutShort(status: 200)),
    ] as [(Int, ConnectionError)])
  func afterAnInterimResponse(status: Int, expected: ConnectionError) {
    #expect(error(52, status: status, isConnected: true) == expected)
  }

  @Test func withoutAResponse() {
    #expect(error(2, isConnected: true) == .closed)
    #expect(error(28, isConnected: true) == .timedOut(.seconds(30)))
    #expect(error(7, system: .connectionRefused) == .refused)
    #expect(error(7, system: .noSuchFile) == .notConnected("no such file or directory"))
    #expect(error(7, system: .connectionRefused, usesProxy: true) == .proxyFailed("no connection to it"))
    #expect(error(56, "Malformed encoding found in chunked-encoding") == .malformed("has a malformed chunk"))
  }

  /// A sentence goes on in lower case, and a name stays as it is.
  @Test(arguments: [
    ("Some text", "some text"), ("OpenSSL says no", "OpenSSL says no"), ("SSL: no", "SSL: no"),
    ("A text", "a text"), ("x", "x"), ("", ""),
  ])
  func textOfCurlStartsInLowerCase(text: String, shown: String) {
    #expect(error(35, text) == .handshakeFailed(shown))
  }

  /// The words of three versions of the libraries.
  @Test(arguments: [
    "OpenSSL/3.0.13: error:0A00010B:SSL routines::wrong version number",
    "TLS connect error: error:0A00010B:SSL routines::wrong version number",
    "gnutls_handshake() failed: An unexpected TLS packet was received.",
  ])
  func plainServerIsReportedAsNotTLS(text: String) {
    #expect(error(35, text) == .notTLS)
    // Perhaps it was the proxy that responded.
    if case .handshakeFailed = error(35, text, usesProxy: true) {} else { Issue.record("\(text)") }
  }

  @Test func proxyStatusGoesBeforeCurlCode() {
    #expect(error(56, proxyStatus: 407, usesProxy: true) == .proxyFailed("it returned 407"))
    #expect(error(6, proxyStatus: 300) == .proxyFailed("it returned 300"))
    #expect(error(6, proxyStatus: 299) == .unknownHost)
  }

  @Test func stopReasonGoesBeforeCurlCode() {
    #expect(error(42, proxyStatus: 407, stop: .interrupted) == .interrupted)
    #expect(error(23, proxyStatus: 407, stop: .tooLarge(limit: 100)) == .tooLarge(limit: 100))
    #expect(error(23, proxyStatus: 407, stop: .malformed("is odd")) == .malformed("is odd"))
    #expect(error(0, stop: .interrupted) == nil)
  }
}
