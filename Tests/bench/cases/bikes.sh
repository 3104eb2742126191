# shellcheck shell=bash
# The bikes server against nginx's static files and the original's routes; a rent and an import against what they cost
# at least.

# town COUNT: a CSV file of bikes that fill a disc evenly.
town() {
  awk -v n="$1" 'BEGIN {
    print "name,color,pin,latitude,longitude"
    for (i = 0; i < n; i++) {
      far = 0.45 * sqrt((i + 0.5) / n); turn = i * 2.399963229728653
      printf "Bike %d,00C8E6,0420,%.6f,%.6f\n", i, 50.119504 + far * cos(turn), 8.638137 + far * sin(turn) / 0.641
    }
  }'
}

# rate URL [WRK-OPTION...]: answers a second.
rate() { wrk -t 1 -c 64 -d 2s "${@:2}" "$1" | awk '/^Requests\/sec/ { print $2 }'; }

# median A B C
median() { printf '%s\n' "$@" | sort -n | sed -n 2p; }

# faster NAME GOAL OURS THEIRS: three rounds of each in turns, and the ratio of the medians.
faster() {
  local name=$1 goal=$2 ours=() theirs=() round
  for round in 1 2 3; do
    ours[round]=$(rate "$3")
    theirs[round]=$(rate "$4")
  done
  awk -v name="$name" -v goal="$goal" -v a="$(median "${ours[@]}")" -v b="$(median "${theirs[@]}")" 'BEGIN {
    printf "%s\t%.2f\t%s\n", name, a / b, goal
    printf "  %s: %.0f/s against %.0f/s\n", name, a, b >"/dev/stderr"
  }'
}

bikes=$WORK/bikes
pids=()
mkdir -p "$bikes/www"
export HOME=$bikes

# started FILE COMMAND...: runs it beside us; its first line is its address.
started() {
  "${@:2}" >"$1" 2>/dev/null &
  pids+=($!)
  local round
  for round in $(seq 100); do
    [[ -s $1 ]] && break
    sleep 0.05
  done
}

# feed_case: the feed of 100 000 bikes against nginx with the file, and GET /bikes/1 beside four pollers of the feed.
feed_case() {
  local url rounds=() round polls=() ours=() theirs=() poller feed pids_of_pollers=()
  url=$(head -n 1 "$bikes/many.url")
  feed=gbfs/3.0/vehicle_status.json
  curl -s "$url/$feed" >"$bikes/www/feed.json"
  if ! has nginx; then
    skipped bikes/feed-nginx '>=0.8' nginx
  else
    for round in 1 2 3; do
      ours[round]=$(rate "$url/$feed" -c 4)
      theirs[round]=$(rate http://127.0.0.1:8391/feed.json -c 4)
    done
    awk -v a="$(median "${ours[@]}")" -v b="$(median "${theirs[@]}")" 'BEGIN {
      printf "bikes/feed-nginx\t%.2f\t>=0.8\n", a / b
      printf "  bikes/feed-nginx: %.1f/s against %.1f/s\n", a, b >"/dev/stderr"
    }'
  fi
  if ! reference poller; then
    failed bikes/p99-polled '<=5'
    return
  fi
  for round in 1 2 3; do
    rounds[round]=$(p99 "$url/bikes/1")
    # A poller requests the feed twice a second, thirty times as often as it changes for it.
    for poller in 1 2 3 4; do
      "$WORK/poller" "${url##*:}" "/$feed" &
      pids_of_pollers[poller]=$!
    done
    polls[round]=$(p99 "$url/bikes/1")
    kill "${pids_of_pollers[@]}"
    wait "${pids_of_pollers[@]}" 2>/dev/null || true
  done
  awk -v alone="$(median "${rounds[@]}")" -v polled="$(median "${polls[@]}")" 'BEGIN {
    printf "bikes/p99-polled\t%.1f\t<=5\n", polled / alone
    printf "  bikes/p99-polled: %.2f ms against %.2f ms\n", polled, alone >"/dev/stderr"
  }'
}

# p99 URL: the 99th percentile of a request with 16 connections, in milliseconds.
p99() {
  wrk -t 1 -c 16 -d 3s --latency "$1" | awk '
    $1 == "99%" { print $2 ~ /us$/ ? $2 / 1000 : $2 ~ /ms$/ ? $2 + 0 : $2 * 1000 }'
}

