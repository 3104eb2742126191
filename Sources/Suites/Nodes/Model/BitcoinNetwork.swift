/// The networks of Bitcoin that the service observes.
enum BitcoinNetwork: String, CaseIterable, Sendable {
  case mainnet
  case testnet
  case signet
}
