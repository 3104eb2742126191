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
        local -a options words_here standard
        standard=(
      \(specs(table.standard.filter { $0.long != "--fields" }, indent: "      "))
        )
        _\(name)_place ''
        for ((i = 2; i < CURRENT; i++)); do
          word=${words[i]}
          if [[ $word == -* ]]; then
            # The value may be the next word.
            [[ $word == (\(table.valued.joined(separator: "|"))) || $word =~ '\(table.valuedBundle)' ]] && ((i++))
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

  private var table: CompletionTable { CompletionTable(program) }

  private var cases: [String] {
    table.entries.map { entry in
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
      case .none, .fields, .commands, .subjects: break
      }
      return (lines + ["      ;;"]).joined(separator: "\n")
    }
  }

  /// One line an option and spelling.
  private func specs(_ offers: [CompletionTable.Offer], indent: String) -> String {
    offers.flatMap { offer in
      offer.spellings.map { spelling in
        let equals = offer.valueName != nil && spelling.hasPrefix("--") ? "=" : ""
        return indent + "*\(spelling)\(equals)[\(escaped(offer.summary))]\(action(offer))".shellQuoted
      }
    }.joined(separator: "\n")
  }

  private func action(_ offer: CompletionTable.Offer) -> String {
    guard let valueName = offer.valueName else { return "" }
    let name = escaped(valueName).replacing(":", with: "\\:")
    return switch offer.completion {
    case .files: ":\(name):_files"
    case .folders: ":\(name):_files -/"
    case .fields: ":\(name):_values -s , \(valueName) \(valueWords(offer))"
    case .none, .commands, .subjects:
      offer.words.isEmpty ? ":\(name): " : ":\(name):((\(choiceWords(offer))))"
    }
  }

  /// The choices as `_arguments` has them with their meanings.
  private func choiceWords(_ offer: CompletionTable.Offer) -> String {
    offer.words.map { "\($0.name)\\:\($0.meaning.replacing(":", with: "\\:").shellQuoted)" }.joined(
      separator: " ")
  }

  /// The fields as `_values` has them, which knows how to go on after a comma.
  private func valueWords(_ offer: CompletionTable.Offer) -> String {
    offer.words.map { "\($0.name)[\(escaped($0.meaning).replacing(":", with: "\\:"))]".shellQuoted }
      .joined(separator: " ")
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}
