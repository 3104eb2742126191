import TestSupport

/// The programs that a shell line starts, as far as lines of tests use the shell's grammar.
enum ShellPrograms {
  /// The word at each position of a command: after the beginning, a line break, `|`, `;`, `&`, `(`, `$(`, `{`, a keyword
  /// or a program that starts another. Functions of the line are left out.
  static func names(in line: String) -> [String] {
    var scanner = Scanner(Array(line))
    scanner.scan()
    return scanner.programs.filter { !scanner.functions.contains($0) }
  }

  /// The tools that a line needs besides what every machine has.
  static func tools(in line: String) -> [Tool] {
    let names = names(in: line)
    return Tool.allCases.filter { !$0.programs.filter(names.contains).isEmpty }
  }

  /// The words after `name` in every call of it.
  static func calls(of name: String, in line: String) -> [[String]] {
    var scanner = Scanner(Array(line))
    scanner.scan()
    return scanner.commands.filter { $0.first == name }.map { Array($0.dropFirst()) }
  }

  /// They are followed by a command.
  private static let prefixes: Set = [
    "if", "then", "elif", "else", "while", "until", "do", "!", "exec", "env", "xargs", "command", "nohup",
    "time", "timeout", "setsid",
  ]
  private static let shells: Set = ["sh", "bash", "zsh", "dash"]

  private struct Scanner {
    let text: [Character]
    var at = 0
    var programs: [String] = []
    /// The commands with their words, but for prefixes and what is redirected.
    var commands: [[String]] = []
    var functions: Set<String> = []
    private var word: String?
    /// The words of the command so far, without its prefixes.
    private var words: [String] = []
    /// A prefix stands before the next word, so that its options and assignments may too.
    private var isPrefixed = false
    /// Its input gives the command more words.
    private var isAfterXargs = false
    private var isRedirected = false
    private var hereDocuments: [String] = []

    init(_ text: [Character]) { self.text = text }

    private var next: Character? { at + 1 < text.count ? text[at + 1] : nil }

    mutating func scan() {
      while at < text.count {
        let character = text[at]
        switch character {
        case "\\":
          append(next.map(String.init) ?? "")
          at += 1
        case "'", "\"": quote(character)
        case "$": dollar()
        case "#" where word == nil: while at + 1 < text.count, text[at + 1] != "\n" { at += 1 }
        case "<", ">": redirect()
        case " ", "\t": endWord()
        case "{", "}": if word != nil { append(String(character)) } else { endCommand() }
        case "(" where word != nil && next == ")":
          functions.insert(word ?? "")
          word = nil
          at += 1
        case "\n", ";", "|", "&", "(", ")":
          endCommand()
          if character == "\n" { skipHereDocuments() }
        default: append(String(character))
        }
        at += 1
      }
      endCommand()
    }

    private mutating func append(_ text: String) { word = (word ?? "") + text }

    private mutating func endCommand() {
      endWord()
      endWords()
      isPrefixed = false
      isRedirected = false
    }

    private mutating func endWords() {
      if !words.isEmpty, !isAfterXargs { commands.append(words) }
      words = []
      isAfterXargs = false
    }

    /// What a shell runs of a quoted script or a substitution.
    private mutating func scan(_ script: String) {
      var scanner = Scanner(Array(script))
      scanner.scan()
      programs += scanner.programs.filter { !scanner.functions.contains($0) }
      commands += scanner.commands
    }

    private mutating func endWord() {
      guard let word else { return }
      self.word = nil
      if isRedirected {
        isRedirected = false
      } else if !words.isEmpty {
        // What `hw serve` starts.
        if word == "--", words.first == "hw", words.contains("serve") {
          endWords()
        } else {
          words.append(word)
        }
      } else if word.firstMatch(of: /^[A-Za-z_][A-Za-z_0-9]*=/) != nil {
        // An assignment before the command.
      } else if isPrefixed,
        word.hasPrefix("-") || word.first?.isNumber == true
          || word.allSatisfy({ $0.isUppercase || $0 == "_" })
      {
        // An option of the prefix, its number of seconds, or the name of a variable or a signal.
      } else {
        programs.append(word)
        isPrefixed = ShellPrograms.prefixes.contains(word)
        if word == "xargs" { isAfterXargs = true }
        if !isPrefixed { words = [word] }
      }
    }

    private mutating func quote(_ mark: Character) {
      var quoted = ""
      at += 1
      while at < text.count, text[at] != mark {
        if mark == "\"", text[at] == "\\" { at += 1 } else if mark == "\"", text[at] == "$" { dollar() }
        if at < text.count { quoted.append(text[at]) }
        at += 1
      }
      // What a shell is given with `-c`, or as one of several options with it.
      if let option = words.last, option.hasPrefix("-"), option.hasSuffix("c"),
        !ShellPrograms.shells.isDisjoint(with: words)
      {
        scan(quoted)
      }
      append(quoted)
    }

    /// `$(…)`, `$((…))`, `${…}` or a variable; ends on its last character.
    private mutating func dollar() {
      append("$")
      guard next == "(" || next == "{" else { return }
      let isCommand = next == "(" && !(at + 2 < text.count && text[at + 2] == "(")
      let start = at + 2
      var depth = 0
      repeat {
        at += 1
        guard at < text.count else { return }
        if "({".contains(text[at]) { depth += 1 } else if ")}".contains(text[at]) { depth -= 1 }
      } while depth > 0
      if isCommand { scan(String(text[start..<at])) }
    }

    private mutating func redirect() {
      if word?.allSatisfy(\.isNumber) == true { word = nil }
      endWord()
      isRedirected = true
      if text[at] == "<", next == "<" {
        hereDocuments.append(String(text[(at + 2)...].drop { "-'\" ".contains($0) }.prefix { $0.isLetter }))
      }
      // `>&-` has no word after it.
      while let next, "<>&|-".contains(next) {
        at += 1
        if next == "-" { isRedirected = false }
      }
    }

    private mutating func skipHereDocuments() {
      for end in hereDocuments {
        var line = ""
        repeat {
          line = String(text[min(at + 1, text.count)...].prefix { $0 != "\n" })
          at += line.count + 1
        } while at < text.count && line.trimmingPrefix(while: \.isWhitespace) != end
      }
      hereDocuments = []
    }
  }
}
