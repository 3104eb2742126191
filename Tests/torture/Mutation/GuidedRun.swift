import Foundation
import TestSupport

/// A driver whose inputs are mutated by libFuzzer: inputs that reach new code are kept, and mutated further. Only the build
/// of `Tests/torture/run --coverage` contains it.
final class GuidedRun: @unchecked Sendable {
  static let corpus = ProcessInfo.processInfo.environment["HW_TORTURE_CORPUS"]

  private typealias Judge = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  private typealias Fuzzer =
    @convention(c) (
      UnsafeMutablePointer<CInt>, UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
      Judge
    ) -> CInt

  /// What precedes each input. A driver of whole commands is restricted to the one whose reader is attacked.
  private static let prefixes = ["imports": Array("wordle\u{1F}import\u{1F}--dry-run\n".utf8)]
  private static let seeds = 400

  nonisolated(unsafe) private static var run: GuidedRun?

  private let name: String
  private let prefix: [UInt8]
  private let take: ([UInt8], Int) -> Void
  private let report: (Int) -> Int32
  private var inputs = 0

  /// `take` judges an input of this number, and `report` writes the last line and returns the status.
  init(_ name: String, take: @escaping ([UInt8], Int) -> Void, report: @escaping (Int) -> Int32) {
    self.name = name
    prefix = Self.prefixes[name] ?? []
    self.take = take
    self.report = report
  }

  /// Ends the process after these seconds.
  func body(corpus: String, attack: Attack, seed: UInt64, seconds: Double, findings: String) throws {
    guard let symbol = dlsym(nil, "LLVMFuzzerRunDriver") else { throw CocoaError(.featureUnsupported) }
    try FileManager.default.createDirectory(atPath: corpus, withIntermediateDirectories: true)
    for number in 0..<Self.seeds {
      var input = attack.input(seed: 1, number: number)
      if !prefix.isEmpty {
        guard String(decoding: input, as: UTF8.self).hasPrefix("wordle\u{1F}import"),
          let end = input.firstIndex(of: 0x0A)
        else { continue }
        input.removeSubrange(...end)
      }
      RawFile.write(input, to: "\(corpus)/seed-\(number)")
    }
    Self.run = self
    atexit { if let run = GuidedRun.run { _exit(run.report(run.inputs)) } }
    let words = [
      "hw", "-seed=\(max(1, UInt32(truncatingIfNeeded: seed)))", "-max_total_time=\(Int(seconds))",
      "-timeout=10", "-max_len=16384", "-rss_limit_mb=4096", "-print_final_stats=1",
      "-artifact_prefix=\(findings)/\(name)-", corpus,
    ]
    var count = CInt(words.count)
    var arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count + 1)
    for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
    arguments[words.count] = nil
    _ = unsafeBitCast(symbol, to: Fuzzer.self)(&count, &arguments) { bytes, count in
      GuidedRun.run?.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  }

  private func take(_ input: [UInt8]) {
    inputs += 1
    take(prefix + input, inputs)
  }
}
