import CLibraries
import System

/// Sends requests with libcurl, which is loaded on first use: http and https, HTTP/2, compression and proxies.
/// Certificates are always verified.
public final class CurlTransport: Transport {
  private let certificates: CertificateStore
  private let proxies: Proxies
  private let limits: TimeLimits
  private let time: any TimeKeeper
  private let sizeLimit: Int
  private let libraries: [String]
  private var handle: CurlHandle?

  /// The two builds of Debian, whose binary interface is known.
  public static let libraries = ["libcurl.so.4", "libcurl-gnutls.so.4"]

  /// `sizeLimit` bounds the decompressed body.
  init(
    environment: Environment, limits: TimeLimits, time: any TimeKeeper,
    sizeLimit: Int = ReceivedResponse.sizeLimit, libraries: [String] = CurlTransport.libraries
  ) {
    certificates = CertificateStore(environment)
    proxies = Proxies(environment)
    self.limits = limits
    self.time = time
    self.sizeLimit = sizeLimit
    self.libraries = libraries
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    let headers = try lines(of: request)
    let timeout = try limits.attempt(time)
    let handle = if let handle { handle } else { try CurlHandle(libraries: libraries) }
    self.handle = handle
    let outcome = handle.run(
      settings(for: request, within: timeout), headers: headers, for: request.method,
      allowsHTTP2: request.url.scheme == .https, sizeLimit: sizeLimit)
    let attempt = Attempt(
      limit: timeout, connect: min(limits.connect, timeout), sizeLimit: sizeLimit,
      usesProxy: proxies.proxy(for: request.url) != nil)
    if let error = ConnectionError(outcome, attempt) { throw limits.failure(error, of: request) }
    guard let head = outcome.head else { throw ConnectionError.malformed("is not HTTP").failure(of: request) }
    return ReceivedResponse(response(head, outcome.body))
  }

  private func settings(for request: Request, within timeout: Duration) -> [CurlHandle.Setting] {
    let http2OverTLS = 4  // CURL_HTTP_VERSION_2TLS
    var settings: [CurlHandle.Setting] = [
      .number(.noSignal, 1), .number(.quickExit, 1), .number(.noProgress, 0), .number(.pathAsIs, 1),
      .number(.noConnectHeaders, 1), .number(.httpVersion, http2OverTLS),
      // An empty list means every coding that libcurl can decode.
      .text(.encodings, ""),
      .text(.url, request.url.description),
      .number(.timeout, timeout.curlMilliseconds),
      .number(.connectTimeout, min(limits.connect, timeout).curlMilliseconds),
      .size(.sizeLimit, sizeLimit),
      // Always set both: otherwise libcurl would read the process's environment.
      .text(.proxy, proxies.proxy(for: request.url) ?? ""), .text(.noProxy, proxies.exceptions),
    ]
    if let file = certificates.file { settings.append(.text(.certificateFile, file)) }
    if let folder = certificates.folder { settings.append(.text(.certificateFolder, folder)) }
    if request.method == .head {
      settings.append(.number(.noBody, 1))
    } else if request.method.requiresLength || !request.body.isEmpty {
      // The size must be set first: libcurl copies as many bytes.
      settings += [.size(.bodySize, request.body.count), .bytes(.body, request.body), .number(.post, 1)]
    }
    // If a kept connection is closed without a response, libcurl sends the request a second time.
    if !request.isRetryable { settings.append(.number(.freshConnection, 1)) }
    if request.method != .head { settings.append(.text(.method, request.method.rawValue)) }
    return settings
  }

  /// Returns the header fields in libcurl's notation: `name: value`, `name;` for an empty value, `name:` for no field.
  private func lines(of request: Request) throws(Failure) -> [String] {
    var lines = try request.checkedFields().map {
      $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)"
    }
    // libcurl would add these to a body: a guessed type, and a second's wait for permission to send.
    lines.append("Expect:")
    if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    return lines
  }

  private func response(_ head: ResponseHead, _ body: [UInt8]) -> Response {
    var headers = head.headers
    if headers["Content-Encoding"] != nil {
      // The body is decoded, and the length was that of the encoded body.
      headers["Content-Encoding"] = nil
      headers["Content-Length"] = nil
    }
    return Response(head.status, headers: headers, body: body)
  }
}

