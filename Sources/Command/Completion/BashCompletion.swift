/// The completion script for bash, of which version 4 and later have all it uses.
struct BashCompletion {
  let program: Program

  var text: String {
    let name = program.name
    return """
      # bash completion for \(name); made from its table of commands by '\(name) completions bash'.
      # shellcheck shell=bash

      # Prints what may be typed in a place: 'PATH' for words, 'PATH --' for options, 'PATH --OPTION' for its values.
      # '<files>', '<folders>' and '<list>' tell how to complete.
      _\(name)_words() {
        case $1 in
      \(cases.joined(separator: "\n"))
        esac
      }

      # True when the value of option $1 is the word after it.
      _\(name)_takes_value() {
        case $1 in
          \(table.valued.joined(separator: " | "))) return 0 ;;
          *) [[ $1 =~ \(table.valuedBundle) ]] ;;
        esac
      }

      # What completes the value of option $2 in place $1.
      _\(name)_values() {
        local words
        words=$(_\(name)_words "$1 $2")
        echo "${words:-$(_\(name)_words " $2")}"
      }

      _\(name)() {
        local current previous path word i words before
        COMPREPLY=()
        current=${COMP_WORDS[COMP_CWORD]}
        previous=${COMP_WORDS[COMP_CWORD - 1]}
        path=
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ $word == = ]]; then
            ((i++))
          elif [[ $word == -* ]]; then
            [[ ${COMP_WORDS[i + 1]} != = ]] && _\(name)_takes_value "$word" && ((i++))
          elif [[ -n $(_\(name)_words "${path:+$path }$word ?") ]]; then
            path="${path:+$path }$word"
          fi
        done
        # COMP_WORDBREAKS makes '--option=value' three words.
        if [[ $current == = ]]; then
          current=
          words=$(_\(name)_values "$path" "$previous")
        elif [[ $previous == = ]]; then
          words=$(_\(name)_values "$path" "${COMP_WORDS[COMP_CWORD - 2]}")
        elif _\(name)_takes_value "$previous"; then
          [[ $previous == --* ]] || previous=-${previous: -1}
          words=$(_\(name)_values "$path" "$previous")
        elif [[ $current == -* ]]; then
          words="$(_\(name)_words "$path --") $(_\(name)_words ' --')"
        else
          words=$(_\(name)_words "$path")
        fi
        case $words in
          '<files>') mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
          '<folders>') mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
          '<list> '*)
            # Only the part after the last comma is completed.
            before=
            [[ $current == *,* ]] && before=${current%,*},
            mapfile -t COMPREPLY < <(compgen -P "$before" -W "${words#<list> }" -- "${current##*,}")
            compopt -o nospace 2>/dev/null
            ;;
          *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
        esac
      }

      complete -F _\(name) \(program.name)

      """
  }

  private var table: CompletionTable { CompletionTable(program) }

  private var cases: [String] {
    let table = table
    var lines: [String] = []
    func line(_ key: String, _ words: [String]) {
      guard !words.isEmpty else { return }
      lines.append("    \(key.shellQuoted)) echo \(words.joined(separator: " ").shellQuoted) ;;")
    }
    func options(_ path: String, _ offers: [CompletionTable.Offer]) {
      line("\(path) --", offers.map(\.long))
      let valued = offers.filter { $0.valueName != nil }
      for offer in valued {
        let words = offered(offer.words, offer.completion)
        for spelling in offer.spellings { line("\(path) \(spelling)", words) }
      }
    }
    for entry in table.entries {
      line(entry.path, offered(entry.words, entry.completion))
      if !entry.path.isEmpty { line("\(entry.path) ?", ["known"]) }
      options(entry.path, entry.options)
    }
    options("", table.standard)
    return lines
  }

  private func offered(_ words: [Choice], _ completion: Completion) -> [String] {
    let names = words.map(\.name)
    return switch completion {
    case .files: ["<files>"]
    case .folders: ["<folders>"]
    case .fields: names.isEmpty ? [] : ["<list>"] + names
    case .none, .commands, .subjects: names
    }
  }
}
