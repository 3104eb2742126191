import CLibraries

/// The heap's own ways.
public enum Memory {
  /// Keeps what is let go of for whoever asks next, up to 4 MiB. Given back to the system and fetched anew for every
  /// page of a long list, it would cost more than reading the page.
  public static func keepFreed() { hw_keep_memory(4 << 20) }
}
