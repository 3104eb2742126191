import CLibraries

/// Standard input, output and errors, as the process was given them.
public enum StandardStreams {
  /// To be called before anything is opened. Where one of the three is closed, the next file or socket would get its
  /// number, and what is meant for a reader would be written into it; so its place is taken, by what can be neither read
  /// nor written.
  public static func hold() { hw_hold_standard_streams() }
}
