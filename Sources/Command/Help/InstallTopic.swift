extension Topic {
  /// The recipe is run by a test, into a prefix of its own.
  static func install(_ program: Program) -> Topic {
    let pages = ManualPage.names(program).joined(separator: " ")
    return Topic(
      name: "install", title: "Installation",
      summary: "Installing under a prefix of your choice, and removing it",
      blocks: [
        .paragraph(
          """
          hw is one file, which runs wherever it lies; it makes its own manual and completions. After 'swift build -c \
          release' in the source:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "built=.build/release/\(program.name)",
            "install -d \"$prefix/bin\" \"$prefix/share/man/man1\"",
            "install -m 755 \"$built\" \"$prefix/bin/\(program.name)\"",
            "for page in \(pages); do",
            "  \"$built\" help --man $page >\"$prefix/share/man/man1/$page.1\"",
            "done",
          ] + Shell.allCases.map { "install -d \"$prefix/share/\($0.folder)\"" }
            + Shell.allCases.map { "\"$built\" completions \($0) >\"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          Then $prefix/bin has to be on PATH, for zsh also $prefix/share/zsh/site-functions in fpath before compinit. \
          'hw check' with --self says whether everything is in its place and of this version. To remove it:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "rm -f \"$prefix/bin/\(program.name)\"",
            "for page in \(pages); do",
            "  rm -f \"$prefix/share/man/man1/$page.1\"",
            "done",
          ] + Shell.allCases.map { "rm -f \"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          What hw keeps for you stays: configuration, databases, snapshots and copies lie in the folders hw below \
          ~/.config, ~/.local/share, ~/.local/state and ~/.cache, or where the XDG variables say.
          """),
      ])
  }
}

extension Shell {
  /// Where it looks for scripts, below PREFIX/share.
  var folder: String {
    switch self {
    case .bash: "bash-completion/completions"
    case .zsh: "zsh/site-functions"
    case .fish: "fish/vendor_completions.d"
    }
  }

  /// Its script, below PREFIX/share.
  public var scriptPath: String {
    switch self {
    case .bash: "\(folder)/hw"
    case .zsh, .fish: "\(folder)/\(fileName)"
    }
  }
}
