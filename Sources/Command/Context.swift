import Output
import System

/// What a command may use while it runs. It prints through `output`, asks `time` for the time, and knows neither a
/// file descriptor nor a variable.
public struct Context {
  public let program: Program
  /// What was said to the command, for what is settled outside it: addresses, limits, colours.
  let call: Invocation
  public let host: Host
  public let output: Output
  public let messages: Messages

  public var time: any TimeKeeper { host.time }
  public var input: any ByteSource { host.input.bytes }
  /// Under `--explain` nothing is sent: there are no answers.
  public var isExplaining: Bool { call[StandardOptions.explain] }
}

extension Context {
  /// The bytes of a file, or of standard input where the name is `-` or there is none.
  public func open(_ file: String?) throws(Failure) -> any ByteSource {
    guard let file, file != "-" else { return input }
    do throws(SystemError) {
      return DescriptorSource(try File.open(file, .read), name: file)
    } catch {
      throw error.failure("read", file)
    }
  }
}
