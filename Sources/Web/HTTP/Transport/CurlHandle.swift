import CLibraries
import System

/// An easy handle of libcurl, in the only code that passes pointers to the library. It keeps connections.
@safe final class CurlHandle {
  private var handle: OpaquePointer
  /// Connections, names and sessions, for versions of the library that require a new handle for each transfer.
  private let share: OpaquePointer?
  /// libcurl's message about the last error, in 256 bytes as its manual requires.
  private let errorText: UnsafeMutableBufferPointer<CChar>

  init(libraries: [String]) throws(Failure) {
    guard libraries.contains(where: { unsafe hw_curl_open($0) != 0 }), let handle = unsafe hw_curl_new()
    else {
      throw Failure(
        .connection, "cannot load libcurl, which carries https and proxies",
        hint: "install it: on Debian and Ubuntu the package is 'libcurl4'")
    }
    // Not before: without libcurl there is no handle, and so no `deinit`.
    unsafe errorText = .allocate(capacity: 256)
    unsafe self.handle = handle
    unsafe share = hw_curl_keeps_headers() != 0 ? hw_curl_share_new() : nil
  }

  deinit {
    unsafe hw_curl_free(handle)
    if let share = unsafe share { unsafe hw_curl_share_free(share) }
    unsafe errorText.deallocate()
  }

  enum Setting {
    case number(CurlOption, Int)
    case size(CurlOption, Int)
    case text(CurlOption, String)
    case bytes(CurlOption, [UInt8])
  }

  struct Outcome {
    var code: Int32
    var text: String
    var status: Int
    var proxyStatus: Int
    var systemError: SystemError?
    /// Whether there was a connection, so that the request may have been sent.
    var wasConnected: Bool
    var head: ResponseHead?
    var body: [UInt8]
    /// The reason for which hw ended the transfer.
    var stop: ConnectionError?
  }

  /// Runs one transfer, without the settings of an earlier one. `headers` are lines in libcurl's notation.
  func run(
    _ settings: [Setting], headers: [String], for method: Method, allowsHTTP2: Bool, sizeLimit: Int
  ) -> Outcome {
    reset()
    for setting in settings { set(setting) }
    var list: OpaquePointer? = nil
    for line in headers {
      // If memory runs out, it returns nil and leaves the list unchanged.
      unsafe list = hw_curl_append(list, line) ?? list
    }
    defer { unsafe hw_curl_free_list(list) }
    unsafe set(.headers, UnsafeRawPointer(list))
    let transfer = Transfer(for: method, allowsHTTP2: allowsHTTP2, sizeLimit: sizeLimit)
    let code = withExtendedLifetime(transfer) {
      unsafe listen(with: Unmanaged.passUnretained(transfer).toOpaque())
      return unsafe hw_curl_perform(handle)
    }
    let systemError = number(.systemError)
    return Outcome(
      code: code, text: message(of: code), status: number(.status), proxyStatus: number(.proxyStatus),
      systemError: systemError == 0 ? nil : SystemError(Int32(truncatingIfNeeded: systemError)),
      wasConnected: offset(.timeToTransfer) > 0, head: transfer.head, body: transfer.body,
      stop: transfer.stop)
  }

  /// Removes the settings of the last transfer, and keeps its connection.
  private func reset() {
    guard let share = unsafe share, let new = unsafe hw_curl_new() else {
      unsafe hw_curl_reset(handle)
      return
    }
    // These versions keep a dangling pointer in the old handle, through which the next response could write.
    unsafe hw_curl_free(handle)
    unsafe handle = new
    unsafe set(.share, UnsafeRawPointer(share))
  }

