import System

/// Work that a command leaves until its output was delivered: written to standard output, or renamed to the file of
/// `--output-file`. A change that is saved as reported is reported again if the output was lost.
public final class Deliveries {
  private var work: [() throws(Failure) -> Void] = []

  public func add(_ work: @escaping () throws(Failure) -> Void) { self.work.append(work) }

  func run() throws(Failure) {
    for step in work { try step() }
    work = []
  }
}
