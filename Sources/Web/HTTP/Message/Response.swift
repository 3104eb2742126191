import JSON

/// A response with any status, as a server makes it. A client has a `ReceivedResponse`.
public struct Response: Equatable, Sendable {
  public var status: Int
  public var headers: Headers
  public var body: [UInt8]

  public init(_ status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  public static func json(_ status: Int = 200, _ write: (inout JSONWriter) -> Void) -> Response {
    Response(status, headers: ["Content-Type": "application/json"], body: JSONWriter.bytes(write))
  }

  /// `{"error":"…"}`
  public static func jsonError(_ status: Int, _ message: String) -> Response {
    .json(status) { writer in writer.object { $0.member("error", message) } }
  }
}

extension Response {
  public var isSuccess: Bool { (200..<300).contains(status) }

  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The declared type in lower case and without parameters: `application/json`.
  public var mediaType: String? {
    headers["Content-Type"].map { value in
      let type = value.prefix { $0 != ";" }
      return String(type.drop { $0 == " " }.prefix { $0 != " " }).lowercased()
    }
  }
}
