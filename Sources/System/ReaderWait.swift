import CLibraries

extension FileDescriptor {
  /// Waits until the reader of the pipe has taken everything that stands in it; throws `brokenPipe` where there is no
  /// reader any more. Anything but a pipe is not waited for.
  ///
  /// No system tells the writer of a pipe that it is empty, so it is looked at again and again, ever more seldom.
  func awaitReader() throws(SystemError) {
    var pause: Int32 = 1
    while hw_unread(rawValue) > 0 {
      try passTime(pause)
      pause = min(pause * 2, 50)
    }
    // A reader such as `head` takes a block and goes away then: it gets a moment to do so.
    if isPipe { try passTime(FileDescriptor.parting) }
  }

  private static var parting: Int32 { 20 }

  private var isPipe: Bool {
    var facts = stat()
    return unsafe fstat(rawValue, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  /// Lets some milliseconds pass, less where the reader goes away.
  private func passTime(_ milliseconds: Int32) throws(SystemError) {
    var entry = pollfd()
    entry.fd = rawValue
    guard Interruption.pending == nil else { throw .interrupted }
    try call { unsafe poll(&entry, 1, milliseconds) }
    if entry.revents & Int16(POLLERR) != 0 { throw .brokenPipe }
  }
}
