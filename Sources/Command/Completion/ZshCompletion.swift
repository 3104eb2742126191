import System

/// The completion function for zsh, for a folder of `fpath`.
struct ZshCompletion {
  let program: Program

  var text: String {
    let name = program.name
    return """
      #compdef \(name)
      # zsh completion for \(name); made from its table of commands by '\(name) completions zsh'.

      # Sets what may be typed in the place $1: 'options' as _arguments wants them, 'words', and 'also' (files, folders).
      _\(name)_place() {
        options=() words_here=() also=
        case $1 in
      \(cases.joined(separator: "\n"))
          *) return 1 ;;
        esac
      }

      # Offers the words of the place; _arguments calls it for whatever is no option.
      _\(name)_words() {
        [[ -n $words_here ]] && _describe -t commands word words_here
        [[ $also == files ]] && _files
        [[ $also == folders ]] && _files -/
        return 0
      }

      _\(name)() {
        local place= word= also= i
        local -a options words_here standard valued
        standard=(
      \(specs(CompletionTable(program).standard.filter { $0.long != "--fields" }, indent: "      "))
        )
        _\(name)_place ''
        for ((i = 2; i < CURRENT; i++)); do
          word=${words[i]}
          if [[ $word == -* ]]; then
            # An option whose description is followed by a colon takes the next word.
            valued=(${(M)options:#*$word\\[*\\]:*} ${(M)standard:#*$word\\[*\\]:*})
            [[ $word != *=* && -n $valued ]] && ((i++))
          elif _\(name)_place "${place:+$place }$word"; then
            place="${place:+$place }$word"
          else
            _\(name)_place "$place"
          fi
        done
        _arguments -s -S : $options $standard '*: :_\(name)_words'
      }

      _\(name) "$@"

      """
  }

  private var cases: [String] {
    CompletionTable(program).entries.map { entry in
      var lines = ["    \(entry.path.shellQuoted))"]
      if !entry.options.isEmpty {
        lines += ["      options=(", specs(entry.options, indent: "        "), "      )"]
      }
      if !entry.words.isEmpty {
        let words = entry.words.map {
          "        " + "\($0.name.replacing(":", with: "\\:")):\($0.meaning)".shellQuoted
        }
        lines += ["      words_here=(", words.joined(separator: "\n"), "      )"]
      }
      switch entry.completion {
      case .files: lines.append("      also=files")
      case .folders: lines.append("      also=folders")
      case .none, .fields, .commands: break
      }
      return (lines + ["      ;;"]).joined(separator: "\n")
    }
  }

  /// One line an option and spelling, so that the walk over the words can find any of them.
  private func specs(_ offers: [CompletionTable.Offer], indent: String) -> String {
    offers.flatMap { offer in
      offer.spellings.map { spelling in
        let equals = offer.placeholder != nil && spelling.hasPrefix("--") ? "=" : ""
        return indent + "*\(spelling)\(equals)[\(escaped(offer.summary))]\(action(offer))".shellQuoted
      }
    }.joined(separator: "\n")
  }

  private func action(_ offer: CompletionTable.Offer) -> String {
    guard let placeholder = offer.placeholder else { return "" }
    let name = escaped(placeholder).replacing(":", with: "\\:")
    let words = offer.words.map(\.name).joined(separator: " ")
    return switch offer.completion {
    case .files: ":\(name):_files"
    case .folders: ":\(name):_files -/"
    case .fields: ":\(name):_sequence compadd - \(words)"
    case .none, .commands: words.isEmpty ? ":\(name): " : ":\(name):(\(words))"
    }
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}
