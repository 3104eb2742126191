import System

/// A backend in the process: `demo:` and `embedded:`.
public struct EmbeddedTransport: Transport {
  private let answer: (Request) throws(Failure) -> Response

  public init(_ answer: @escaping (Request) throws(Failure) -> Response) {
    self.answer = answer
  }

  public func send(_ request: Request) throws(Failure) -> Response {
    try answer(request)
  }
}
