public enum Shell: String, ChoiceValue {
  case bash, zsh, fish

  public var meaning: String {
    switch self {
    case .bash: "for a folder such as ~/.local/share/bash-completion/completions, as hw"
    case .zsh: "for a folder of $fpath, as _hw"
    case .fish: "for ~/.config/fish/completions, as hw.fish"
    }
  }

  public var fileName: String {
    switch self {
    case .bash: "hw.bash"
    case .zsh: "_hw"
    case .fish: "hw.fish"
    }
  }

  public func script(for program: Program) -> String {
    switch self {
    case .bash: program.bashCompletion
    case .zsh: program.zshCompletion
    case .fish: program.fishCompletion
    }
  }
}
