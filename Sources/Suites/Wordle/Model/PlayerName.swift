import System

enum PlayerName {
  /// Names in chats are shorter.
  static let longest = 256
  /// The player whose games are those of the account and of `import --me`.
  static let you = "you"

  /// Names that differ in case alone, or in the presentation of an emoji, are one player.
  static func key(_ name: String) -> String {
    String(name.trimmed.unicodeScalars.filter { !$0.properties.isVariationSelector }).map(Letters.fold)
      .joined()
  }
}
