import Command
import Server
import System
import TestSupport
import Testing

@testable import Bikes
@testable import HTTP

/// The line to a server's server, on which answers get lost as the test says.
final class FaultyTransport: Transport {
  enum Fault {
    /// Nobody was there: nothing was sent.
    case refused
    /// It never came to the server, which its sender cannot know.
    case lost
    /// It was done, and its response was lost; then somebody else did something.
    case doneAndLost(then: () -> Void = {})
    /// Somebody interrupts when it is done.
    case interrupted
    case status(Int)
  }

  private let server: TestServer
  /// Speaks as the original does: a success is empty, no bike has a route of its own, no answer is kept.
  private let isOriginal: Bool
  private var faults: [(method: HTTP.Method, path: String, fault: Fault)] = []
  private(set) var requests: [Request] = []

  init(_ server: TestServer, isOriginal: Bool) {
    self.server = server
    self.isOriginal = isOriginal
  }

  /// What becomes of the next such request that has no fate yet.
  func next(_ method: HTTP.Method, _ path: String, _ fault: Fault) { faults.append((method, path, fault)) }

  /// `PUT /bikes/1/rented` and so on, as they were asked.
  var asked: [String] { requests.map { "\($0.method.rawValue) \($0.url.target)" } }

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    ReceivedResponse(try response(to: request))
  }

  private func response(to request: Request) throws(Failure) -> Response {
    requests.append(request)
    guard
      let place = faults.firstIndex(where: { $0.method == request.method && $0.path == request.url.path })
    else { return try answer(request) }
    switch faults.remove(at: place).fault {
    case .refused: throw ConnectionError.refused.failure(of: request)
    case .lost: throw ConnectionError.closed.failure(of: request)
    case .doneAndLost(let then):
      _ = try answer(request)
      then()
      throw ConnectionError.closed.failure(of: request)
    case .interrupted:
      _ = try answer(request)
      throw ConnectionError.interrupted.failure(of: request)
    case .status(let status): return Response(status)
    }
  }

  private func isKnownToOriginal(_ request: Request) -> Bool {
    let path = request.url.path
    switch request.method {
    case .patch: return false
    case .delete: return path.hasSuffix("/rented")
    default: return !path.hasPrefix("/rentals")
    }
  }

  private func answer(_ request: Request) throws(Failure) -> Response {
    if isOriginal, !isKnownToOriginal(request) {
      return Response(404, headers: ["Content-Type": "text/html"])
    }
    var response = try EmbeddedTransport(server.router).send(request).response
    guard isOriginal else { return response }
    response.headers[IdempotencyKey.lifetimeHeader] = nil
    if response.isSuccess, request.method != .get { response.body = [] }
    if request.method == .get, request.url.path.hasPrefix("/bikes/") {
      return Response(404, headers: ["Content-Type": "text/html"])
    }
    return response
  }
}

/// Somebody on such a line, who tries again as hw does and keeps notes.
final class TestUser {
  let transport: FaultyTransport
  let renting: RentalSession
  private let messages = RecordedMessages()
  private let scratch: ScratchDirectory?
  private var keys: [String] = []

  init(
    of server: TestServer, original isOriginal: Bool = false, token: String? = nil,
    notesIn folder: String? = nil
  ) throws {
    let transport = FaultyTransport(server, isOriginal: isOriginal)
    self.transport = transport
    let scratch = folder == nil ? try ScratchDirectory() : nil
    self.scratch = scratch
    let retrying = RetryingTransport(
      transport, policy: RetryPolicy(), deadline: nil, time: server.time, jitter: { $0 }, report: { _ in })
    let url = try URL("http://server")
    let headers: Headers = if let token { ["X-Authorization": token] } else { [:] }
    let messages = messages
    renting = RentalSession(
      client: BikesClient(endpoint: Endpoint(url, headers: headers, retrying)),
      notes: RentedNotes(folder: folder ?? scratch?.path ?? "", service: url, token: token),
      time: server.time,
      report: messages.add, reportInterruption: { messages.add($0.messageAndHint) })
  }

  /// The directory of the notes, if it is the user's own.
  var folder: String? { scratch?.path }
  var said: [String] { messages.lines }
  var client: BikesClient { renting.client }
  /// The ids of the bikes that are noted as out.
  var out: [String] { get throws { try renting.notes?.all().map(\.id) ?? [] } }

  /// The idempotency keys by the order in which they were used.
  func number(of key: String) -> Int {
    if !keys.contains(key) { keys.append(key) }
    return (keys.firstIndex(of: key) ?? 0) + 1
  }
}