  /// Sets the functions that libcurl calls. `context` is their transfer.
  private func listen(with context: UnsafeMutableRawPointer) {
    unsafe errorText.initialize(repeating: 0)
    unsafe set(.errorText, errorText.baseAddress)
    unsafe hw_curl_set_take(handle, CurlOption.takeBody.rawValue) { bytes, size, count, context in
      unsafe Transfer.at(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
    }
    unsafe hw_curl_set_take(handle, CurlOption.takeHeader.rawValue) { bytes, size, count, context in
      unsafe Transfer.at(context)?.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
    }
    unsafe hw_curl_set_watch(handle, CurlOption.watch.rawValue) { context, _, _, _, _ in
      unsafe Transfer.at(context)?.stopsIfInterrupted() ?? 1
    }
    for option in [CurlOption.bodyContext, .headerContext, .watchContext] { unsafe set(option, context) }
  }

  /// Ignores settings that an old libcurl lacks: no response depends on them.
  private func set(_ setting: Setting) {
    switch setting {
    case .number(let option, let value): unsafe _ = hw_curl_set_long(handle, option.rawValue, value)
    case .size(let option, let value): unsafe _ = hw_curl_set_offset(handle, option.rawValue, Int64(value))
    // libcurl copies text and bytes before the call returns.
    case .text(let option, let text): unsafe text.withCString { unsafe set(option, $0) }
    // For a null pointer, libcurl would read the body from standard input.
    case .bytes(let option, []): set(.text(option, ""))
    case .bytes(let option, let bytes): unsafe bytes.withUnsafeBytes { unsafe set(option, $0.baseAddress) }
    }
  }

  private func set(_ option: CurlOption, _ pointer: UnsafeRawPointer?) {
    unsafe _ = hw_curl_set_pointer(handle, option.rawValue, pointer)
  }

  private func number(_ information: CurlInformation) -> Int {
    var value = 0
    return unsafe hw_curl_get_long(handle, information.rawValue, &value) == 0 ? value : 0
  }

  private func offset(_ information: CurlInformation) -> Int64 {
    var value: Int64 = 0
    return unsafe hw_curl_get_offset(handle, information.rawValue, &value) == 0 ? value : 0
  }

  private func message(of code: Int32) -> String {
    let bytes = unsafe errorText.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    if !bytes.isEmpty { return String(decoding: bytes, as: UTF8.self) }
    return unsafe hw_curl_explain(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }
}

/// The received part of a transfer, to which libcurl's functions add.
///
/// libcurl accepts more than RFC 9112 allows, such as two different lengths. Every head is therefore parsed again by
/// the parser of `SocketTransport`, so that all transports accept the same responses.
private final class Transfer {
  let method: Method
  /// Accepts HTTP/2, for which libcurl writes a status line too.
  let allowsHTTP2: Bool
  let sizeLimit: Int
  /// The head of the final response. Fields after it are trailers.
  private(set) var head: ResponseHead?
  private(set) var body: [UInt8] = []
  private(set) var stop: ConnectionError?
  /// Lines of the unfinished head, each with its end.
  private var pending: [UInt8] = []
  private var size = 0
  private var interim = InterimCount()

  init(for method: Method, allowsHTTP2: Bool, sizeLimit: Int) {
    self.method = method
    self.allowsHTTP2 = allowsHTTP2
    self.sizeLimit = sizeLimit
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    unsafe context.map { unsafe Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the number of accepted bytes. A smaller number than was passed ends the transfer.
  func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count <= sizeLimit - body.count else {
      stop = .tooLarge(limit: sizeLimit)
      return 0
    }
    unsafe body.append(contentsOf: bytes)
    return bytes.count
  }

  /// Receives each line of a head or of the trailers, and the empty line after them.
  func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
    size += bytes.count
    do throws(MessageError) {
      guard size <= ResponseHead.sizeLimit else { throw .malformed("has a head longer than 64 KiB") }
      if head == nil { try unsafe takeLine(Array(bytes)) }
      return bytes.count
    } catch {
      stop = ConnectionError(error, status: nil)
      // Different from the number passed, even if that is 0.
      return bytes.count &+ 1
    }
  }

  private func takeLine(_ line: [UInt8]) throws(MessageError) {
    guard line == [Byte.lineFeed] || line == [Byte.carriageReturn, Byte.lineFeed] else {
      pending += line
      return
    }
    if pending.last == Byte.lineFeed { pending.removeLast() }
    if allowsHTTP2, pending.starts(with: "HTTP/2 ".utf8) {
      pending.replaceSubrange(..<6, with: "HTTP/1.1".utf8)
    }
    let head = try ResponseHead(pending, end: pending.count)
    pending = []
    if try interim.count(head) { return }
    self.head = head
    var framing = head
    // libcurl decodes the body, in any content coding that it supports.
    framing.headers["Content-Encoding"] = nil
    if case .fixed(let count) = try framing.body(for: method), count > sizeLimit {
      throw .tooLarge(limit: sizeLimit)
    }
  }

  /// Runs about once a second; any result but 0 ends the transfer.
  func stopsIfInterrupted() -> Int32 {
    guard Interruption.pending != nil else { return 0 }
    stop = .interrupted
    return 1
  }
}

/// Options of libcurl, by their numbers in its binary interface, which never change. The ten thousands are the type: 0
/// a number, 1 a pointer, 2 a function, 3 an offset.
enum CurlOption: Int32 {
  case noProgress = 43
  case noBody = 44
  case post = 47
  case freshConnection = 74
  case httpVersion = 84
  case noSignal = 99
  case timeout = 155
  case connectTimeout = 156
  case pathAsIs = 234
  case noConnectHeaders = 265
  case quickExit = 322
  case bodyContext = 10001
  case url = 10002
  case proxy = 10004
  case errorText = 10010
  case headers = 10023
  case headerContext = 10029
  case method = 10036
  case watchContext = 10057
  case certificateFile = 10065
  case certificateFolder = 10097
  case share = 10100
  case encodings = 10102
  case body = 10165
  case noProxy = 10177
  case takeBody = 20011
  case takeHeader = 20079
  case watch = 20219
  case sizeLimit = 30117
  case bodySize = 30120
}

enum CurlInformation: Int32 {
  case status = 0x20_0002
  case proxyStatus = 0x20_0016
  case systemError = 0x20_0019
  case timeToTransfer = 0x60_0035
}
