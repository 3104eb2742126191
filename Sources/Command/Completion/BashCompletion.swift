import System

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

      # Sets 'quote' to the quote that the word $1 begins with, if any, and 'prefix' to the text after it. Fails if there
      # is another quote in the word: the shell would replace a part of it only.
      _\(name)_unquote() {
        local i char rest=$1
        quote='' prefix=''
        if [[ $rest == [\\"\\']* ]]; then
          quote=${rest:0:1}
          rest=${rest:1}
        fi
        for ((i = 0; i < ${#rest}; i++)); do
          char=${rest:i:1}
          if [[ $char == \\\\ && $quote != \\' ]]; then
            char=${rest:i+1:1}
            # Between double quotes, other characters keep the backslash.
            [[ $quote == \\" && $char != [\\\\\\"\\$\\`] ]] && prefix+=\\\\
            ((i++))
          elif [[ $char == [\\"\\'] && ($quote == '' || $char == "$quote") ]]; then
            return 1
          fi
          prefix+=$char
        done
      }

      # Offers the words of lines, each with its meaning behind a tab, that begin as $1 does, escaped for its quote. A
      # word that would begin with the quote itself is left out: readline takes the two for one.
      _\(name)_offer() {
        local word quote prefix
        _\(name)_unquote "$1" || return
        while IFS=$'\\t' read -r word _; do
          [[ $word == "$prefix"* ]] || continue
          case $quote in
            \\')
              [[ $word == \\'* ]] && continue
              word=${word//\\'/"'\\\\''"}
              ;;
            \\")
              [[ $word == !* ]] && continue
              word=${word//\\\\/"\\\\\\\\"}
              word=${word//\\"/'\\"'}
              word=${word//\\$/'\\$'}
              word=${word//\\`/'\\`'}
              # Of history; it has no escape between double quotes.
              word=${word//!/'"\\!"'}
              ;;
            # Into a variable: a process for each word would take longer than hw itself.
            *) printf -v word %q "$word" ;;
          esac
          COMPREPLY+=("$word")
        done
      }

      # Offers the files, or with -d the directories, that begin as $2 does. The shell escapes the names of files.
      _\(name)_files() {
        local quote prefix
        _\(name)_unquote "$2" || return
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$1" -- "$prefix")
      }

      # Sets 'line' to the words up to the cursor, as the shell would read them: COMP_WORDS is parted at the signs of
      # COMP_WORDBREAKS as well, at '=' and ':' among others.
      _\(name)_line() {
        local i part rest=${COMP_LINE:0:COMP_POINT}
        line=()
        for ((i = 0; i <= COMP_CWORD; i++)); do
          part=${COMP_WORDS[i]}
          if [[ $i -gt 0 && -n $rest && $rest != [[:blank:]]* ]]; then
            line[${#line[@]} - 1]+=$part
          else
            line+=("$part")
          fi
          rest=${rest#"${rest%%[![:blank:]]*}"}
          rest=${rest#"$part"}
        done
      }

      # Sets 'expansion' to the words of the alias $1; fails if there is none.
      _\(name)_expand() {
        local part
        expansion=()
        while IFS=$'\\t' read -r part _; do
          expansion+=("$part")
        done < <(command \(name) completions --words alias-words --after="$1" </dev/null 2>/dev/null)
        [[ ${#expansion[@]} -gt 0 ]]
      }

      _\(name)() {
        local current previous path word i words before kind last operand=1 expanded=
        local -a line typed expansion
        COMPREPLY=()
        _\(name)_line
        last=$((${#line[@]} - 1))
        current=${line[last]}
        previous=${line[last - 1]}
        path=
        for ((i = 1; i < last; i++)); do
          word=${line[i]}
          if [[ $word == --*=* ]]; then
            continue
          elif [[ $word == -* ]]; then
            _\(name)_takes_value "$word" && ((i++))
          elif [[ $operand == 1 && -n $(_\(name)_words "${path:+$path }$word ?") ]]; then
            path="${path:+$path }$word"
          elif [[ -z $path$expanded ]] && _\(name)_expand "$word"; then
            line=("${line[@]:0:i}" "${expansion[@]}" "${line[@]:i+1}")
            last=$((${#line[@]} - 1))
            previous=${line[last - 1]}
            expanded=1
            ((i--))
          elif [[ -z $path ]] && type -P "\(name)-$word" >/dev/null; then
            _\(name)_offer "$current" < <(
              "\(name)-$word" --hw-complete "${line[@]:i+1:last-i}" </dev/null 2>/dev/null)
            _\(name)_keep "$current"
            return
          else
            ((operand++))
          fi
        done
        if [[ $current == --*=* ]]; then
          words=$(_\(name)_values "$path" "${current%%=*}")
          current=${current#*=}
          previous=
        elif _\(name)_takes_value "$previous"; then
          [[ $previous == --* ]] || previous=-${previous: -1}
          words=$(_\(name)_values "$path" "$previous")
        elif [[ $current == -* ]]; then
          words="$(_\(name)_words "$path --") $(_\(name)_words ' --')"
        else
          words=$(_\(name)_words "$path $operand")
        fi
        # What only \(name) itself knows; it is told the word before, and the line, which may name a service.
        if [[ $words == '<ask '* ]]; then
          words=${words#<ask }
          kind=${words%%>*}
          words=${words#*>}
          [[ $previous == -* ]] && previous=
          typed=("${line[@]:1:last-1}")
          _\(name)_offer "$current" < <(
            command \(name) completions --words "$kind" ${previous:+"--after=$previous"} \\
              "${typed[@]/#/--line=}" </dev/null 2>/dev/null)
        fi
        case $words in
          '<files>') _\(name)_files -f "$current" ;;
          '<folders>') _\(name)_files -d "$current" ;;
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
        _\(name)_keep "$current"
      }

      # Takes off what readline leaves as it stands of the word $1: all before the last sign that parts words.
      _\(name)_keep() {
        local piece=${COMP_WORDS[COMP_CWORD]} kept
        kept=${1%"$piece"}
        [[ $piece == [=:] ]] && kept=$1
        [[ -z $kept ]] || COMPREPLY=("${COMPREPLY[@]#"$kept"}")
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
      let pattern = orMore ? "\(ShellWord(String(key.dropLast())).quoted)[0-9]*" : ShellWord(key).quoted
      lines.append("    \(pattern)) echo \(ShellWord(words.joined(separator: " ")).quoted) ;;")
    }
    func options(_ path: String, _ candidates: [CompletionTable.Candidate]) {
      line("\(path) --", candidates.map(\.long))
      let valued = candidates.filter { $0.valueName != nil }
      for candidate in valued {
        for spelling in candidate.spellings { line("\(path) \(spelling)", words(for: candidate.value)) }
      }
    }
    for entry in table.entries {
      for (index, operand) in entry.operands.enumerated() {
        let isLast = index == entry.operands.count - 1
        line("\(entry.path) \(index + 1)", words(for: operand), orMore: isLast && entry.isRepeated)
      }
      if !entry.path.isEmpty { line("\(entry.path) ?", ["known"]) }
      options(entry.path, entry.options)
    }
    options("", table.standard)
    return lines
  }

  private func words(for value: CompletionTable.Value) -> [String] {
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
