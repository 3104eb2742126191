import Store
import System

/// What a backend is made with: where it keeps its data, what it invents, what time it goes by.
public struct BackendSettings {
  /// In memory for `demo:`, durable for `embedded:` and `hw serve`.
  public var store: Store
  /// A demo is filled with sample data; a durable store begins as the service itself would.
  public var hasSamples: Bool
  /// What is invented, is invented from this: the same seed is the same data.
  public var seed: UInt64
  public var time: any TimeKeeper
  /// How a backend is to behave beyond its contract, by the names of `hw serve`'s options (`captcha-after`): a backend
  /// reads those it knows. Empty: as the service usually does.
  public var behaviour: [String: Int] = [:]
  /// Who may ask, for a backend that knows people; nil leaves it open to everybody, as the real services are.
  public var users: UserRegister?

  public init(store: Store, hasSamples: Bool, seed: UInt64 = 1, time: any TimeKeeper) {
    self.store = store
    self.hasSamples = hasSamples
    self.seed = seed
    self.time = time
  }

  /// For `demo:`: in memory, with sample data.
  public static func demo(seed: UInt64 = 1, time: any TimeKeeper) -> BackendSettings {
    BackendSettings(store: .memory(time: time), hasSamples: true, seed: seed, time: time)
  }
}
