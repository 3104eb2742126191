import Foundation
import Synchronization
import System

@testable import HTTP

/// A service that says what it was told to say, and remembers what it was asked.
final class ScriptedTransport: Transport {
  private var outcomes: [Result<Response, Failure>]
  private let last: Result<Response, Failure>
  private(set) var requests: [Request] = []
  var during: (Request) -> Void = { _ in }

  /// The last outcome is repeated.
  init(_ outcomes: Result<Response, Failure>...) {
    self.outcomes = outcomes
    last = outcomes.last ?? .success(Response(200))
  }

  convenience init(_ response: Response) { self.init(.success(response)) }

  func send(_ request: Request) throws(Failure) -> Response {
    requests.append(request)
    during(request)
    return try (outcomes.isEmpty ? last : outcomes.removeFirst()).get()
  }
}

/// Clocks that stand still until somebody sleeps or sets them.
final class FakeTime: TimeKeeper {
  private struct Clocks {
    var now: Int64
    var uptime: Int64 = 1_000_000
    var sleeps: [Duration] = []
  }

  private let clocks: Mutex<Clocks>

  /// 2024-01-01T00:00:00Z, and a start of a minute.
  static let start: Int64 = 1_704_067_200

  /// In seconds after `start`.
  init(_ seconds: Double = 0) {
    clocks = Mutex(Clocks(now: FakeTime.start * 1000 + Int64(seconds * 1000)))
  }

  func now() -> Timestamp { Timestamp(milliseconds: clocks.withLock { $0.now }) }
  func uptime() -> Duration { .milliseconds(clocks.withLock { $0.uptime }) }

  func sleep(for duration: Duration) {
    pass(duration)
    clocks.withLock { $0.sleeps.append(duration) }
  }

  var sleeps: [Duration] { clocks.withLock { $0.sleeps } }

  func pass(_ duration: Duration) {
    clocks.withLock {
      $0.now += duration.wholeMilliseconds
      $0.uptime += duration.wholeMilliseconds
    }
  }

  /// Somebody sets the calendar's clock.
  func set(forward seconds: Int64) {
    clocks.withLock { $0.now += seconds * 1000 }
  }

  func restart() { clocks.withLock { $0.uptime = 0 } }
}

/// What the user was told.
final class Notes {
  private(set) var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
}

/// A folder that goes when the test does.
final class Scratch {
  let path: String

  init() throws {
    path = "/tmp/hw-test-\(UInt64.random(in: 0 ... .max))"
    try Folder.make(path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  var names: [String] { (try? Folder.names(path)) ?? [] }

  func names(_ folder: String) -> [String] { (try? Folder.names("\(path)/\(folder)")) ?? [] }

  func mode(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)"))?[.posixPermissions] as? Int
  }

  func text(_ name: String) throws -> String {
    String(decoding: try File.read("\(path)/\(name)") ?? [], as: UTF8.self)
  }
}

extension Request {
  static func get(_ url: String, headers: Headers = [:]) -> Request {
    guard let url = try? HTTP.URL(url) else { preconditionFailure("'\(url)' is no address") }
    return Request(.get, url, headers: headers)
  }
}

extension Response {
  static func text(_ status: Int, _ text: String, headers: Headers = [:]) -> Response {
    Response(status, headers: headers, body: Array(text.utf8))
  }
}

extension Result<Response, Failure> {
  static func status(_ status: Int, headers: Headers = [:]) -> Self {
    .success(Response(status, headers: headers))
  }

  static var refused: Self {
    .failure(Failure(.connection, "'host:80' refused the connection", retryable: true))
  }
  static var untrusted: Self { .failure(Failure(.connection, "'host:443' is not to be trusted")) }
}
