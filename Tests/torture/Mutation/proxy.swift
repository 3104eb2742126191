import Foundation
import Synchronization
import System
import TestSupport

@testable import Command
@testable import hw

extension Driver {
  /// A proxy that cuts, delays, splits, doubles and corrupts, between every network command and a real `hw serve`.
  static let proxy = Driver(name: "proxy", round: 2, limit: 60) { home in
    let server = try ServedProgram(home, options: ["--race-seconds", "1"])
    let proxy = try SpoilingProxy(to: server.port)
    let lines = CommandLines.network
    return Attack(
      make: { random in
        let fault = random.pick(ProxyFault.names)
        let plan =
          "\(fault) \(random.below(2)) \(random.chance(3) ? random.below(4000) : random.below(300)) \(random.below(256))"
        return Array((random.pick(lines) + [plan]).joined(separator: "\u{1F}").utf8)
      },
      judge: { input in
        var words = String(decoding: input, as: UTF8.self).split(separator: "\u{1F}").map(String.init)
        guard let fault = ProxyFault(words.removeLast()) else { return nil }
        let command = try Program.hw.command(Array(words.prefix(2)))
        // What a machine keeps belongs to an address, and the proxy has another than the server.
        let isSteady = command.needs.isDisjoint(with: [.writes, .store]) && words[0] != "race"
        words.removeAll { $0 == "--demo" }
        words += ["--json", "--timeout", "2", "--deadline", "4", "--retries", "1", "--no-cache"]
        var surroundings = Ran.Surroundings(home: home, url: "http://127.0.0.1:\(server.port)")
        surroundings.hasRealTime = true
        let expected = isSteady ? Ran(words, in: surroundings) : nil
        surroundings.variables["HW_URL"] = "http://127.0.0.1:\(proxy.port)"
        proxy.fault.withLock { $0 = fault }
        let ran = Ran(words, in: surroundings)
        if let problem = ran.problem(after: words) { return problem }
        guard server.isRunning else { return "the server has ended" }
        guard let expected, fault.keepsContent, ran.status == 0 else { return nil }
        if expected.status != 0 { return "status 0, without the proxy \(expected.status)" }
        surroundings.variables["HW_URL"] = "http://127.0.0.1:\(server.port)"
        let again = Ran(words, in: surroundings)
        // What differs by itself proves nothing.
        guard again.output == expected.output else { return nil }
        return ran.output == expected.output
          ? nil : "status 0 and another result: \(String(decoding: ran.output.prefix(300), as: UTF8.self))"
      })
  }
}

struct ProxyFault: Sendable {
  static let names = ["cut", "delay", "single", "double", "corrupt", "reset"]
  var name: String
  /// The direction: 0 the request, 1 the response.
  var side: Int
  var at: Int
  var byte: UInt8

  /// Nothing that arrives is other than what was sent.
  var keepsContent: Bool { ["cut", "delay", "single", "reset"].contains(name) }

  init?(_ plan: String) {
    let parts = plan.split(separator: " ")
    guard parts.count == 4, let side = Int(parts[1]), let at = Int(parts[2]), let byte = UInt8(parts[3])
    else { return nil }
    (name, self.side, self.at, self.byte) = (String(parts[0]), side, at, byte)
  }
}

private final class SpoilingProxy: Sendable {
  let port: Int
  let fault = Mutex<ProxyFault?>(nil)

  init(to target: Int) throws {
    let (listener, port) = try Loopback.listen()
    self.port = port
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { continue }
        guard let fault = fault.withLock({ $0 }), let server = try? Loopback.connect(target) else {
          close(client)
          continue
        }
        let open = Sides(client, server)
        Thread.detachNewThread { Self.carry(client, server, fault.side == 0 ? fault : nil, open) }
        Thread.detachNewThread { Self.carry(server, client, fault.side == 1 ? fault : nil, open) }
      }
    }
  }

  /// Both ends, closed once when both directions are over.
  private final class Sides: Sendable {
    private let left = Atomic(2)
    private let ends: [Int32]
    init(_ ends: Int32...) { self.ends = ends }
    func leave() {
      guard left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
      for end in ends { close(end) }
    }
    func cut(hard: Bool) {
      var abort = linger(l_onoff: 1, l_linger: 0)
      for end in ends {
        if hard {
          setsockopt(end, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
        }
        shutdown(end, Int32(SHUT_RDWR))
      }
    }
  }

  private static func carry(_ from: Int32, _ to: Int32, _ fault: ProxyFault?, _ sides: Sides) {
    defer { sides.leave() }
    var block = [UInt8](repeating: 0, count: 16384)
    var passed = 0
    while true {
      let count = read(from, &block, block.count)
      guard count > 0 else { break }
      var bytes = Array(block[..<count])
      let at = fault.map { $0.at - passed } ?? -1
      passed += count
      if let fault, at >= 0 || fault.name == "single" || fault.name == "delay" {
        switch fault.name {
        case "cut" where at < count:
          Loopback.send(Array(bytes[..<at]), to: to)
          sides.cut(hard: false)
          return
        case "reset" where at < count:
          Loopback.send(Array(bytes[..<at]), to: to)
          sides.cut(hard: true)
          return
        // No event: the delay is the fault.
        case "delay": usleep(UInt32(fault.byte) * 40)
        case "single":
          for byte in bytes.prefix(500) { Loopback.send([byte], to: to) }
          bytes.removeFirst(min(500, bytes.count))
        case "double" where at < count:
          bytes.insert(contentsOf: bytes[at..<min(at + 1 + Int(fault.byte) % 40, count)], at: at)
        case "corrupt" where at < count: bytes[at] = fault.byte
        default: break
        }
      }
      Loopback.send(bytes, to: to)
    }
    shutdown(to, Int32(SHUT_WR))
  }
}
