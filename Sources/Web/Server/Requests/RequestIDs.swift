import HTTP
import System

struct RequestIDs {
  private let prefix = String(RandomID.make().prefix(12))
  private var last = 0

  /// Returns the client's id if it is valid, or else a new one.
  mutating func id(for request: ReceivedRequest?) -> String {
    if let request, !request.head.requestID.isEmpty {
      let given = request.text(request.head.requestID)
      if RequestIDs.isValid(given) { return given }
    }
    last += 1
    return "\(prefix)-\(String(last, radix: 16))"
  }

  /// 1 to 128 letters, digits and `-_.:+/=` of ASCII.
  private static func isValid(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_.:+/=".utf8.contains($0) }
  }
}
