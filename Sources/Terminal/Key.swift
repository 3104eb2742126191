/// One thing that a person did at the keyboard or with the mouse.
public enum Key: Hashable, Sendable {
  /// One scalar that was typed. A cluster of several (a letter with an accent of its own) comes as several keys, since
  /// nobody can say of a typed scalar that it was the last of its cluster: append them to a `String`, which joins them.
  case character(Character)
  /// Ctrl with a letter, given in lower case. Ctrl-C, Ctrl-Z and Ctrl-\ never come: they are signals.
  case control(Character)
  case alt(Character)
  case enter, tab, backTab, backspace, escape
  case up, down, left, right, home, end, pageUp, pageDown, insert, delete
  case function(Int)
  case mouse(Mouse)
  /// Text from the clipboard, in one piece however many lines it has.
  case paste(String)
}

/// A mouse report. Rows and columns count from 0, as a `Canvas` does.
public struct Mouse: Hashable, Sendable {
  public enum Action: Hashable, Sendable { case press, release, wheelUp, wheelDown }
  public enum Button: Hashable, Sendable { case left, middle, right, none }

  public var action: Action
  public var button: Button
  public var row: Int
  public var column: Int

  public init(_ action: Action, _ button: Button = .left, row: Int, column: Int) {
    self.action = action
    self.button = button
    self.row = row
    self.column = column
  }
}
