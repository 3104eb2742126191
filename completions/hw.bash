# bash completion for hw; made from its table of commands by 'hw completions bash'.
# shellcheck shell=bash

# Prints what may be typed in a place: 'PATH 1' for its first operand, 'PATH --' for options, 'PATH --OPTION' for
# its values. '<files>', '<folders>', '<list>' and '<ask KIND>' tell how to complete.
_hw_words() {
  case $1 in
    ' 1') echo '<ask own-commands> race nba bikes wordle nodes store users config cache serve check rows schema help completions version' ;;
    'race 1') echo 'duration status plan watch captcha history show replay stats forget' ;;
    'race ?') echo known ;;
    'race duration ?') echo known ;;
    'race duration --') echo '--token-file --fields' ;;
    'race duration --token-file') echo '<files>' ;;
    'race duration --fields') echo '<list> timeInSeconds all help' ;;
    'race status ?') echo known ;;
    'race status --') echo '--token-file --where --sort --limit --exit-status --fields' ;;
    'race status --token-file') echo '<files>' ;;
    'race status --sort') echo '<list> position medal name color' ;;
    'race status --fields') echo '<list> position medal name color all help' ;;
    'race plan ?') echo known ;;
    'race plan --') echo '--interval --token-file --fields' ;;
    'race plan --token-file') echo '<files>' ;;
    'race plan --fields') echo '<list> poll at remaining all help' ;;
    'race watch ?') echo known ;;
    'race watch --') echo '--interval --settle --start --save --no-history --bell --no-animation --captcha --browser --only-host --token-file --fields' ;;
    'race watch --save') echo '<files>' ;;
    'race watch --captcha') echo 'browser open wait fail' ;;
    'race watch --token-file') echo '<files>' ;;
    'race watch --fields') echo '<list> event seq elapsed remaining duration winner provisional beeList captchaUrl wait message all help' ;;
    'race captcha ?') echo known ;;
    'race captcha --') echo '--captcha --browser --only-host --token-file --fields' ;;
    'race captcha --captcha') echo 'browser open wait fail' ;;
    'race captcha --token-file') echo '<files>' ;;
    'race captcha --fields') echo '<list> state captchaUrl all help' ;;
    'race history ?') echo known ;;
    'race history --') echo '--service --where --sort --limit --exit-status --fields' ;;
    'race history --sort') echo '<list> id started duration winner end changes url' ;;
    'race history --fields') echo '<list> id started duration winner end changes url all help' ;;
    'race show ?') echo known ;;
    'race show --') echo --fields ;;
    'race show --fields') echo '<list> event seq elapsed remaining duration winner provisional beeList captchaUrl wait message all help' ;;
    'race replay 1') echo '<files>' ;;
    'race replay ?') echo known ;;
    'race replay --') echo '--speed --no-animation --fields' ;;
    'race replay --fields') echo '<list> event seq elapsed remaining duration winner provisional beeList captchaUrl wait message all help' ;;
    'race stats ?') echo known ;;
    'race stats --') echo '--service --where --sort --limit --exit-status --fields' ;;
    'race stats --sort') echo '<list> name wins podiums races meanPosition share last' ;;
    'race stats --fields') echo '<list> name wins podiums races meanPosition share last all help' ;;
    'race forget ?') echo known ;;
    'race forget --') echo '--keep --yes --dry-run --fields' ;;
    'race forget --fields') echo '<list> id started duration winner end changes url all help' ;;
    'nba 1') echo 'teams team games players player standings record' ;;
    'nba ?') echo known ;;
    'nba teams ?') echo known ;;
    'nba teams --') echo '--conference --division --historic --key-file --token-file --rate --where --sort --limit --exit-status --fields' ;;
    'nba teams --conference') echo 'East West' ;;
    'nba teams --division') echo 'Atlantic Central Southeast Northwest Pacific Southwest' ;;
    'nba teams --key-file') echo '<files>' ;;
    'nba teams --token-file') echo '<files>' ;;
    'nba teams --sort') echo '<list> id full_name city conference division name abbreviation' ;;
    'nba teams --fields') echo '<list> id full_name city conference division name abbreviation all help' ;;
    'nba team 1') echo '<ask team-names>' ;;
    'nba team ?') echo known ;;
    'nba team --') echo '--key-file --token-file --rate --fields' ;;
    'nba team --key-file') echo '<files>' ;;
    'nba team --token-file') echo '<files>' ;;
    'nba team --fields') echo '<list> id full_name city conference division name abbreviation all help' ;;
    'nba games ?') echo known ;;
    'nba games --') echo '--season --since --until --on --upcoming --postseason --regular --all --order --cursor --player --utc --key-file --token-file --rate --where --limit --exit-status --watch --fields' ;;
    'nba games --order') echo 'newest service' ;;
    'nba games --key-file') echo '<files>' ;;
    'nba games --token-file') echo '<files>' ;;
    'nba games --fields') echo '<list> id date home_team.full_name home_team_score visitor_team.full_name visitor_team_score status season postseason period time datetime postponed ist_stage home_q1 home_q2 home_q3 home_q4 home_ot1 home_ot2 home_ot3 home_timeouts_remaining home_in_bonus home_team.id home_team.conference home_team.division home_team.city home_team.name home_team.abbreviation visitor_q1 visitor_q2 visitor_q3 visitor_q4 visitor_ot1 visitor_ot2 visitor_ot3 visitor_timeouts_remaining visitor_in_bonus visitor_team.id visitor_team.conference visitor_team.division visitor_team.city visitor_team.name visitor_team.abbreviation all help' ;;
    'nba players ?') echo known ;;
    'nba players --') echo '--team --key-file --token-file --rate --where --limit --exit-status --fields' ;;
    'nba players --key-file') echo '<files>' ;;
    'nba players --token-file') echo '<files>' ;;
    'nba players --fields') echo '<list> id first_name last_name team.full_name position height weight jersey_number college country draft_year draft_round draft_number team.id team.abbreviation team.city team.name team.conference team.division all help' ;;
    'nba player ?') echo known ;;
    'nba player --') echo '--key-file --token-file --rate --fields' ;;
    'nba player --key-file') echo '<files>' ;;
    'nba player --token-file') echo '<files>' ;;
    'nba player --fields') echo '<list> id first_name last_name team.full_name position height weight jersey_number college country draft_year draft_round draft_number team.id team.abbreviation team.city team.name team.conference team.division all help' ;;
    'nba standings ?') echo known ;;
    'nba standings --') echo '--season --conference --utc --key-file --token-file --rate --where --sort --limit --exit-status --fields' ;;
    'nba standings --conference') echo 'East West' ;;
    'nba standings --key-file') echo '<files>' ;;
    'nba standings --token-file') echo '<files>' ;;
    'nba standings --sort') echo '<list> team.conference rank team.full_name team.abbreviation team.id games wins losses pct games_behind streak' ;;
    'nba standings --fields') echo '<list> team.conference rank team.full_name team.abbreviation team.id games wins losses pct games_behind streak all help' ;;
    'nba record 1') echo '<ask team-names>' ;;
    'nba record ?') echo known ;;
    'nba record --') echo '--vs --season --postseason --regular --utc --key-file --token-file --rate --fields' ;;
    'nba record --key-file') echo '<files>' ;;
    'nba record --token-file') echo '<files>' ;;
    'nba record --fields') echo '<list> team.full_name vs.full_name season games wins losses pct home_wins home_losses away_wins away_losses points_for points_against streak all help' ;;
    'bikes 1') echo 'list map show add edit rent return rented import export gbfs history delete' ;;
    'bikes ?') echo known ;;
    'bikes list ?') echo known ;;
    'bikes list --') echo '--near --location --radius --all --anywhere --token-file --where --sort --limit --exit-status --watch --fields' ;;
    'bikes list --token-file') echo '<files>' ;;
    'bikes list --sort') echo '<list> id name color distance location.latitude location.longitude rented owner' ;;
    'bikes list --fields') echo '<list> id name color distance location.latitude location.longitude rented owner all help' ;;
    'bikes map ?') echo known ;;
    'bikes map --') echo '--near --location --radius --all --anywhere --interactive --geojson --svg --open --token-file' ;;
    'bikes map --svg') echo '<files>' ;;
    'bikes map --token-file') echo '<files>' ;;
    'bikes show '[0-9]*) echo '<ask bike-ids>' ;;
    'bikes show ?') echo known ;;
    'bikes show --') echo '--near --location --token-file --fields' ;;
    'bikes show --token-file') echo '<files>' ;;
    'bikes show --fields') echo '<list> id name color distance location.latitude location.longitude rented owner all help' ;;
    'bikes add ?') echo known ;;
    'bikes add --') echo '--name --frame-color --pin --pin-file --at --location --token-file --fields' ;;
    'bikes add --frame-color') echo 'cyan green yellow red blue orange pink white grey black' ;;
    'bikes add --pin-file') echo '<files>' ;;
    'bikes add --token-file') echo '<files>' ;;
    'bikes add --fields') echo '<list> id name color distance location.latitude location.longitude rented owner all help' ;;
    'bikes edit 1') echo '<ask bike-ids>' ;;
    'bikes edit ?') echo known ;;
    'bikes edit --') echo '--name --frame-color --pin --pin-file --at --dry-run --token-file --fields' ;;
    'bikes edit --frame-color') echo 'cyan green yellow red blue orange pink white grey black' ;;
    'bikes edit --pin-file') echo '<files>' ;;
    'bikes edit --token-file') echo '<files>' ;;
    'bikes edit --fields') echo '<list> id name color distance location.latitude location.longitude rented owner all help' ;;
    'bikes rent '[0-9]*) echo '<ask bike-ids>' ;;
    'bikes rent ?') echo known ;;
    'bikes rent --') echo '--token-file --fields' ;;
    'bikes rent --token-file') echo '<files>' ;;
    'bikes rent --fields') echo '<list> id name pin since location.latitude location.longitude all help' ;;
    'bikes return '[0-9]*) echo '<ask bike-ids>' ;;
    'bikes return ?') echo known ;;
    'bikes return --') echo '--at --location --token-file --fields' ;;
    'bikes return --token-file') echo '<files>' ;;
    'bikes return --fields') echo '<list> id name color distance location.latitude location.longitude rented owner all help' ;;
    'bikes rented ?') echo known ;;
    'bikes rented --') echo '--token-file --where --sort --limit --exit-status --fields' ;;
    'bikes rented --token-file') echo '<files>' ;;
    'bikes rented --sort') echo '<list> id name pin since location.latitude location.longitude' ;;
    'bikes rented --fields') echo '<list> id name pin since location.latitude location.longitude all help' ;;
    'bikes import 1') echo '<files>' ;;
    'bikes import ?') echo known ;;
    'bikes import --') echo '--dry-run --continue --again --token-file --fields' ;;
    'bikes import --token-file') echo '<files>' ;;
    'bikes import --fields') echo '<list> read added refused present all help' ;;
    'bikes export ?') echo known ;;
    'bikes export --') echo '--pins --geojson --token-file --fields' ;;
    'bikes export --token-file') echo '<files>' ;;
    'bikes export --fields') echo '<list> id name color pin location.latitude location.longitude rented owner all help' ;;
    'bikes gbfs 1') echo '<folders>' ;;
    'bikes gbfs ?') echo known ;;
    'bikes gbfs --') echo '--gbfs-version --base --token-file --fields' ;;
    'bikes gbfs --gbfs-version') echo '3.0 2.3' ;;
    'bikes gbfs --token-file') echo '<files>' ;;
    'bikes gbfs --fields') echo '<list> file bytes all help' ;;
    'bikes history 1') echo '<ask bike-ids>' ;;
    'bikes history ?') echo known ;;
    'bikes history --') echo '--all --token-file --where --sort --limit --exit-status --fields' ;;
    'bikes history --token-file') echo '<files>' ;;
    'bikes history --sort') echo '<list> id bike name action by at returnedAt returnedBy distance changed from.latitude from.longitude to.latitude to.longitude' ;;
    'bikes history --fields') echo '<list> id bike name action by at returnedAt returnedBy distance changed from.latitude from.longitude to.latitude to.longitude all help' ;;
    'bikes delete '[0-9]*) echo '<ask bike-ids>' ;;
    'bikes delete ?') echo known ;;
    'bikes delete --') echo '--yes --dry-run --token-file --fields' ;;
    'bikes delete --token-file') echo '<files>' ;;
    'bikes delete --fields') echo '<list> id name deleted all help' ;;
    'wordle 1') echo 'tiles scores score add delete reset share import stats ranking compare hint' ;;
    'wordle ?') echo known ;;
    'wordle tiles ?') echo known ;;
    'wordle tiles --') echo '--style --keep-going --palette --background --fields' ;;
    'wordle tiles --style') echo 'emoji letters ansi' ;;
    'wordle tiles --palette') echo 'standard high-contrast' ;;
    'wordle tiles --background') echo 'dark light' ;;
    'wordle tiles --fields') echo '<list> guess word tiles text all help' ;;
    'wordle scores ?') echo known ;;
    'wordle scores --') echo '--reveal --interactive --no-animation --list --since --until --solved --failed --palette --background --token-file --where --sort --limit --exit-status --fields' ;;
    'wordle scores --palette') echo 'standard high-contrast' ;;
    'wordle scores --background') echo 'dark light' ;;
    'wordle scores --token-file') echo '<files>' ;;
    'wordle scores --sort') echo '<list> id date word result solved hard' ;;
    'wordle scores --fields') echo '<list> id date word tries result solved hard tiles all help' ;;
    'wordle score 1') echo '<ask score-ids>' ;;
    'wordle score ?') echo known ;;
    'wordle score --') echo '--reveal --palette --background --token-file --fields' ;;
    'wordle score --palette') echo 'standard high-contrast' ;;
    'wordle score --background') echo 'dark light' ;;
    'wordle score --token-file') echo '<files>' ;;
    'wordle score --fields') echo '<list> id date word tries result solved hard tiles all help' ;;
    'wordle add 1') echo '<files>' ;;
    'wordle add ?') echo known ;;
    'wordle add --') echo '--id --date --word --tries --hard --replace --force --dry-run --token-file --fields' ;;
    'wordle add --token-file') echo '<files>' ;;
    'wordle add --fields') echo '<list> id date word tries result solved hard tiles all help' ;;
    'wordle delete '[0-9]*) echo '<ask score-ids>' ;;
    'wordle delete ?') echo known ;;
    'wordle delete --') echo '--yes --dry-run --token-file --fields' ;;
    'wordle delete --token-file') echo '<files>' ;;
    'wordle delete --fields') echo '<list> id date word tries result solved hard tiles all help' ;;
    'wordle reset ?') echo known ;;
    'wordle reset --') echo '--yes --dry-run --token-file --fields' ;;
    'wordle reset --token-file') echo '<files>' ;;
    'wordle reset --fields') echo '<list> id date word tries result solved hard tiles all help' ;;
    'wordle share 1') echo '<ask score-ids>' ;;
    'wordle share ?') echo known ;;
    'wordle share --') echo '--hard --force --clipboard --palette --background --token-file --fields' ;;
    'wordle share --palette') echo 'standard high-contrast' ;;
    'wordle share --background') echo 'dark light' ;;
    'wordle share --token-file') echo '<files>' ;;
    'wordle share --fields') echo '<list> id result text all help' ;;
    'wordle import 1') echo '<files>' ;;
    'wordle import ?') echo known ;;
    'wordle import --') echo '--player --me --forget --yes --dry-run --fields' ;;
    'wordle import --fields') echo '<list> id result tries hard player tiles all help' ;;
    'wordle stats ?') echo known ;;
    'wordle stats --') echo '--player --since --until --token-file --fields' ;;
    'wordle stats --token-file') echo '<files>' ;;
    'wordle stats --fields') echo '<list> played solved solvedPercent currentStreak longestStreak meanTries distribution.1 distribution.2 distribution.3 distribution.4 distribution.5 distribution.6 distribution.X all help' ;;
    'wordle ranking ?') echo known ;;
    'wordle ranking --') echo '--rank-by --period --token-file --where --sort --limit --exit-status --fields' ;;
    'wordle ranking --rank-by') echo 'mean solved streak' ;;
    'wordle ranking --period') echo 'week month all' ;;
    'wordle ranking --token-file') echo '<files>' ;;
    'wordle ranking --sort') echo '<list> rank name played solved solvedPercent mean streak hard' ;;
    'wordle ranking --fields') echo '<list> rank name played solved solvedPercent mean streak hard all help' ;;
    'wordle compare ?') echo known ;;
    'wordle compare --') echo '--with --with-token-file --all --week --since --until --token-file --where --sort --limit --exit-status --fields' ;;
    'wordle compare --with') echo '<files>' ;;
    'wordle compare --with-token-file') echo '<files>' ;;
    'wordle compare --token-file') echo '<files>' ;;
    'wordle compare --sort') echo '<list> id best' ;;
    'wordle compare --fields') echo '<list> players games all help' ;;
    'wordle hint ?') echo known ;;
    'wordle hint --') echo '--word-list --guess-list --where --sort --limit --exit-status --fields' ;;
    'wordle hint --word-list') echo '<files>' ;;
    'wordle hint --guess-list') echo '<files>' ;;
    'wordle hint --sort') echo '<list> word expected fits' ;;
    'wordle hint --fields') echo '<list> remaining guesses all help' ;;
    'nodes 1') echo 'top show search stats snapshot diff snapshots' ;;
    'nodes ?') echo known ;;
    'nodes top ?') echo known ;;
    'nodes top --') echo '--by --network --country --lang --human --chart --token-file --where --sort --limit --exit-status --watch --fields' ;;
    'nodes top --by') echo 'connectivity liquidity age' ;;
    'nodes top --network') echo 'mainnet testnet signet' ;;
    'nodes top --token-file') echo '<files>' ;;
    'nodes top --sort') echo '<list> rank alias channels capacity country city updatedAt publicKey firstSeen iso_code subdivision' ;;
    'nodes top --fields') echo '<list> rank alias channels capacity country city updatedAt publicKey firstSeen iso_code subdivision all help' ;;
    'nodes show '[0-9]*) echo '<ask node-aliases>' ;;
    'nodes show ?') echo known ;;
    'nodes show --') echo '--network --lang --human --token-file --fields' ;;
    'nodes show --network') echo 'mainnet testnet signet' ;;
    'nodes show --token-file') echo '<files>' ;;
    'nodes show --fields') echo '<list> publicKey alias channels capacity country subdivision city firstSeen updatedAt sockets as_organization iso_code color opened_channel_count closed_channel_count all help' ;;
    'nodes search 1') echo '<ask node-aliases>' ;;
    'nodes search ?') echo known ;;
    'nodes search --') echo '--network --human --token-file --where --sort --limit --exit-status --fields' ;;
    'nodes search --network') echo 'mainnet testnet signet' ;;
    'nodes search --token-file') echo '<files>' ;;
    'nodes search --sort') echo '<list> alias channels capacity publicKey' ;;
    'nodes search --fields') echo '<list> alias channels capacity publicKey all help' ;;
    'nodes stats ?') echo known ;;
    'nodes stats --') echo '--network --human --token-file --fields' ;;
    'nodes stats --network') echo 'mainnet testnet signet' ;;
    'nodes stats --token-file') echo '<files>' ;;
    'nodes stats --fields') echo '<list> network added node_count channel_count total_capacity tor_nodes clearnet_nodes clearnet_tor_nodes unannounced_nodes avg_capacity med_capacity avg_fee_rate med_fee_rate avg_base_fee_mtokens med_base_fee_mtokens previous.added previous.node_count previous.channel_count previous.total_capacity all help' ;;
    'nodes snapshot ?') echo known ;;
    'nodes snapshot --') echo '--by --network --file --keep --diff --token-file --yes --dry-run --fields' ;;
    'nodes snapshot --by') echo 'connectivity liquidity age' ;;
    'nodes snapshot --network') echo 'mainnet testnet signet' ;;
    'nodes snapshot --file') echo '<files>' ;;
    'nodes snapshot --token-file') echo '<files>' ;;
    'nodes snapshot --fields') echo '<list> taken ranking network source file changes all help' ;;
    'nodes diff 1') echo '<files>' ;;
    'nodes diff 2') echo '<files>' ;;
    'nodes diff ?') echo known ;;
    'nodes diff --') echo '--by --network --token-file --where --sort --limit --fields' ;;
    'nodes diff --by') echo 'connectivity liquidity age' ;;
    'nodes diff --network') echo 'mainnet testnet signet' ;;
    'nodes diff --token-file') echo '<files>' ;;
    'nodes diff --sort') echo '<list> change alias channels.delta capacity.delta publicKey alias_old channels.old channels.new capacity.old capacity.new' ;;
    'nodes diff --fields') echo '<list> change alias channels.delta capacity.delta publicKey alias_old channels.old channels.new capacity.old capacity.new all help' ;;
    'nodes snapshots ?') echo known ;;
    'nodes snapshots --') echo '--keep --yes --dry-run --where --sort --limit --exit-status --fields' ;;
    'nodes snapshots --sort') echo '<list> taken ranking network source file' ;;
    'nodes snapshots --fields') echo '<list> taken ranking network source file all help' ;;
    'store 1') echo 'verify copy migrate' ;;
    'store ?') echo known ;;
    'store verify ?') echo known ;;
    'store verify --') echo '--store --where --sort --limit --fields' ;;
    'store verify --store') echo '<folders>' ;;
    'store verify --sort') echo '<list> suite database version table rows checksum' ;;
    'store verify --fields') echo '<list> suite database version table rows checksum all help' ;;
    'store copy ?') echo known ;;
    'store copy --') echo '--from --to --fields' ;;
    'store copy --from') echo '<folders>' ;;
    'store copy --to') echo '<folders>' ;;
    'store copy --fields') echo '<list> suite database version table rows checksum all help' ;;
    'store migrate ?') echo known ;;
    'store migrate --') echo '--store --dry-run --fields' ;;
    'store migrate --store') echo '<folders>' ;;
    'store migrate --fields') echo '<list> suite database from to script all help' ;;
    'users 1') echo 'add list remove rotate' ;;
    'users ?') echo known ;;
    'users add ?') echo known ;;
    'users add --') echo '--admin --token-file --store --fields' ;;
    'users add --token-file') echo '<files>' ;;
    'users add --store') echo '<folders>' ;;
    'users add --fields') echo '<list> name admin token all help' ;;
    'users list ?') echo known ;;
    'users list --') echo '--store --where --sort --limit --exit-status --fields' ;;
    'users list --store') echo '<folders>' ;;
    'users list --sort') echo '<list> name admin added' ;;
    'users list --fields') echo '<list> name admin added all help' ;;
    'users remove ?') echo known ;;
    'users remove --') echo '--store --yes --dry-run --fields' ;;
    'users remove --store') echo '<folders>' ;;
    'users remove --fields') echo '<list> name admin added all help' ;;
    'users rotate ?') echo known ;;
    'users rotate --') echo '--token-file --store --fields' ;;
    'users rotate --token-file') echo '<files>' ;;
    'users rotate --store') echo '<folders>' ;;
    'users rotate --fields') echo '<list> name admin token all help' ;;
    'config 1') echo 'get set unset list path' ;;
    'config ?') echo known ;;
    'config get 1') echo '<ask setting-names>' ;;
    'config get ?') echo known ;;
    'config get --') echo --fields ;;
    'config get --fields') echo '<list> name value problem origin all help' ;;
    'config set 1') echo '<ask setting-names>' ;;
    'config set 2') echo '<ask setting-values>' ;;
    'config set ?') echo known ;;
    'config set --') echo --fields ;;
    'config set --fields') echo '<list> name value problem origin all help' ;;
    'config unset 1') echo '<ask setting-names>' ;;
    'config unset ?') echo known ;;
    'config unset --') echo '--yes --dry-run --fields' ;;
    'config unset --fields') echo '<list> name value problem origin all help' ;;
    'config list ?') echo known ;;
    'config list --') echo '--origin --where --sort --limit --exit-status --fields' ;;
    'config list --sort') echo '<list> name value problem origin' ;;
    'config list --fields') echo '<list> name value problem origin all help' ;;
    'config path ?') echo known ;;
    'config path --') echo --fields ;;
    'config path --fields') echo '<list> path all help' ;;
    'cache 1') echo 'list clear' ;;
    'cache ?') echo known ;;
    'cache list ?') echo known ;;
    'cache list --') echo '--where --sort --limit --exit-status --fields' ;;
    'cache list --sort') echo '<list> asOf expires bytes source' ;;
    'cache list --fields') echo '<list> asOf expires bytes source all help' ;;
    'cache clear ?') echo known ;;
    'cache clear --') echo '--yes --dry-run --fields' ;;
    'cache clear --fields') echo '<list> responses bytes all help' ;;
    'serve 1') echo 'race nba bikes wordle nodes' ;;
    'serve ?') echo known ;;
    'serve --') echo '--listen --store --ready-file --public --public-url --host --trusted-proxy --cors --samples --metrics-listen --log --requests-per-address --requests-per-user --wrong-tokens --connections-per-address --fault --race-seconds --captcha-after --captcha-chance --captcha-fails --feed-id --feed-name --feed-operator --feed-timezone --feed-license --feed-email --bikes-per-owner --rentals-per-user --score-size --scores-per-account' ;;
    'serve --store') echo '<folders>' ;;
    'serve --ready-file') echo '<files>' ;;
    'serve --log') echo 'text json' ;;
    'check '[0-9]*) echo '<ask suites>' ;;
    'check ?') echo known ;;
    'check --') echo '--self --report --within --max-time --key-file --token-file --rate --fields' ;;
    'check --report') echo 'tap junit' ;;
    'check --key-file') echo '<files>' ;;
    'check --token-file') echo '<files>' ;;
    'check --fields') echo '<list> result suite check findings detail milliseconds all help' ;;
    'rows '[0-9]*) echo '<files>' ;;
    'rows ?') echo known ;;
    'rows --') echo '--from --at --keep-going --where --sort --limit --exit-status --fields' ;;
    'rows --from') echo 'json csv tsv' ;;
    'rows --fields') echo '<list> help' ;;
    'schema 1') echo 'race nba bikes wordle nodes store users config cache serve check rows schema help completions version' ;;
    'schema ?') echo known ;;
    'schema race 1') echo 'duration status plan watch captcha history show replay stats forget' ;;
    'schema race ?') echo known ;;
    'schema nba 1') echo 'teams team games players player standings record' ;;
    'schema nba ?') echo known ;;
    'schema bikes 1') echo 'list map show add edit rent return rented import export gbfs history delete' ;;
    'schema bikes ?') echo known ;;
    'schema wordle 1') echo 'tiles scores score add delete reset share import stats ranking compare hint' ;;
    'schema wordle ?') echo known ;;
    'schema nodes 1') echo 'top show search stats snapshot diff snapshots' ;;
    'schema nodes ?') echo known ;;
    'schema store 1') echo 'verify copy migrate' ;;
    'schema store ?') echo known ;;
    'schema users 1') echo 'add list remove rotate' ;;
    'schema users ?') echo known ;;
    'schema config 1') echo 'get set unset list path' ;;
    'schema config ?') echo known ;;
    'schema cache 1') echo 'list clear' ;;
    'schema cache ?') echo known ;;
    'help 1') echo 'race nba bikes wordle nodes store users config cache serve check rows schema help completions version options output scripting environment exit-codes plugins install server' ;;
    'help ?') echo known ;;
    'help --') echo '--man --pages --list --fields' ;;
    'help --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help race 1') echo 'duration status plan watch captcha history show replay stats forget' ;;
    'help race ?') echo known ;;
    'help race --') echo '--man --pages --list --fields' ;;
    'help race --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help nba 1') echo 'teams team games players player standings record' ;;
    'help nba ?') echo known ;;
    'help nba --') echo '--man --pages --list --fields' ;;
    'help nba --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help bikes 1') echo 'list map show add edit rent return rented import export gbfs history delete' ;;
    'help bikes ?') echo known ;;
    'help bikes --') echo '--man --pages --list --fields' ;;
    'help bikes --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help wordle 1') echo 'tiles scores score add delete reset share import stats ranking compare hint' ;;
    'help wordle ?') echo known ;;
    'help wordle --') echo '--man --pages --list --fields' ;;
    'help wordle --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help nodes 1') echo 'top show search stats snapshot diff snapshots' ;;
    'help nodes ?') echo known ;;
    'help nodes --') echo '--man --pages --list --fields' ;;
    'help nodes --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help store 1') echo 'verify copy migrate' ;;
    'help store ?') echo known ;;
    'help store --') echo '--man --pages --list --fields' ;;
    'help store --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help users 1') echo 'add list remove rotate' ;;
    'help users ?') echo known ;;
    'help users --') echo '--man --pages --list --fields' ;;
    'help users --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help config 1') echo 'get set unset list path' ;;
    'help config ?') echo known ;;
    'help config --') echo '--man --pages --list --fields' ;;
    'help config --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'help cache 1') echo 'list clear' ;;
    'help cache ?') echo known ;;
    'help cache --') echo '--man --pages --list --fields' ;;
    'help cache --fields') echo '<list> version name programVersion summary suites commands standardOptions exitCodes all help' ;;
    'completions 1') echo 'bash zsh fish' ;;
    'completions ?') echo known ;;
    'completions --') echo '--words --after --line' ;;
    'version ?') echo known ;;
    'version --') echo --fields ;;
    'version --fields') echo '<list> name version all help' ;;
    ' --') echo '--output --json --jsonl --csv --tsv --fields --no-header --null --url --demo --seed --timeout --deadline --retries --max-wait --no-wait --no-cache --max-age --user-agent --meta --explain --record --replay --color --no-pager --no-config --quiet --verbose --help --version' ;;
    ' --output') echo 'text table json jsonl csv tsv markdown' ;;
    ' -o') echo 'text table json jsonl csv tsv markdown' ;;
    ' --record') echo '<folders>' ;;
    ' --replay') echo '<folders>' ;;
    ' --color') echo 'auto always never' ;;
  esac
}

