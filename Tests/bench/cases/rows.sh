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

# Many columns: 500 rows of 2000.
reference make-wide
wide=$WORK/wide.json
"$WORK/make-wide" 500 2000 >"$wide"
ours=("$HW" rows --csv --no-header)
filter='.[]|[.[]]|map(tostring)|join(",")'
if ! has jq; then
  skipped rows/columns '<=1' jq
elif agree rows/columns -- "${ours[@]}" "$wide" -- jq -r "$filter" "$wide"; then
  compare rows/columns '<=1' -n 3 -- "${ours[@]}" "$wide" -- jq -r '.[]|[.[]]|@csv' "$wide"
fi
rm -f "$wide"

# One element three times as long as another, in the small pieces of a pipe.
for size in 20 60; do "$WORK/make-wide" "$size" >"$WORK/long-$size.json"; done
compare rows/long-element '<=3.3' -n 3 \
  -- sh -c "cat '$WORK/long-60.json' | '$HW' rows --jsonl" -- sh -c "cat '$WORK/long-20.json' | '$HW' rows --jsonl"
rm -f "$WORK"/long-*.json
