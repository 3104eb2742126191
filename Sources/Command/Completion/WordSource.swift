import HTTP
import Server
import System

/// Words that completion offers and only a running hw knows: ids of what is kept, names in the last answer. They come
/// from what is on this machine, never from the network: whoever presses a key does not wait for a service.
public struct WordSource: Sendable {
  /// What the completion scripts ask for: `node-aliases`.
  public let name: String
  /// What the words are, as a phrase.
  public let meaning: String
  let words: @Sendable (Context, _ after: String?) throws(Failure) -> [Choice]

  /// `after` is the word before the one that is typed.
  public init(
    _ name: String, _ meaning: String,
    words: @escaping @Sendable (Context, _ after: String?) throws(Failure) -> [Choice]
  ) {
    self.name = name
    self.meaning = meaning
    self.words = words
  }

  /// The words of something that a service knows; the endpoint answers without a network, or fails.
  public init(
    _ name: String, _ meaning: String, of service: Service,
    words: @escaping @Sendable (Endpoint) throws(Failure) -> [Choice]
  ) {
    self.init(name, meaning) { context, _ throws(Failure) in
      try words(context.asking(service.suite).offlineEndpoint(service))
    }
  }

  /// The plug-ins on `PATH`.
  static let plugIns = WordSource("plugins", "the names of the plug-ins") { context, _ in
    context.plugIns.map { Choice($0, "a plug-in") }
  }
}

extension Program {
  /// Every source there is, once: whatever an operand or an option is completed with.
  public var wordSources: [WordSource] {
    var sources = [WordSource.plugIns]
    for (_, command) in allCommands {
      let values = command.operands.map(\.declaration.value) + command.options.compactMap(\.declaration.value)
      for value in values {
        guard case .words(let source) = value.completion else { continue }
        if !sources.contains(where: { $0.name == source.name }) { sources.append(source) }
      }
    }
    return sources
  }
}

extension Context {
  /// The words of that source on a line that is being typed: what it says of the service counts. One with a control character in it cannot be typed, and is left out.
  public func words(
    of source: WordSource, after: String?, on line: [String]
  ) throws(Failure) -> [Choice] {
    try source.words(typed(line), after).filter { word in
      !word.name.isEmpty && !word.name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
  }
}
