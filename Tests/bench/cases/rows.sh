# shellcheck shell=bash
# Two fields out of records that have many: an array of nodes, each with two objects of eight localised names.
reference make-nodes
ours=("$HW" rows --fields 'alias,channels' --tsv --no-header)
filter='.[]|[.alias,.channels]|@tsv'
for size in 25 250; do
  nodes=$WORK/nodes-$size.json
  "$WORK/make-nodes" "$size" >"$nodes"

  if ! has jq; then
    skipped "rows/jq-$size" '>=10' jq
  elif agree "rows/jq-$size" -- "${ours[@]}" "$nodes" -- jq -r "$filter" "$nodes"; then
    compare "rows/jq-$size" '>=10' -n 3 -- "${ours[@]}" "$nodes" -- jq -r "$filter" "$nodes"
  fi

  if ! reference rows-simdjson -lsimdjson; then
    skipped "rows/simdjson-$size" '>=1' simdjson
  elif agree "rows/simdjson-$size" -- "${ours[@]}" "$nodes" -- "$WORK/rows-simdjson" "$nodes"; then
    compare "rows/simdjson-$size" '>=1' -- "${ours[@]}" "$nodes" -- "$WORK/rows-simdjson" "$nodes"
  fi

  memory "rows/memory-$size" '<12 MB' -- "${ours[@]}" "$nodes"
  rm -f "$nodes"
done
