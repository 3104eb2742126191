import System

/// The completion script for fish.
struct FishCompletion {
  let program: Program

  var text: String {
    let name = program.name
    return """
      # fish completion for \(name); made from its table of commands by '\(name) completions fish'.

      set -g __\(name)_places \(places)
      set -g __\(name)_valued \(table.valued.joined(separator: " "))

      # Prints the words of the line behind the program, a line each, with those of an alias in its place. The shell asks
      # for the place many times for one line, and hw is run once.
      function __\(name)_words
          set -l words (commandline -opc)[2..-1]
          set -l skip 0
          for i in (seq (count $words))
              set -l word $words[$i]
              if test $skip = 1
                  set skip 0
              else if contains -- $word $__\(name)_valued; or string match -qr -- '\(table.valuedBundle)' $word
                  set skip 1
              else if not string match -q -- '-*' $word
                  if not contains -- $word $__\(name)_places
                      if test "$__\(name)_expanded" != "$word "(commandline | string collect)
                          set -g __\(name)_expanded "$word "(commandline | string collect)
                          set -g __\(name)_expansion (command \(name) completions --words alias-words --after=$word </dev/null 2>/dev/null | string replace -r '\\t.*' '')
                      end
                      if set -q __\(name)_expansion[1]
                          set -l before
                          test $i -gt 1; and set before $words[1..(math $i - 1)]
                          set words $before $__\(name)_expansion $words[(math $i + 1)..-1]
                      end
                  end
                  break
              end
          end
          test (count $words) -gt 0; and printf '%s\\n' $words
      end

      # Prints the place the command line has come to, the suite and the command if they are typed yet; on a second
      # line, which operand of it comes next; for a plug-in, its name and the words behind it on lines of their own.
      function __\(name)_place
          set -l place
          set -l operand 1
          set -l skip 0
          set -l words (__\(name)_words)
          for i in (seq (count $words))
              set -l word $words[$i]
              if test $skip = 1
                  set skip 0
              else if contains -- $word $__\(name)_valued; or string match -qr -- '\(table.valuedBundle)' $word
                  set skip 1
              else if string match -q -- '-*' $word
                  continue
              else if test $operand = 1; and contains -- (string join ' ' $place $word) $__\(name)_places
                  set place $place $word
              else if test -z "$place"; and type -fq \(name)-$word
                  printf '%s\\n' plug-in - $word $words[(math $i + 1)..-1]
                  return
              else
                  set operand (math $operand + 1)
              end
          end
          printf '%s\\n' "$place" $operand
      end

      # Whether the command line has come to the place $argv[1], and to the operand $argv[2] of it ('2-' is 2 or more).
      function __\(name)_at
          set -l here (__\(name)_place)
          test "$here[1]" = "$argv[1]"; or return 1
          switch "$argv[2]"
              case ''
                  return 0
              case '*-'
                  test $here[2] -ge (string trim -r -c - -- $argv[2])
              case '*'
                  test $here[2] = $argv[2]
          end
      end

      # The words that only \(name) itself knows; it is told the word before, and the line, which may name a service.
      function __\(name)_ask
          command \(name) completions --words $argv[1] --after=(commandline -opc)[-1] --line=(commandline -opc)[2..-1] </dev/null 2>/dev/null
      end

      # The words that a plug-in offers.
      function __\(name)_plug_in
          set -l here (__\(name)_place)
          command \(name)-$here[3] --hw-complete $here[4..-1] (commandline -ct) </dev/null 2>/dev/null
      end

      # Completes a comma-separated list: what stands before the last comma stays.
      function __\(name)_list
          set -l before (string match -r -- '^(?:.*=)?(.*,)' (commandline -ct))[2]
          printf '%s\\n' "$before"$argv
      end

      complete -c \(name) -f
      complete -c \(name) -n '__\(name)_at plug-in' -a '(__\(name)_plug_in)'
      \(lines.joined(separator: "\n"))

      """
  }

  private var table: CompletionTable { CompletionTable(program) }

  private var places: String {
    table.entries.map(\.path).filter { !$0.isEmpty }.map(quoted).joined(separator: " ")
  }

  private var lines: [String] {
    var lines = table.standard.filter { $0.long != "--fields" }.map { option($0, condition: "") }
    for entry in table.entries {
      for (index, operand) in entry.operands.enumerated() {
        let isLast = index == entry.operands.count - 1
        let number = "\(index + 1)" + (isLast && entry.isRepeated ? "-" : "")
        let here =
          "complete -c \(program.name) -n " + quoted("__\(program.name)_at \(quoted(entry.path)) \(number)")
        lines += operand.words.map { "\(here) -a \(quoted($0.name)) -d \(quoted($0.meaning))" }
        switch operand.completion {
        case .files: lines.append("\(here) -F")
        case .folders: lines.append("\(here) -a '(__fish_complete_directories)'")
        case .words(let source): lines.append("\(here) -a '(__\(program.name)_ask \(source.name))'")
        case .none, .fields, .commands, .subjects: break
        }
      }
      let condition = " -n " + quoted("__\(program.name)_at \(quoted(entry.path))")
      lines += entry.options.map { option($0, condition: condition) }
    }
    return lines
  }

  private func option(_ candidate: CompletionTable.Candidate, condition: String) -> String {
    var line = "complete -c \(program.name)\(condition) -l \(candidate.long.dropFirst(2))"
    if let short = candidate.short { line += " -s \(short)" }
    // Behind the tab stands what fish shows beside the word.
    let words = candidate.value.words.map { "\($0.name)\\t\(quoted($0.meaning))" }.joined(separator: " ")
    if candidate.valueName != nil {
      switch candidate.value.completion {
      case .files: line += " -r -F"
      case .folders: line += " -x -a '(__fish_complete_directories)'"
      case .fields: line += " -x -a \(quoted("(__\(program.name)_list \(words))"))"
      case .words(let source): line += " -x -a '(__\(program.name)_ask \(source.name))'"
      case .none, .commands, .subjects: line += words.isEmpty ? " -x" : " -x -a \(quoted(words))"
      }
    }
    return line + " -d \(quoted(candidate.summary))"
  }

  /// A word of fish, in which only the backslash and the quote itself are special between single quotes.
  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