/// Certificates to trust instead of the system's, from the variables that `curl` reads, in its order.
struct CertificateStore {
  let file: String?
  let folder: String?

  init(_ environment: Environment) {
    let bundle = environment["CURL_CA_BUNDLE"]
    file = bundle ?? environment["SSL_CERT_FILE"]
    folder = bundle == nil ? environment["SSL_CERT_DIR"] : nil
  }
}

extension Duration {
  /// Rounded up to at least one, since zero means no limit to libcurl.
  fileprivate var curlMilliseconds: Int { Int(max(1, pollMilliseconds)) }
}

extension CurlTransport {
  /// Loads libcurl and returns its version: `libcurl/8.5.0 OpenSSL/3.0.13 …`.
  public static func version(of libraries: [String] = CurlTransport.libraries) throws(Failure) -> String {
    _ = try CurlHandle(libraries: libraries)
    return unsafe String(cString: hw_curl_version())
  }
}

/// Limits and route of one transfer, for its error.
struct Attempt {
  let limit: Duration
  let connect: Duration
  let sizeLimit: Int
  let usesProxy: Bool
}

extension ConnectionError {
  /// Returns nil for a successful transfer. The numbers are libcurl's `CURLcode`.
  init?(_ outcome: CurlHandle.Outcome, _ attempt: Attempt) {
    if outcome.code == 0 { return nil }
    if let stop = outcome.stop {
      self = stop
      return
    }
    if outcome.proxyStatus >= 300 {
      self = .proxyFailed("it returned \(outcome.proxyStatus)")
      return
    }
    // Messages begin in lower case, except names such as OpenSSL.
    let message = outcome.text
    let isSentence = message.dropFirst().prefix(while: \.isLetter).allSatisfy(\.isLowercase)
    let text = isSentence ? message.prefix(1).lowercased() + message.dropFirst() : message
    // The words of OpenSSL and GnuTLS for a peer that responds to a handshake with something else.
    let isPlain = ["wrong version number", "unexpected TLS packet"].contains { outcome.text.contains($0) }
    // The status of an interim response does not count.
    let finalStatus = outcome.status >= 200 ? outcome.status : nil
    let ended = outcome.status == 0 ? ConnectionError.closed : .cutShort(status: finalStatus)
    self =
      switch outcome.code {
      case 1, 8: .malformed("is not HTTP")
      case 5: .proxyFailed("its host cannot be resolved")
      case 6: .unknownHost
      case 7 where attempt.usesProxy: .proxyFailed("no connection to it")
      case 7 where outcome.systemError == .connectionRefused: .refused
      case 7: .notConnected(outcome.systemError?.text ?? text)
      case 28 where outcome.wasConnected: .timedOut(attempt.limit)
      case 28: .connectTimedOut(attempt.connect)
      case 35 where !attempt.usesProxy && isPlain: .notTLS
      case 35: .handshakeFailed(text)
      case 51, 60, 83, 90, 91, 58, 59, 77, 82: .untrusted(text)
      case 18: .cutShort(status: finalStatus)
      // A reset connection and a malformed chunk have one code, and differ only in the message.
      case 56 where message.lowercased().contains("chunk"): .malformed("has a malformed chunk")
      case 16, 52, 55, 56, 92, 95: ended
      case 42: .interrupted
      case 61: .malformed("is compressed in a way that cannot be read")
      case 63: .tooLarge(limit: attempt.sizeLimit)
      case 97: .proxyFailed(text)
      default: outcome.wasConnected ? ended : .notConnected(text)
      }
  }
}
