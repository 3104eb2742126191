import System

/// An error response that is a result by the contract of a service, so that it is not retried.
public struct MeaningfulError: Equatable, Sendable {
  let status: Int
  let text: String

  /// `text` is a part of the body.
  public init(_ status: Int, _ text: String = "") {
    self.status = status
    self.text = text
  }

  public func matches(_ response: Response) -> Bool {
    response.status == status && (text.isEmpty || response.text.contains(text))
  }
}
