import CLibraries

/// The processors of this machine.
public enum Processors {
  /// Those that are online: at least one.
  public static var count: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
