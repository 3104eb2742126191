extension Key {
  /// First visible row after the key, for a list of `count` rows, of which `page` are visible from `top` on. The caller
  /// limits it to the list. Nil for a key that does not scroll.
  public func scrolled(from top: Int, page: Int, count: Int) -> Int? {
    switch self {
    case .up, .character("k"): top - 1
    case .down, .character("j"): top + 1
    case .pageUp, .character("b"): top - page
    case .pageDown, .character(" "): top + page
    case .home: 0
    case .end: count
    case .mouse(let mouse) where mouse.action == .wheelUp: top - 3
    case .mouse(let mouse) where mouse.action == .wheelDown: top + 3
    default: nil
    }
  }
}
