import Command
import System
import Terminal

#if !os(Linux)
  #error("hw runs on Linux")
#endif

StandardStreams.openMissing()
Interruption.install()
Memory.keepFreedPages()

switch Runner(.hw, .process()).run(Arguments.words) {
case .success(let status): Exit.with(status.code)
case .failure(let failure): Exit.with(failure)
}