town 100000 >"$bikes/many.csv"
memory bikes/import-memory-100k '<=64 MB' -- \
  "$HW" bikes import "$bikes/many.csv" --url "embedded:$bikes/many"
town 1000 >"$bikes/few.csv"
town 1000000 >"$bikes/million.csv"
"$HW" bikes import "$bikes/few.csv" --url "embedded:$bikes/few" >/dev/null
"$HW" bikes import "$bikes/million.csv" --url "embedded:$bikes/million" >/dev/null
place=50.119504,8.638137
near=(bikes list --near "$place")
compare bikes/near-million '<=3' -n 20 -- \
  "$HW" "${near[@]}" --radius 50 --url "embedded:$bikes/million" -- \
  "$HW" "${near[@]}" --radius 1500 --url "embedded:$bikes/few"

if ! has wrk; then
  skipped bikes/http '>=1' wrk
else
  query='bikes?latitude=50.119504&longitude=8.638137&radius='
  started "$bikes/three.url" "$HW" serve --listen 127.0.0.1:0 --samples --store "$bikes/three"
  started "$bikes/many.url" "$HW" serve --listen 127.0.0.1:0 --samples --store "$bikes/many"
  three=$(head -n 1 "$bikes/three.url")/${query}200
  many=$(head -n 1 "$bikes/many.url")/${query}300
  if ! has nginx; then
    skipped bikes/nginx '>=1' nginx
  else
    curl -s "$three" >"$bikes/www/three.json"
    curl -s "$many" >"$bikes/www/many.json"
    cat >"$bikes/nginx.conf" <<CONF
worker_processes 1; daemon off; pid $bikes/nginx.pid; error_log /dev/null;
events { worker_connections 256; }
http {
  access_log off; sendfile on; keepalive_requests 100000000; open_file_cache max=10;
  client_body_temp_path $bikes/t1; proxy_temp_path $bikes/t2; fastcgi_temp_path $bikes/t3;
  uwsgi_temp_path $bikes/t4; scgi_temp_path $bikes/t5;
  server { listen 127.0.0.1:8391; root $bikes/www; }
}
CONF
    nginx -c "$bikes/nginx.conf" >/dev/null 2>&1 &
    pids+=($!)
    sleep 0.5
    curl -sf http://127.0.0.1:8391/three.json >/dev/null
    faster bikes/three-nginx '>=1' "$three" http://127.0.0.1:8391/three.json
    faster bikes/100k-nginx '>=1' "$many" http://127.0.0.1:8391/many.json
  fi
  feed_case
  if ! NODE_PATH=/usr/share/nodejs node -e "require('express')" 2>/dev/null; then
    skipped bikes/original '>=100' 'node and express'
  else
    export NODE_PATH=/usr/share/nodejs
    started "$bikes/original.url" node "$BENCH/bikes-original.js" 0 100000
    faster bikes/100k-original '>=100' "$many" "$(head -n 1 "$bikes/original.url")/${query}300"
  fi

  # Every request rents another bike, of a million, so that none is refused; with one connection each has a commit of
  # its own.
  cat >"$bikes/rent.lua" <<'LUA'
local n = tonumber(os.getenv("FIRST"))
wrk.headers["X-Authorization"] = os.getenv("TOKEN")
request = function()
  n = n + 1
  return wrk.format("PUT", "/bikes/" .. n .. "/rented")
end
done = function(summary, latency)
  io.write(string.format("p99 %.2f ms, %d refused\n", latency:percentile(99) / 1000, summary.errors.status))
