import System

extension Duration {
  /// To the millisecond: what JSON carries.
  var inSeconds: Double { Double(milliseconds) / 1000 }

  /// Rounded down.
  var milliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + rest / 1_000_000_000_000_000
  }

  /// As a line of text has it: `12.5 s`.
  var tenths: String {
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// As a countdown shows it, the second that has begun counted: `0:26`, `1:59:03`.
  var countdown: String {
    let whole = max(0, (milliseconds + 999) / 1000)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0
      ? "\(hours):\(padded(minutes)):\(padded(seconds))" : "\(minutes):\(padded(seconds))"
  }

  /// Seconds as a service or a recording gives them; nil for what no race lasts.
  init?(seconds: Double) {
    guard (0...1_000_000).contains(seconds) else { return nil }
    self = .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
