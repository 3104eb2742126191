import System
Interruption.install()
