# shellcheck shell=bash
# What it would cost to compress the list of 100 000 bikes in the server: the CPU time of gzip -1 over that of the server
# for the whole response. At 1 or more, which is the goal, the server is right to leave it to a proxy: its one thread would
# serve half as many clients, and the others would wait meanwhile.
compression_case() {
  local directory=$WORK/compression url pid before after round rounds=20 ours theirs
  mkdir -p "$directory"
  awk 'BEGIN {
    srand(1)
    print "name,color,pin,latitude,longitude"
    for (i = 0; i < 100000; i++) {
      printf "Bike %d,%06X,%04d,%.6f,%.6f\n", i, rand() * 16777215, rand() * 10000, 50 + rand(), 8 + rand()
    }
  }' >"$directory/many.csv"
  "$HW" bikes import "$directory/many.csv" --url "embedded:$directory/store" >/dev/null
  "$HW" serve --listen 127.0.0.1:0 --ready-file "$directory/url" --store "$directory/store" >/dev/null &
  pid=$!
  until [[ -s $directory/url ]]; do sleep 0.01; done
  url=$(cat "$directory/url")/bikes
  # The server's caches are filled first.
  for round in 1 2 3 4 5; do curl -s "$url" -o "$directory/list.json"; done
  before=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
  for ((round = 0; round < rounds; round++)); do curl -s "$url" -o /dev/null; done
  after=$(awk '{ print $14 + $15 }' "/proc/$pid/stat")
  kill "$pid"
  ours=$(((after - before) * 1000 / $(getconf CLK_TCK) / rounds))
  local TIMEFORMAT='%U %S'
  theirs=$({ time for ((round = 0; round < 5; round++)); do gzip -1 -c "$directory/list.json" >"$directory/list.gz"; done; } 2>&1 |
    awk '{ printf "%.0f", ($1 + $2) * 1000 / 5 }')
  awk -v ours="$ours" -v theirs="$theirs" -v size="$(stat -c %s "$directory/list.json")" \
    -v packed="$(stat -c %s "$directory/list.gz")" 'BEGIN {
    printf "compression/cpu\t%.2f\t>=1\n", theirs / ours
    printf "  compression/cpu: %d ms to compress, %d ms to respond; %.1f MB become %.1f MB\n",
      theirs, ours, size / 1e6, packed / 1e6 >"/dev/stderr"
  }'
}

if has curl && has gzip; then
  compression_case
else
  skipped compression/cpu '>=1' 'curl or gzip'
fi
