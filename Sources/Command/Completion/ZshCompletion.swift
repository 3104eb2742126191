import System

/// The completion function for zsh, for a folder of `fpath`.
struct ZshCompletion {
  let program: Program

  var text: String {
    let name = program.name
    return """
      #compdef \(name)
      # zsh completion for \(name); made from its table of commands by '\(name) completions zsh'.

      # Sets the options of the place $1, as _arguments wants them; fails where there is no such place.
      _\(name)_place() {
        options=()
        case $1 in
      \(places.joined(separator: "\n"))
          *) return 1 ;;
        esac
      }

      # Sets what may be typed for the operand $2 of the place $1: words, and 'also' (files, folders, or what to ask for).
      _\(name)_operand() {
        words_here=() also=
        case "$1 $2" in
      \(operands.joined(separator: "\n"))
        esac
      }

      # Offers lines of a word and, behind a tab, its meaning. _describe reads escapes in them.
      _\(name)_offer() {
        local line word
        local -a offered
        while IFS= read -r line; do
          word=${line%%$'\\t'*}
          word=${word//\\\\/\\\\\\\\}
          offered+=("${word//:/\\\\:}:${line#*$'\\t'}")
        done
        _describe -t words word offered
      }

      # Offers the words that only \(name) itself knows; it is told the word before, and the line, which may name a service.
      _\(name)_ask() {
        _\(name)_offer < <(command \(name) completions --words $1 --after="${words[CURRENT-1]}" \\
          "${(@)typed/#/--line=}" </dev/null 2>/dev/null)
      }

      # Offers what may stand for the operand; _arguments calls it for whatever is no option.
      _\(name)_words() {
        _\(name)_operand "$place" $operand
        [[ -n $words_here ]] && _describe -t commands word words_here
        case $also in
          files) _files ;;
          folders) _files -/ ;;
          ?*) _\(name)_ask $also ;;
        esac
        return 0
      }

      # Sets 'expansion' to the words of the alias $1; fails if there is none.
      _\(name)_expand() {
        local line
        expansion=()
        while IFS= read -r line; do
          expansion+=("${line%%$'\\t'*}")
        done < <(command \(name) completions --words alias-words --after="$1" </dev/null 2>/dev/null)
        (( $#expansion ))
      }

      _\(name)() {
        local place= word= also= expanded= i operand=1
        local -a expansion
        local -a typed=("${(@)words[2,CURRENT-1]}")
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
          elif ((operand == 1)) && _\(name)_place "${place:+$place }$word"; then
            place="${place:+$place }$word"
          elif [[ -z $place$expanded ]] && _\(name)_expand "$word"; then
            words=("${(@)words[1,i-1]}" "${(@)expansion}" "${(@)words[i+1,-1]}")
            ((CURRENT += $#expansion - 1))
            typed=("${(@)words[2,CURRENT-1]}")
            expanded=1
            ((i--))
          elif [[ -z $place ]] && (( $+commands[\(name)-$word] )); then
            _\(name)_offer < <(\(name)-$word --hw-complete "${(@)words[i+1,CURRENT]}" </dev/null 2>/dev/null)
            return
          else
            ((operand++))
            _\(name)_place "$place"
          fi
        done
        _arguments -s -S : $options $standard '*: :_\(name)_words'
      }

      _\(name) "$@"

      """
  }

  private var table: CompletionTable { CompletionTable(program) }

  private var places: [String] {
    table.entries.map { entry in
      let options = ["      options=(", specs(entry.options, indent: "        "), "      )"]
      return
        (["    \(ShellWord(entry.path).quoted))"] + (entry.options.isEmpty ? [] : options) + ["      ;;"])
        .joined(separator: "\n")
    }
  }

  private var operands: [String] {
    table.entries.flatMap { entry in
      entry.operands.enumerated().compactMap { index, operand in
        let isLast = index == entry.operands.count - 1
        let number = isLast && entry.isRepeated ? "<\(index + 1)->" : "\(index + 1)"
        var lines: [String] = []
        if !operand.words.isEmpty {
          let words = operand.words.map {
            "        " + ShellWord("\($0.name.replacing(":", with: "\\:")):\($0.meaning)").quoted
          }
          lines += ["      words_here=(", words.joined(separator: "\n"), "      )"]
        }
        switch operand.completion {
        case .files: lines.append("      also=files")
        case .folders: lines.append("      also=folders")
        case .words(let source): lines.append("      also=\(source.name)")
        case .none, .fields, .commands, .subjects: break
        }
        guard !lines.isEmpty else { return nil }
        return (["    \(ShellWord("\(entry.path) ").quoted)\(number))"] + lines + ["      ;;"]).joined(
          separator: "\n")
      }
    }
  }

  /// One line an option and spelling.
  private func specs(_ candidates: [CompletionTable.Candidate], indent: String) -> String {
    candidates.flatMap { candidate in
      candidate.spellings.map { spelling in
        let equals = candidate.valueName != nil && spelling.hasPrefix("--") ? "=" : ""
        return indent
          + ShellWord("*\(spelling)\(equals)[\(escaped(candidate.summary))]\(action(candidate))").quoted
      }
    }.joined(separator: "\n")
  }

  private func action(_ candidate: CompletionTable.Candidate) -> String {
    guard let valueName = candidate.valueName else { return "" }
    let name = escaped(valueName).replacing(":", with: "\\:")
    return switch candidate.value.completion {
    case .files: ":\(name):_files"
    case .folders: ":\(name):_files -/"
    case .fields: ":\(name):_values -s , \(valueName) \(valueWords(candidate))"
    case .words(let source): ":\(name):_\(program.name)_ask \(source.name)"
    case .none, .commands, .subjects:
      candidate.value.words.isEmpty ? ":\(name): " : ":\(name):((\(choiceWords(candidate))))"
    }
  }

  /// The choices as `_arguments` has them with their meanings.
  private func choiceWords(_ candidate: CompletionTable.Candidate) -> String {
    candidate.value.words.map { word in
      "\(word.name)\\:\(ShellWord(word.meaning.replacing(":", with: "\\:")).quoted)"
    }.joined(separator: " ")
  }

  /// The fields as `_values` has them, which knows how to go on after a comma.
  private func valueWords(_ candidate: CompletionTable.Candidate) -> String {
    candidate.value.words.map { word in
      ShellWord("\(word.name)[\(escaped(word.meaning).replacing(":", with: "\\:"))]").quoted
    }.joined(separator: " ")
  }

  private func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
  }
}
