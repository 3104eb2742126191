# shellcheck shell=bash
# A hundred thousand players, page after page, against a curl that is told all cursors beforehand and a jq behind it.
reference serve-players
mkfifo "$WORK/players-end"
exec {players_end}<>"$WORK/players-end"
"$WORK/serve-players" 1000 <"$WORK/players-end" >"$WORK/players-url" &
while [[ ! -s $WORK/players-url ]]; do sleep 0.01; done
players=$(<"$WORK/players-url")
for ((page = 0; page < 1000; page++)); do
  printf 'url = "%s/players?per_page=100&cursor=%d"\n' "$players" $((page * 100 + 10000000))
done >"$WORK/player-urls"

export HOME=$WORK HW_NBA_KEY=any HW_NBA_URL=$players
dump=("$HW" nba players --jsonl)
if has curl && has jq; then
  rival="curl -sgK '$WORK/player-urls' | jq -c '.data[]'"
  compare nba/dump '<=0.25' -n 3 -- "${dump[@]}" -- sh -c "$rival"
else
  skipped nba/dump '<=0.25' 'curl or jq'
fi
memory nba/memory '<20 MB' -- "${dump[@]}"
compare nba/teams-cached '<=2.0' -n 101 -- "$HW" nba teams --sort city -- "$HW" --version

echo >&"$players_end"
wait
exec {players_end}>&-