end
LUA
  started "$bikes/million.url" "$HW" serve --listen 127.0.0.1:0 --samples --store "$bikes/million"
  server=$(head -n 1 "$bikes/million.url")
  # What the imports still have to write is not for the rents to wait for.
  sync
  alone=$(FIRST=3 wrk -t 1 -c 1 -d 3s -s "$bikes/rent.lua" "$server" | awk '/^Requests\/sec/ { print $2 }')
  grouped=() tails=()
  for round in 1 2 3; do
    FIRST=$((round * 200000)) wrk -t 1 -c 64 -d 3s -s "$bikes/rent.lua" "$server" >"$bikes/rents"
    grouped[round]=$(awk '/^Requests\/sec/ { print $2 }' "$bikes/rents")
    tails[round]=$(awk '/^p99/ { print $2 }' "$bikes/rents")
  done
  awk -v alone="$alone" -v grouped="$(median "${grouped[@]}")" 'BEGIN {
    printf "bikes/rents-grouped\t%.1f\t>=8\n", grouped / alone
    printf "  bikes/rents-grouped: %.0f/s against %.0f/s with a commit each\n", grouped, alone >"/dev/stderr"
  }'
  printf 'bikes/rents-p99\t%s ms\t<=5 ms\n' "$(median "${tails[@]}")"
  echo "  bikes/rents-p99: ${tails[*]}" >&2
  # The same rents of one user, with every limit in force and none reached, against a server without users and limits.
  # They take turns, each on a copy of the million.
  kill "${pids[-1]}"
  wait "${pids[-1]}" || true
  unset 'pids[-1]'
  cp -r "$bikes/million" "$bikes/protected"
  token=$("$HW" users add ann --store "$bikes/protected" --fields token --tsv --no-header 2>/dev/null)
  started "$bikes/plain.url" "$HW" serve --listen 127.0.0.1:0 --store "$bikes/million"
  most=1000000
  started "$bikes/protected.url" env HW_SERVE_REQUESTS_PER_ADDRESS=$most HW_SERVE_REQUESTS_PER_USER=$most \
    HW_SERVE_WRONG_TOKENS=$most HW_SERVE_CONNECTIONS_PER_ADDRESS=$most \
    "$HW" serve --listen 127.0.0.1:0 --store "$bikes/protected"
  sync
  # Ranges of bikes that the rounds above have not rented.
  for round in 300000 350000 500000 550000 750000; do
    plain=$(FIRST=$round rate "$(head -n 1 "$bikes/plain.url")" -s "$bikes/rent.lua" -d 1s)
    protected=$(FIRST=$round TOKEN=$token rate "$(head -n 1 "$bikes/protected.url")" -s "$bikes/rent.lua" -d 1s)
    echo "$protected $plain"
  done | awk '{ print $1 / $2, $1, $2 }' | sort -n | awk 'NR == 3 {
    printf "bikes/rents-protected\t%.2f\t>=0.9\n", $1
    printf "  bikes/rents-protected: %.0f/s against %.0f/s\n", $2, $3 >"/dev/stderr"
  }'
  # Nobody commits faster than the disk writes; 64 kB is what one turn's rents are in the log.
  if reference commit; then
    "$WORK/commit" "$bikes/commits" 65536 300 | sed 's/^/  bikes\/rents-p99: a bare commit of 64 kB, /' >&2
  fi
fi

for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done

if ! has sqlite3; then
  skipped bikes/rent-sqlite3 '<=1' sqlite3
else
  # The same rent by both, of one bike after another. Neither begins with a log, and both keep to the end what they want
  # of one: hw folds it in with every tenth rent or so, the shell with each.
  cp -r "$bikes/few" "$bikes/one"
  sqlite3 "$bikes/one/bikes.db" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
  cp -r "$bikes/one" "$bikes/two"
  compare bikes/rent-sqlite3 '<=1' -n 40 -- \
    "$HW" bikes rent {} -q --url "embedded:$bikes/one" -- \
    sqlite3 "$bikes/two/bikes.db" 'PRAGMA synchronous = FULL; BEGIN IMMEDIATE;
      UPDATE sequence SET next = next + 1 WHERE name IN ("transaction", "bike_revision");
      UPDATE bike SET rented = 1, (revision, writer) = (
        SELECT max(next) FILTER (WHERE name = "bike_revision"), max(next) FILTER (WHERE name = "transaction")
          FROM sequence) WHERE id = {} AND deleted = 0;
      INSERT INTO rental (id, bike, rented_at, from_latitude, from_longitude)
      SELECT (SELECT coalesce(max(id) + 1, 1) FROM rental), id, 1, latitude, longitude FROM bike
        WHERE writer = (SELECT next FROM sequence WHERE name = "transaction");
      COMMIT;'
fi
