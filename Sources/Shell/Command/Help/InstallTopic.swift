extension Topic {
  /// The recipe is run by a test, into a prefix of its own.
  static func install(_ program: Program) -> Topic {
    Topic(
      name: "install", title: "Installation",
      summary: "Installing under a prefix of your choice, and removing it",
      blocks: [
        .paragraph(
          """
          hw is a self-contained binary that prints its manual pages and completions. After 'swift build -c \
          release' in the source:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "built=.build/release/\(program.name)",
            "install -d \"$prefix/bin\" \"$prefix/share/man/man1\" \"$prefix/share/man/man7\"",
            "install -m 755 \"$built\" \"$prefix/bin/\(program.name)\"",
            "for page in $(\"$built\" help --pages); do",
            "  \"$built\" help --man ${page%.*} >\"$prefix/share/man/man${page##*.}/$page\"",
            "done",
          ] + Shell.allCases.map { "install -d \"$prefix/share/\($0.folder)\"" }
            + Shell.allCases.map { "\"$built\" completions \($0) >\"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          Then $prefix/bin has to be on PATH, for zsh also $prefix/share/zsh/site-functions in fpath before compinit. \
          'hw check' with --self checks the installation. To remove it:
          """),
        .literal(
          [
            "prefix=$HOME/.local",
            "for page in $(\"$prefix/bin/\(program.name)\" help --pages); do",
            "  rm -f \"$prefix/share/man/man${page##*.}/$page\"",
            "done",
            "rm -f \"$prefix/bin/\(program.name)\"",
          ] + Shell.allCases.map { "rm -f \"$prefix/share/\($0.scriptPath)\"" }),
        .paragraph(
          """
          Your data is not removed: configuration, databases, snapshots and cached responses are in the directories hw below \
          ~/.config, ~/.local/share, ~/.local/state and ~/.cache, or below those of the XDG variables.
          """),
      ])
  }
}

extension Shell {
  /// Folder that the shell searches for completion scripts, below PREFIX/share.
  var folder: String {
    switch self {
    case .bash: "bash-completion/completions"
    case .zsh: "zsh/site-functions"
    case .fish: "fish/vendor_completions.d"
    }
  }

  /// Path of the completion script, below PREFIX/share.
  public var scriptPath: String {
    switch self {
    case .bash: "\(folder)/hw"
    case .zsh, .fish: "\(folder)/\(fileName)"
    }
  }
}
