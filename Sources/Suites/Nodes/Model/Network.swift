/// The networks of Bitcoin that the service observes.
enum Network: String, CaseIterable, Sendable {
  case mainnet
  case testnet
  case signet
}
