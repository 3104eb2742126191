# shellcheck shell=bash
# A hundred thousand games, page after page, against a curl that is told all cursors beforehand and a jq behind it.
reference serve-games
mkfifo "$WORK/games-end"
exec {games_end}<>"$WORK/games-end"
"$WORK/serve-games" 1000 <"$WORK/games-end" >"$WORK/games-url" &
while [[ ! -s $WORK/games-url ]]; do sleep 0.01; done
games=$(<"$WORK/games-url")
for ((page = 0; page < 1000; page++)); do
  printf 'url = "%s/games?team_ids[]=14&per_page=100&cursor=%d"\n' "$games" $((page * 100 + 10000000))
done >"$WORK/games-urls"

export HOME=$WORK HW_NBA_KEY=any HW_NBA_URL=$games
dump=("$HW" nba games LAL --order service --jsonl)
if has curl && has jq; then
  rival="curl -sgK '$WORK/games-urls' | jq -c '.data[]'"
  compare nba/dump '<=0.15' -n 3 -- "${dump[@]}" -- sh -c "$rival"
else
  skipped nba/dump '<=0.15' 'curl or jq'
fi
memory nba/memory '<20 MB' -- "${dump[@]}"
compare nba/teams-cached '<=2.0' -n 101 -- "$HW" nba teams --sort city -- "$HW" --version

echo >&"$games_end"
wait
exec {games_end}>&-
