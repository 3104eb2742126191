# shellcheck shell=bash
# A ranking of 100 nodes from a local server as TSV: against the pipe that people write instead, and, through libcurl,
# against curl alone, which only fetches.
rm -f "$WORK/url"
"$HW" serve --listen 127.0.0.1:0 --store "$WORK/serve" --ready-file "$WORK/url" >/dev/null &
server=$!
for _ in {1..200}; do
  [[ -s $WORK/url ]] && break
  sleep 0.01
done
url=$(cat "$WORK/url")
path=$url/api/v1/lightning/nodes/rankings/connectivity
# shellcheck disable=SC2016
jq='to_entries[] | [.key + 1, .value.alias, .value.channels, .value.capacity, (.value.country.en // "-"),
  (.value.city.en // "-"), (.value.updatedAt // "-")] | @tsv'
if has curl && has jq && has column; then
  compare nodes-top/pipe '>=8' -n 101 -- "$HW" nodes top --tsv --no-cache --url "$url" -- \
    sh -c "curl -s '$path' | jq -r '$jq' | column -t -s '	'"
else
  skipped nodes-top/pipe '>=8' 'curl, jq or column'
fi
if has curl; then
  # A proxy that may be meant for this address, as only libcurl can tell, makes hw take libcurl.
  compare nodes-top/curl '<=1.1' -n 101 -- \
    env http_proxy=http://127.0.0.1:9 no_proxy=127.0.0.0/8 "$HW" nodes top --tsv --no-cache --url "$url" -- \
    env http_proxy=http://127.0.0.1:9 no_proxy=127.0.0.0/8 curl -s -o /dev/null "$path"
else
  skipped nodes-top/curl '<=1.1' curl
fi
memory nodes-top/memory '<=15' -- "$HW" nodes top --tsv --no-cache --url "$url"
kill "$server"
