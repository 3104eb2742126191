extension String {
  /// Searches for a PIN outside of long runs of digits: ids are random and times grow, so both contain any PIN now and then.
  public func discloses(pin: String) -> Bool {
    replacing(/[0-9a-f]{10,}/, with: "number").contains(pin)
  }
}
