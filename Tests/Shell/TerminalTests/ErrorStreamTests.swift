import System
import Terminal
import Testing

@testable import Terminal

@Suite struct ErrorStreamTests {
  let errors = MemorySink()

  private func terminal(columns: Int = 80) -> ErrorStream {
    ErrorStream(errors, isTerminal: true, columns: { columns })
  }

  @Test func progressIsWrittenAtMostTenTimesASecond() {
    let stream = terminal(columns: 20)
    var made = 0
    for step in 0..<100 {
      stream.showProgress(at: .milliseconds(10 * step)) {
        made += 1
        return "row \(made)"
      }
    }
    #expect(made == 10)
    stream.clearProgress()
    #expect(errors.text.hasPrefix("\rrow 1\u{1B}[K\rrow 2\u{1B}[K"))
    #expect(errors.text.hasSuffix("\rrow 10\u{1B}[K\r\u{1B}[K"))
  }

  @Test func progressIsCutAndCleaned() {
    terminal(columns: 8).showProgress(at: .zero) { "a\nbcdefghij" }
    #expect(errors.text == "\ra\u{FFFD}bcde…\u{1B}[K")
  }

  @Test func progressIsCutAtDefaultWidth() {
    let stream = ErrorStream(errors, isTerminal: true)
    stream.showProgress(at: .zero) { String(repeating: "x", count: 80) }
    #expect(errors.text == "\r\(String(repeating: "x", count: 78))…\u{1B}[K")
  }

  /// One that was taken away, or was not shown, keeps no other back.
  @Test func erasedProgressDelaysNoOther() {
    let stream = terminal()
    stream.showProgress(at: .milliseconds(50)) { "a" }
    stream.showProgress(at: .milliseconds(149)) { "b" }
    stream.showProgress(at: .milliseconds(150)) { "c" }
    stream.clearProgress()
    stream.clearProgress()
    stream.mute()
    stream.showProgress(at: .milliseconds(151)) { "d" }
    stream.unmute()
    stream.showProgress(at: .milliseconds(151)) { "e" }
    #expect(errors.text == "\ra\u{1B}[K\rc\u{1B}[K\r\u{1B}[K\re\u{1B}[K")
  }

  @Test func progressIsNotWrittenToPipe() {
    let stream = ErrorStream(errors)
    stream.showProgress(at: .zero) { "half" }
    stream.clearProgress()
    #expect(errors.text == "")
  }

  @Test func messageErasesProgress() throws {
    let stream = terminal()
    stream.showProgress(at: .zero) { "half" }
    stream.report("a message")
    try stream.write("a question? ")
    stream.clearProgress()
    #expect(errors.text == "\rhalf\u{1B}[K\r\u{1B}[Khw: a message\na question? ")
  }

  @Test func messagesAreDiscardedOnMutedTerminalOnly() {
    for (stream, expected) in [
      (terminal(), "hw: after\n"), (ErrorStream(errors), "hw: after\nhw: during\nhw: after\n"),
    ] {
      stream.mute()
      stream.report("during")
      stream.unmute()
      stream.report("after")
      #expect(errors.text == expected)
    }
  }

  /// The text is written before.
  @Test func textIsWrittenBeforeInterruptionIsReported() async {
    await #expect(processExitsWith: .success) {
      let sink = MemorySink()
      let stream = ErrorStream(sink)
      // As its signal.
      let interrupted = TerminalDevice.noteHangUp()
      #expect(throws: interrupted) { try stream.write("a question? ") }
      #expect(sink.text == "a question? ")
    }
  }

  /// A log is read on a terminal later, and each message is one line of it.
  @Test func messagesAreCleaned() {
    terminal().report("a\u{1B}[2Jb")
    ErrorStream(errors).report("a\u{1B}[2Jb\r\nhw: c")
    #expect(errors.text == "hw: a�[2Jb\nhw: a�[2Jb��hw: c\n")
  }

  /// Lines of several threads never mix, and no color sequence is lost between them.
  @Test func linesOfThreadsDoNotMix() throws {
    let sink = MemorySink()
    let stream = ErrorStream(ColorSink(sink, .palette), isTerminal: true, columns: { 80 })
    let works = try (0..<4).map { _ in
      try BackgroundWork<Int, Void> { (number: Int) in
        for step in 0..<100 {
          stream.report("thread \(number) line \(step)")
          stream.showProgress(at: .seconds(step)) { "progress \(step)" }
        }
      }
    }
    for (number, work) in works.enumerated() { work.submit(number) }
    for work in works { work.awaitNext() }
    stream.clearProgress()
    let text = sink.text.replacing("\r\u{1B}[K", with: "")
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: "\u{1B}[K").last.map(String.init) ?? ""
    }.filter { $0.hasPrefix("hw: ") }
    #expect(lines.count == 400)
    #expect(lines.allSatisfy { $0.wholeMatch(of: /hw: thread \d line \d+/) != nil })
  }
}
