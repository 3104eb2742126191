import Command
import System

StandardStreams.hold()
Interruption.install()
Memory.keepFreed()

switch Runner(.hw, .process()).run(Arguments.words) {
case .success(let status): Ending.exit(status.code)
case .failure(let failure): Ending.end(with: failure)
}
