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

      # Prints the place the command line has come to: the suite and the command, if they are typed yet.
      function __\(name)_place
          set -l place
          set -l skip 0
          for word in (commandline -opc)[2..-1]
              if test $skip = 1
                  set skip 0
              else if contains -- $word $__\(name)_valued; or string match -qr -- '\(table.valuedBundle)' $word
                  set skip 1
              else if string match -q -- '-*' $word
                  continue
              else if contains -- (string join ' ' $place $word) $__\(name)_places
                  set place $place $word
              end
          end
          string join ' ' $place
      end

      function __\(name)_at
          test "$(__\(name)_place)" = "$argv[1]"
      end

      # Completes a comma-separated list: what stands before the last comma stays.
      function __\(name)_list
          set -l before (string match -r -- '^(?:.*=)?(.*,)' (commandline -ct))[2]
          printf "$before%s\\n" $argv
      end

      complete -c \(name) -f
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
      let condition = " -n " + quoted("__\(program.name)_at \(quoted(entry.path))")
      for word in entry.words {
        lines.append(
          "complete -c \(program.name)\(condition) -a \(quoted(word.name)) -d \(quoted(word.meaning))")
      }
      switch entry.completion {
      case .files: lines.append("complete -c \(program.name)\(condition) -F")
      case .folders:
        lines.append("complete -c \(program.name)\(condition) -a '(__fish_complete_directories)'")
      case .none, .fields, .commands, .subjects: break
      }
      lines += entry.options.map { option($0, condition: condition) }
    }
    return lines
  }

  private func option(_ offer: CompletionTable.Offer, condition: String) -> String {
    var line = "complete -c \(program.name)\(condition) -l \(offer.long.dropFirst(2))"
    if let short = offer.short { line += " -s \(short)" }
    // Behind the tab stands what fish shows beside the word.
    let words = offer.words.map { "\($0.name)\\t\(quoted($0.meaning))" }.joined(separator: " ")
    if offer.valueName != nil {
      switch offer.completion {
      case .files: line += " -r -F"
      case .folders: line += " -x -a '(__fish_complete_directories)'"
      case .fields: line += " -x -a \(quoted("(__\(program.name)_list \(words))"))"
      case .none, .commands, .subjects: line += words.isEmpty ? " -x" : " -x -a \(quoted(words))"
      }
    }
    return line + " -d \(quoted(offer.summary))"
  }

  /// A word of fish, in which only the backslash and the quote itself are special between single quotes.
  private func quoted(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
