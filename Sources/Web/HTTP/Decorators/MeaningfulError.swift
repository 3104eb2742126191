import System

/// An error response to which the contract of a service gives a meaning: it is a result, and sending the request again
/// does not change it.
public struct MeaningfulError: Equatable, Sendable {
  let status: Int
  /// A part of the body. Empty for every body.
  let text: String

  public init(_ status: Int, _ text: String = "") {
    self.status = status
    self.text = text
  }

  public func isMeant(by response: Response) -> Bool {
    response.status == status && (text.isEmpty || response.text.contains(text))
  }
}
