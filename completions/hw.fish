# fish completion for hw; made from its table of commands by 'hw completions fish'.

set -g __hw_places 'wordle' 'wordle tiles' 'wordle scores' 'nodes' 'nodes top' 'nodes show' 'nodes snapshot' 'nodes diff' 'nodes snapshots' 'config' 'config get' 'config set' 'config unset' 'config list' 'config path' 'serve' 'rows' 'schema' 'schema wordle' 'schema nodes' 'schema config' 'help' 'help wordle' 'help nodes' 'help config' 'completions'
set -g __hw_valued --output --fields --url --seed --timeout --deadline --retries --max-age --record --replay --color --style --palette --token-file --by --limit --country --sort --lang --watch --file --keep --listen --store --ready-file --fault --man

# Prints the place the command line has come to: the suite and the command, if they are typed yet.
function __hw_place
    set -l place
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word $__hw_valued; or string match -qr -- '^-[^-no]*[no]$' $word
            set skip 1
        else if string match -q -- '-*' $word
            continue
        else if contains -- (string join ' ' $place $word) $__hw_places
            set place $place $word
        end
    end
    string join ' ' $place
end

function __hw_at
    test "$(__hw_place)" = "$argv[1]"
end

# Completes a comma-separated list: what stands before the last comma stays.
function __hw_list
    set -l before (string match -r -- '^(?:.*=)?(.*,)' (commandline -ct))[2]
    printf "$before%s\n" $argv
end