# True when the value of option $1 is the word after it.
_hw_takes_value() {
  case $1 in
    --output | --fields | --url | --seed | --timeout | --deadline | --retries | --max-wait | --max-age | --user-agent | --record | --replay | --color | --token-file | --where | --sort | --limit | --interval | --settle | --save | --captcha | --browser | --only-host | --service | --speed | --keep | --conference | --division | --key-file | --rate | --season | --since | --until | --on | --order | --cursor | --player | --watch | --team | --vs | --near | --location | --radius | --svg | --name | --frame-color | --pin | --pin-file | --at | --gbfs-version | --base | --style | --palette | --background | --id | --date | --word | --tries | --me | --forget | --rank-by | --period | --with | --with-token-file | --word-list | --guess-list | --by | --network | --country | --lang | --file | --store | --from | --to | --listen | --ready-file | --public | --public-url | --host | --trusted-proxy | --cors | --metrics-listen | --log | --requests-per-address | --requests-per-user | --wrong-tokens | --connections-per-address | --fault | --race-seconds | --captcha-after | --captcha-chance | --captcha-fails | --feed-id | --feed-name | --feed-operator | --feed-timezone | --feed-license | --feed-email | --bikes-per-owner | --rentals-per-user | --score-size | --scores-per-account | --report | --within | --max-time | --man | --words | --after | --line) return 0 ;;
    *) [[ $1 =~ ^-[^-no]*[no]$ ]] ;;
  esac
}

