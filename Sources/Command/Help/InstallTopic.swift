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
        .subsection(title: "Packages", packages(program)),
      ])
  }

  /// For packagers; the tests follow it into a directory of their own.
  private static func packages(_ program: Program) -> [Block] {
    let name = program.name
    let folders = Shell.allCases.map { "\"$root/share/\($0 == .zsh ? "$zsh" : $0.folder)\"" }
    return [
      .paragraph(
        """
        A package contains the same files, and needs no installation script. The variable zsh depends on the \
        distribution:
        """),
      .items([
        Item("Debian", "zsh/vendor-completions; recommended packages: libcurl4, libsqlite3-0, libpq5"),
        Item("Fedora", "zsh/site-functions; recommended packages: libcurl, sqlite-libs, libpq"),
        Item("Arch", "zsh/site-functions; optional packages: curl, sqlite, postgresql-libs"),
      ]),
      .literal(
        [
          "umask 022",
          "DESTDIR=$PWD/package",
          "prefix=/usr",
          "zsh=zsh/site-functions",
          "built=.build/release/\(name)",
          "root=$DESTDIR$prefix",
          "install -Dm755 \"$built\" \"$root/bin/\(name)\"",
          "install -d \"$root/share/man/man1\" \"$root/share/man/man7\"",
          "for page in $(\"$built\" help --pages); do",
          "  \"$built\" help --man ${page%.*} >\"$root/share/man/man${page##*.}/$page\"",
          "done",
        ] + folders.map { "install -d \($0)" }
          + Shell.allCases.map { shell in
            shell == .zsh
              ? "\"$built\" completions zsh >\"$root/share/$zsh/\(shell.fileName)\""
              : "\"$built\" completions \(shell) >\"$root/share/\(shell.scriptPath)\""
          } + ["find \"$root\" -type f >\(name).files"]),
      .paragraph("The last line lists the files. This removes them again:"),
      .literal(["xargs -d '\\n' rm -f <\(name).files"]),
    ]
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