complete -c hw -f
complete -c hw -l output -s o -x -a 'text\\t\'the command\\\'s own text, for commands whose answer is not a table\' table\\t\'columns for people; all rows are held until their widths are known\' json\\t\'one array, or one object where the answer is one thing\' jsonl\\t\'one object a line, each written as soon as it is known\' csv\\t\'comma-separated (RFC 4180)\' tsv\\t\'tab-separated; tab, newline, return and backslash as \\\\t \\\\n \\\\r \\\\\\\\\'' -d 'Write the answer as FORMAT'
complete -c hw -l json -d 'Write JSON: one array or one object'
complete -c hw -l jsonl -d 'Write JSON lines: one object a line'
complete -c hw -l csv -d 'Write comma-separated values (RFC 4180)'
complete -c hw -l tsv -d 'Write tab-separated values'
complete -c hw -l no-header -d 'Leave out the line of headings'
complete -c hw -l null -s 0 -d 'End each record with NUL instead of a newline'
complete -c hw -l url -x -d 'Ask the service at URL'
complete -c hw -l demo -d 'Use sample data in memory: --url demo:'
complete -c hw -l seed -x -d 'Invent sample data from N'
complete -c hw -l timeout -x -d 'Give up an attempt after SECONDS'
complete -c hw -l deadline -x -d 'Give up everything after SECONDS, waits included'
complete -c hw -l retries -x -d 'Try again at most N times'
complete -c hw -l no-wait -d 'Fail at once where a rate limit wants a wait'
complete -c hw -l no-cache -d 'Neither use nor keep copies of answers'
complete -c hw -l max-age -x -d 'Take a copy up to SECONDS old for the answer'
complete -c hw -l explain -d 'Print the requests as curl lines, send nothing'
complete -c hw -l record -x -a '(__fish_complete_directories)' -d 'Keep every exchange in DIR, for --replay'
complete -c hw -l replay -x -a '(__fish_complete_directories)' -d 'Answer from the exchanges in DIR, send nothing'
complete -c hw -l color -x -a 'auto\\t\'on a terminal that has colour\' always\\t\'in pipes and files as well\' never\\t\'not at all\'' -d 'Colour the output'
complete -c hw -l no-config -d 'Read no configuration file'
complete -c hw -l quiet -s q -d 'Say nothing on standard error but errors'
complete -c hw -l verbose -s v -d 'Tell on standard error what is being done; twice: in detail'
complete -c hw -l help -s h -d 'Print help; \'-h\' is the short form of it'
complete -c hw -l version -d 'Print the version'
complete -c hw -n '__hw_at \'\'' -a 'wordle' -d 'Wordle scores: tiles, cards, statistics, comparison'
complete -c hw -n '__hw_at \'\'' -a 'nodes' -d 'Lightning nodes: rankings, single nodes, snapshots, differences'
complete -c hw -n '__hw_at \'\'' -a 'config' -d 'Settings: what they are, where they come from, changing them'
complete -c hw -n '__hw_at \'\'' -a 'serve' -d 'Serve the backends of all suites on one port'
complete -c hw -n '__hw_at \'\'' -a 'rows' -d 'Write any JSON array or JSON lines as a table, CSV, TSV or JSON'
complete -c hw -n '__hw_at \'\'' -a 'schema' -d 'Print the JSON Schema of what a command prints'
complete -c hw -n '__hw_at \'\'' -a 'help' -d 'Print help about hw, a suite, a command or a topic'
complete -c hw -n '__hw_at \'\'' -a 'completions' -d 'Print the completion script for a shell'
complete -c hw -n '__hw_at \'wordle\'' -a 'tiles' -d 'Colour the letters of a guess'
complete -c hw -n '__hw_at \'wordle\'' -a 'scores' -d 'List the scores'
complete -c hw -n '__hw_at \'wordle tiles\'' -l style -x -a 'emoji\\t\'a coloured square a tile\' letters\\t\'g, y or b a tile, for green, yellow and black\' ansi\\t\'the guess on coloured cells\'' -d 'How a tile is written'
complete -c hw -n '__hw_at \'wordle tiles\'' -l palette -x -a 'standard\\t\'green and yellow\' high-contrast\\t\'orange and blue, for those who do not tell red from green\'' -d 'The colours of the tiles'
complete -c hw -n '__hw_at \'wordle tiles\'' -l fields -x -a '(__hw_list guess\\t\'the word that was tried\' word\\t\'the word to be found\' tiles\\t\'what each letter is told\' text\\t\'the row of tiles in the chosen style\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'wordle scores\'' -l token-file -r -F -d 'Read the access token from FILE; \'-\' is standard input'
complete -c hw -n '__hw_at \'wordle scores\'' -l fields -x -a '(__hw_list id\\t\'Wordle\\\'s number of the game\' date\\t\'the day of the game\' word\\t\'the word to be found\' tries\\t\'the words that were tried, in order\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'nodes\'' -a 'top' -d 'List the best nodes'
complete -c hw -n '__hw_at \'nodes\'' -a 'show' -d 'Show single nodes'
complete -c hw -n '__hw_at \'nodes\'' -a 'snapshot' -d 'Keep a dated copy of a ranking'
complete -c hw -n '__hw_at \'nodes\'' -a 'diff' -d 'Show who joined, left, grew or shrank between two snapshots'
complete -c hw -n '__hw_at \'nodes\'' -a 'snapshots' -d 'List the copies that are kept'
complete -c hw -n '__hw_at \'nodes top\'' -l by -x -a 'connectivity\\t\'the most channels first\' liquidity\\t\'the most capacity first\' age\\t\'the longest known first\'' -d 'Rank by channels, capacity or age'
complete -c hw -n '__hw_at \'nodes top\'' -l limit -s n -x -d 'Show at most N nodes'
complete -c hw -n '__hw_at \'nodes top\'' -l country -x -d 'Show the nodes of one country'
complete -c hw -n '__hw_at \'nodes top\'' -l sort -x -d 'Sort by a field'
complete -c hw -n '__hw_at \'nodes top\'' -l lang -x -d 'Show places in a language'
complete -c hw -n '__hw_at \'nodes top\'' -l human -d 'Show numbers and times as people say them: 1.2k, 704.4 BTC, 3 days ago'
complete -c hw -n '__hw_at \'nodes top\'' -l chart -d 'Draw what the ranking is by as bars, as wide as the terminal or 80 columns'
complete -c hw -n '__hw_at \'nodes top\'' -l watch -x -d 'Ask again every SECONDS'
complete -c hw -n '__hw_at \'nodes top\'' -l fields -x -a '(__hw_list rank\\t\'place in the ranking, from 1; null for a node that has left it\' alias\\t\'the name the node gives itself; not unique\' channels\\t\'open channels\' capacity\\t\'sum of its channels, in satoshis; tables show BTC\' country\\t\'the country\\\'s names, locale → name\' city\\t\'the city\\\'s names, locale → name\' updatedAt\\t\'last heard of\' publicKey\\t\'its public key, 66 hexadecimal digits\' firstSeen\\t\'first heard of\' iso_code\\t\'the country\\\'s two letters\' subdivision\\t\'the names of the part of the country\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'nodes show\'' -l lang -x -d 'Show places in a language'
complete -c hw -n '__hw_at \'nodes show\'' -l human -d 'Show numbers and times as people say them: 1.2k, 704.4 BTC, 3 days ago'
complete -c hw -n '__hw_at \'nodes show\'' -l fields -x -a '(__hw_list public_key\\t\'its public key, 66 hexadecimal digits\' alias\\t\'the name the node gives itself; not unique\' active_channel_count\\t\'open channels\' capacity\\t\'sum of its channels, in satoshis; tables show BTC\' country\\t\'the country\\\'s names, locale → name\' subdivision\\t\'the names of the part of the country\' city\\t\'the city\\\'s names, locale → name\' first_seen\\t\'first heard of\' updated_at\\t\'last heard of\' sockets\\t\'its addresses, comma-separated\' as_organization\\t\'who runs its network\' iso_code\\t\'the country\\\'s two letters\' color\\t\'the colour it gives itself, #rrggbb\' opened_channel_count\\t\'channels ever opened\' closed_channel_count\\t\'channels ever closed\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'nodes snapshot\'' -l by -x -a 'connectivity\\t\'the most channels first\' liquidity\\t\'the most capacity first\' age\\t\'the longest known first\'' -d 'Rank by channels, capacity or age'
complete -c hw -n '__hw_at \'nodes snapshot\'' -l file -s o -r -F -d 'Write to FILE instead; \'-\' is standard output'
complete -c hw -n '__hw_at \'nodes snapshot\'' -l keep -x -d 'Remove all but the newest N of each ranking'
complete -c hw -n '__hw_at \'nodes snapshot\'' -l fields -x -a '(__hw_list taken\\t\'when it was taken\' ranking\\t\'what it is ranked by\' file\\t\'where it is\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'nodes diff\'' -F
complete -c hw -n '__hw_at \'nodes diff\'' -l by -x -a 'connectivity\\t\'the most channels first\' liquidity\\t\'the most capacity first\' age\\t\'the longest known first\'' -d 'Rank by channels, capacity or age'
complete -c hw -n '__hw_at \'nodes diff\'' -l fields -x -a '(__hw_list change\\t\'what became of the node\' alias\\t\'its alias now, or the last one\' channels.delta\\t\'channels won or lost\' capacity.delta\\t\'satoshis won or lost; tables show BTC\' publicKey\\t\'its public key\' alias_old\\t\'its alias then\' channels.old\\t\'channels then\' channels.new\\t\'channels now\' capacity.old\\t\'satoshis then\' capacity.new\\t\'satoshis now\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'nodes snapshots\'' -l keep -x -d 'Remove all but the newest N of each ranking'
complete -c hw -n '__hw_at \'nodes snapshots\'' -l fields -x -a '(__hw_list taken\\t\'when it was taken\' ranking\\t\'what it is ranked by\' file\\t\'where it is\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'config\'' -a 'get' -d 'Print the value of a setting in the file'
complete -c hw -n '__hw_at \'config\'' -a 'set' -d 'Change a setting in the file'
complete -c hw -n '__hw_at \'config\'' -a 'unset' -d 'Take a setting out of the file'
complete -c hw -n '__hw_at \'config\'' -a 'list' -d 'List the settings of the file, or all that are in force'
complete -c hw -n '__hw_at \'config\'' -a 'path' -d 'Print where the configuration file is'
complete -c hw -n '__hw_at \'config list\'' -l origin -d 'List every setting as it is in force, with flags, variables and defaults'
complete -c hw -n '__hw_at \'config list\'' -l fields -x -a '(__hw_list name\\t\'its name\' value\\t\'what it is; a secret is only hinted at\' origin\\t\'the option, the variable, the line of the file, or \\\'default\\\'\' all\\t\'every field\' help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'serve\'' -l listen -x -d 'Listen on ADDR:PORT or unix:PATH'
complete -c hw -n '__hw_at \'serve\'' -l store -x -a '(__fish_complete_directories)' -d 'Keep the databases in DIR instead of the usual folder'
complete -c hw -n '__hw_at \'serve\'' -l ready-file -r -F -d 'Write the URL into FILE once requests are answered'
complete -c hw -n '__hw_at \'serve\'' -l token-file -r -F -d 'Want the token in FILE as \'Authorization: Bearer\' from everybody'
complete -c hw -n '__hw_at \'serve\'' -l public -d 'Listen beyond this machine without a token'
complete -c hw -n '__hw_at \'serve\'' -l fault -x -d 'Commit faults on purpose, to rehearse failure'
complete -c hw -n '__hw_at \'rows\'' -F
complete -c hw -n '__hw_at \'rows\'' -l sort -x -d 'Sort by a field'
complete -c hw -n '__hw_at \'rows\'' -l limit -s n -x -d 'Write at most N rows'
complete -c hw -n '__hw_at \'rows\'' -l fields -x -a '(__hw_list help\\t\'list the fields\')' -d 'Choose fields, comma-separated; \'help\' lists them'
complete -c hw -n '__hw_at \'schema\'' -a 'wordle' -d 'Wordle scores: tiles, cards, statistics, comparison'
complete -c hw -n '__hw_at \'schema\'' -a 'nodes' -d 'Lightning nodes: rankings, single nodes, snapshots, differences'
complete -c hw -n '__hw_at \'schema\'' -a 'config' -d 'Settings: what they are, where they come from, changing them'
complete -c hw -n '__hw_at \'schema\'' -a 'serve' -d 'Serve the backends of all suites on one port'
complete -c hw -n '__hw_at \'schema\'' -a 'rows' -d 'Write any JSON array or JSON lines as a table, CSV, TSV or JSON'
complete -c hw -n '__hw_at \'schema\'' -a 'schema' -d 'Print the JSON Schema of what a command prints'
complete -c hw -n '__hw_at \'schema\'' -a 'help' -d 'Print help about hw, a suite, a command or a topic'
complete -c hw -n '__hw_at \'schema\'' -a 'completions' -d 'Print the completion script for a shell'
complete -c hw -n '__hw_at \'schema wordle\'' -a 'tiles' -d 'Colour the letters of a guess'
complete -c hw -n '__hw_at \'schema wordle\'' -a 'scores' -d 'List the scores'
complete -c hw -n '__hw_at \'schema nodes\'' -a 'top' -d 'List the best nodes'
complete -c hw -n '__hw_at \'schema nodes\'' -a 'show' -d 'Show single nodes'
complete -c hw -n '__hw_at \'schema nodes\'' -a 'snapshot' -d 'Keep a dated copy of a ranking'
complete -c hw -n '__hw_at \'schema nodes\'' -a 'diff' -d 'Show who joined, left, grew or shrank between two snapshots'
complete -c hw -n '__hw_at \'schema nodes\'' -a 'snapshots' -d 'List the copies that are kept'
complete -c hw -n '__hw_at \'schema config\'' -a 'get' -d 'Print the value of a setting in the file'
complete -c hw -n '__hw_at \'schema config\'' -a 'set' -d 'Change a setting in the file'
complete -c hw -n '__hw_at \'schema config\'' -a 'unset' -d 'Take a setting out of the file'
complete -c hw -n '__hw_at \'schema config\'' -a 'list' -d 'List the settings of the file, or all that are in force'
complete -c hw -n '__hw_at \'schema config\'' -a 'path' -d 'Print where the configuration file is'
complete -c hw -n '__hw_at \'help\'' -a 'wordle' -d 'Wordle scores: tiles, cards, statistics, comparison'
complete -c hw -n '__hw_at \'help\'' -a 'nodes' -d 'Lightning nodes: rankings, single nodes, snapshots, differences'
complete -c hw -n '__hw_at \'help\'' -a 'config' -d 'Settings: what they are, where they come from, changing them'
complete -c hw -n '__hw_at \'help\'' -a 'serve' -d 'Serve the backends of all suites on one port'
complete -c hw -n '__hw_at \'help\'' -a 'rows' -d 'Write any JSON array or JSON lines as a table, CSV, TSV or JSON'
complete -c hw -n '__hw_at \'help\'' -a 'schema' -d 'Print the JSON Schema of what a command prints'
complete -c hw -n '__hw_at \'help\'' -a 'help' -d 'Print help about hw, a suite, a command or a topic'
complete -c hw -n '__hw_at \'help\'' -a 'completions' -d 'Print the completion script for a shell'
complete -c hw -n '__hw_at \'help\'' -a 'output' -d 'formats, fields, colour, and what goes where'
complete -c hw -n '__hw_at \'help\'' -a 'scripting' -d 'what a script may rely on'
complete -c hw -n '__hw_at \'help\'' -a 'environment' -d 'the variables that hw reads'
complete -c hw -n '__hw_at \'help\'' -a 'exit-codes' -d 'what each exit status means'
complete -c hw -n '__hw_at \'help\'' -l man -x -d 'Print a page of the manual as mdoc source'
complete -c hw -n '__hw_at \'help\'' -l list -d 'List every command with its summary, parted by a tab'
complete -c hw -n '__hw_at \'help wordle\'' -a 'tiles' -d 'Colour the letters of a guess'
complete -c hw -n '__hw_at \'help wordle\'' -a 'scores' -d 'List the scores'
complete -c hw -n '__hw_at \'help wordle\'' -l man -x -d 'Print a page of the manual as mdoc source'
complete -c hw -n '__hw_at \'help wordle\'' -l list -d 'List every command with its summary, parted by a tab'
complete -c hw -n '__hw_at \'help nodes\'' -a 'top' -d 'List the best nodes'
complete -c hw -n '__hw_at \'help nodes\'' -a 'show' -d 'Show single nodes'
complete -c hw -n '__hw_at \'help nodes\'' -a 'snapshot' -d 'Keep a dated copy of a ranking'
complete -c hw -n '__hw_at \'help nodes\'' -a 'diff' -d 'Show who joined, left, grew or shrank between two snapshots'
complete -c hw -n '__hw_at \'help nodes\'' -a 'snapshots' -d 'List the copies that are kept'
complete -c hw -n '__hw_at \'help nodes\'' -l man -x -d 'Print a page of the manual as mdoc source'
complete -c hw -n '__hw_at \'help nodes\'' -l list -d 'List every command with its summary, parted by a tab'
complete -c hw -n '__hw_at \'help config\'' -a 'get' -d 'Print the value of a setting in the file'
complete -c hw -n '__hw_at \'help config\'' -a 'set' -d 'Change a setting in the file'
complete -c hw -n '__hw_at \'help config\'' -a 'unset' -d 'Take a setting out of the file'
complete -c hw -n '__hw_at \'help config\'' -a 'list' -d 'List the settings of the file, or all that are in force'
complete -c hw -n '__hw_at \'help config\'' -a 'path' -d 'Print where the configuration file is'
complete -c hw -n '__hw_at \'help config\'' -l man -x -d 'Print a page of the manual as mdoc source'
complete -c hw -n '__hw_at \'help config\'' -l list -d 'List every command with its summary, parted by a tab'
complete -c hw -n '__hw_at \'completions\'' -a 'bash' -d 'for a folder such as ~/.local/share/bash-completion/completions, as hw'
complete -c hw -n '__hw_at \'completions\'' -a 'zsh' -d 'for a folder of $fpath, as _hw'
complete -c hw -n '__hw_at \'completions\'' -a 'fish' -d 'for ~/.config/fish/completions, as hw.fish'