# What completes the value of option $2 in place $1.
_hw_values() {
  local words
  words=$(_hw_words "$1 $2")
  echo "${words:-$(_hw_words " $2")}"
}

# Sets 'quote' to the quote that the word $1 begins with, if any, and 'prefix' to the text after it. Fails if there
# is another quote in the word: the shell would replace a part of it only.
_hw_unquote() {
  local i char rest=$1
  quote='' prefix=''
  if [[ $rest == [\"\']* ]]; then
    quote=${rest:0:1}
    rest=${rest:1}
  fi
  for ((i = 0; i < ${#rest}; i++)); do
    char=${rest:i:1}
    if [[ $char == \\ && $quote != \' ]]; then
      char=${rest:i+1:1}
      # Between double quotes, other characters keep the backslash.
      [[ $quote == \" && $char != [\\\"\$\`] ]] && prefix+=\\
      ((i++))
    elif [[ $char == [\"\'] && ($quote == '' || $char == "$quote") ]]; then
      return 1
    fi
    prefix+=$char
  done
}

# Offers the words of lines, each with its meaning behind a tab, that begin as $1 does, escaped for its quote. A
# word that would begin with the quote itself is left out: readline takes the two for one.
_hw_offer() {
  local word quote prefix
  _hw_unquote "$1" || return
  while IFS=$'\t' read -r word _; do
    [[ $word == "$prefix"* ]] || continue
    case $quote in
      \')
        [[ $word == \'* ]] && continue
        word=${word//\'/"'\\''"}
        ;;
      \")
        [[ $word == !* ]] && continue
        word=${word//\\/"\\\\"}
        word=${word//\"/'\"'}
        word=${word//\$/'\$'}
        word=${word//\`/'\`'}
        # Of history; it has no escape between double quotes.
        word=${word//!/'"\!"'}
        ;;
      # Into a variable: a process for each word would take longer than hw itself.
      *) printf -v word %q "$word" ;;
    esac
    COMPREPLY+=("$word")
  done
}

# Offers the files, or with -d the directories, that begin as $2 does. The shell escapes the names of files.
_hw_files() {
  local quote prefix
  _hw_unquote "$2" || return
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$prefix")
}

# Sets 'line' to the words up to the cursor, as the shell would read them: COMP_WORDS is parted at the signs of
# COMP_WORDBREAKS as well, at '=' and ':' among others.
_hw_line() {
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
_hw_expand() {
  local part
  expansion=()
  while IFS=$'\t' read -r part _; do
    expansion+=("$part")
  done < <(command hw completions --words alias-words --after="$1" </dev/null 2>/dev/null)
  [[ ${#expansion[@]} -gt 0 ]]
}

_hw() {
  local current previous path word i words before kind last operand=1 expanded=
  local -a line typed expansion
  COMPREPLY=()
  _hw_line
  last=$((${#line[@]} - 1))
  current=${line[last]}
  previous=${line[last - 1]}
  path=
  for ((i = 1; i < last; i++)); do
    word=${line[i]}
    if [[ $word == --*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      _hw_takes_value "$word" && ((i++))
    elif [[ $operand == 1 && -n $(_hw_words "${path:+$path }$word ?") ]]; then
      path="${path:+$path }$word"
    elif [[ -z $path$expanded ]] && _hw_expand "$word"; then
      line=("${line[@]:0:i}" "${expansion[@]}" "${line[@]:i+1}")
      last=$((${#line[@]} - 1))
      previous=${line[last - 1]}
      expanded=1
      ((i--))
    elif [[ -z $path ]] && type -P "hw-$word" >/dev/null; then
      _hw_offer "$current" < <(
        "hw-$word" --hw-complete "${line[@]:i+1:last-i}" </dev/null 2>/dev/null)
      _hw_keep "$current"
      return
    else
      ((operand++))
    fi
  done
  if [[ $current == --*=* ]]; then
    words=$(_hw_values "$path" "${current%%=*}")
    current=${current#*=}
    previous=
  elif _hw_takes_value "$previous"; then
    [[ $previous == --* ]] || previous=-${previous: -1}
    words=$(_hw_values "$path" "$previous")
  elif [[ $current == -* ]]; then
    words="$(_hw_words "$path --") $(_hw_words ' --')"
  else
    words=$(_hw_words "$path $operand")
  fi
  # What only hw itself knows; it is told the word before, and the line, which may name a service.
  if [[ $words == '<ask '* ]]; then
    words=${words#<ask }
    kind=${words%%>*}
    words=${words#*>}
    [[ $previous == -* ]] && previous=
    typed=("${line[@]:1:last-1}")
    _hw_offer "$current" < <(
      command hw completions --words "$kind" ${previous:+"--after=$previous"} \
        "${typed[@]/#/--line=}" </dev/null 2>/dev/null)
  fi
  case $words in
    '<files>') _hw_files -f "$current" ;;
    '<folders>') _hw_files -d "$current" ;;
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
  _hw_keep "$current"
}

# Takes off what readline leaves as it stands of the word $1: all before the last sign that parts words.
_hw_keep() {
  local piece=${COMP_WORDS[COMP_CWORD]} kept
  kept=${1%"$piece"}
  [[ $piece == [=:] ]] && kept=$1
  [[ -z $kept ]] || COMPREPLY=("${COMPREPLY[@]#"$kept"}")
}

complete -F _hw hw
