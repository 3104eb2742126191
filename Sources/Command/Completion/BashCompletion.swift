/// The completion script for bash, of which version 4 and later have all it uses.
struct BashCompletion {
  let program: Program

  var text: String {
    let name = program.name
    return """
      # bash completion for \(name); made from its table of commands by '\(name) completions bash'.
      # shellcheck shell=bash

      # Prints what may be typed in a place: 'PATH 1' for its first operand, 'PATH --' for options, 'PATH --OPTION' for
      # its values. '<files>', '<folders>', '<list>' and '<ask KIND>' tell how to complete.
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

      # Offers the words of lines, each with its meaning behind a tab, that begin as $1 does.
      _\(name)_offer() {
        local word prefix=${1//\\\\/}
        while IFS=$'\\t' read -r word _; do
          if [[ $1 == [\\"\\']* ]]; then
            [[ $word == "${prefix:1}"* ]] && COMPREPLY+=("$word")
          else
            [[ $word == "$prefix"* ]] && COMPREPLY+=("$(printf %q "$word")")
          fi
        done
      }

      _\(name)() {
        local current previous path word i words before kind operand=1
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
          elif [[ $operand == 1 && -n $(_\(name)_words "${path:+$path }$word ?") ]]; then
            path="${path:+$path }$word"
          elif [[ -z $path ]] && type -P "\(name)-$word" >/dev/null; then
            _\(name)_offer "$current" < <(
              "\(name)-$word" --hw-complete "${COMP_WORDS[@]:i+1:COMP_CWORD-i}" </dev/null 2>/dev/null)
            return
          else
            ((operand++))
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
          words=$(_\(name)_words "$path $operand")
        fi
        # What only \(name) itself knows; it is told the word before.
        if [[ $words == '<ask '* ]]; then
          words=${words#<ask }
          kind=${words%%>*}
          words=${words#*>}
          [[ $previous == [-=]* ]] && previous=
          _\(name)_offer "$current" < <(
            command \(name) completions --words "$kind" ${previous:+"--after=$previous"} 2>/dev/null)
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
          *)
            while read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")
            ;;
        esac
      }

      complete -F _\(name) \(program.name)

      """
  }

  private var table: CompletionTable { CompletionTable(program) }

  private var cases: [String] {
    let table = table
    var lines: [String] = []
    func line(_ key: String, _ words: [String], orMore: Bool = false) {
      guard !words.isEmpty else { return }
      // The number of an operand that may be given again: any from this one on.
      let pattern = orMore ? "\(String(key.dropLast()).shellQuoted)[0-9]*" : key.shellQuoted
      lines.append("    \(pattern)) echo \(words.joined(separator: " ").shellQuoted) ;;")
    }
    func options(_ path: String, _ offers: [CompletionTable.Offer]) {
      line("\(path) --", offers.map(\.long))
      let valued = offers.filter { $0.valueName != nil }
      for offer in valued {
        for spelling in offer.spellings { line("\(path) \(spelling)", offered(offer.value)) }
      }
    }
    for entry in table.entries {
      for (index, operand) in entry.operands.enumerated() {
        let isLast = index == entry.operands.count - 1
        line("\(entry.path) \(index + 1)", offered(operand), orMore: isLast && entry.isRepeated)
      }
      if !entry.path.isEmpty { line("\(entry.path) ?", ["known"]) }
      options(entry.path, entry.options)
    }
    options("", table.standard)
    return lines
  }

  private func offered(_ value: CompletionTable.Value) -> [String] {
    let names = value.words.map(\.name)
    return switch value.completion {
    case .files: ["<files>"]
    case .folders: ["<folders>"]
    case .fields: names.isEmpty ? [] : ["<list>"] + names
    case .words(let source): ["<ask \(source.name)>"] + names
    case .none, .commands, .subjects: names
    }
  }
}
