import Command
import System
import Terminal

StandardStreams.hold()
Interruption.install()
Memory.keepFreedPages()

switch Runner(.hw, .process()).run(Arguments.words) {
case .success(let status): Exit.with(status.code)
case .failure(let failure): Exit.with(failure)
}
