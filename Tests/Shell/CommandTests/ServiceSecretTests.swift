import HTTP
import System
import TestSupport
import Testing

@testable import Command

/// Which secrets go where is in the sessions `box` and `cup`.
@Suite struct ServiceKeyTests {
  @Test func embeddedBackendNeedsNoKey() throws {
    let local = Service(
      "mug", address: "embedded:",
      credential: Credential(
        header: "X-Key", setting: "key", file: SamplePrograms.keyFile, hint: "get a key"), reason: "")
    var call = Invocation(SamplePrograms.showKey, suite: nil)
    call.set(StandardOptions.explain.declaration, to: true)
    #expect(try Context(call).endpoint(local).base == URL("embedded:"))
  }

  @Test func aFileWithoutASecret() throws {
    let context = Context(Invocation(SamplePrograms.showKey, suite: nil))
    let scratch = try ScratchDirectory()
    for text in ["", "\n", "\r\n\n"] {
      try scratch.write(text, to: "empty")
      let path = scratch.file("empty")
      #expect(
        failure { try context.secret(in: path, called: "key") }
          == Failure(.usage, "'\(path)' contains no key"))
    }
  }
}
