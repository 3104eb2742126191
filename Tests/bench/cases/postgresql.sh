# shellcheck shell=bash
# The bikes server on PostgreSQL: rents against pgbench with one rent per transaction, the list near a place against
# the same server on SQLite, rents through two and three servers against one, and how soon a change at one server is in
# the list of another. PostgreSQL runs on this machine, on a Unix socket and with fsync. While the cores are saturated,
# more servers cannot be faster: then the line says so.

# The directory of PostgreSQL's tools: they are not on the PATH.
postgresql_tools() {
  local directory
  for directory in $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -rV) /usr/bin /usr/local/bin; do
    if [[ -x $directory/initdb && -x $directory/pgbench ]]; then
      echo "$directory"
      return
    fi
  done
  return 1
}

# per_second URL [WRK-OPTION...]: responses with status 2xx or 3xx per second.
per_second() {
  wrk -t 1 -c 64 -d 3s "${@:2}" "$1" | awk '
    / requests in / { requests = $1; seconds = $4 + 0 }
    /Non-2xx/ { refused = $NF }
    END { printf "%.1f\n", (requests - refused) / seconds }'
}

# ratio_of_medians NAME GOAL A... against B...: three of each.
ratio_of_medians() {
  local a b
  a=$(printf '%s\n' "${@:3:3}" | sort -n | sed -n 2p)
  b=$(printf '%s\n' "${@:7:3}" | sort -n | sed -n 2p)
  awk -v name="$1" -v goal="$2" -v a="$a" -v b="$b" 'BEGIN {
    printf "%s\t%.2f\t%s\n", name, b ? a / b : 0, goal
    printf "  %s: %.0f/s against %.0f/s\n", name, a, b >"/dev/stderr"
  }'
}

# processor_time: jiffies of all cores, those that were idle and all.
processor_time() { awk '/^cpu / { print $5 + $6, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9 }' /proc/stat; }

# rents_per_second URL...: by 128 connections, divided among the servers, and the percentage of the cores that was busy.
# A server commits up to 64 rents together: with fewer connections than that for each of two, they would wait for their
# clients and not for the database.
rents_per_second() {
  local url index=0 pids=() before after total=0 rate
  before=$(processor_time)
  for url in "$@"; do
    # Each takes bikes of its own.
    HW_BENCH_FIRST=$((3 + index * 30000)) per_second "$url" -c $((128 / $#)) -s "$WORK/postgresql.lua" \
      >"$WORK/rents.$index" &
    pids+=($!)
    index=$((index + 1))
  done
  wait "${pids[@]}"
  after=$(processor_time)
  for index in "${!pids[@]}"; do
    rate=$(cat "$WORK/rents.$index")
    total=$(awk -v a="$total" -v b="$rate" 'BEGIN { print a + b }')
  done
  awk -v rate="$total" -v before="$before" -v after="$after" 'BEGIN {
    split(before, b, " "); split(after, a, " ")
    printf "%.1f %.0f\n", rate, 100 * (1 - (a[1] - b[1]) / (a[2] - b[2]))
  }'
}

# several_servers STORE URL: rents through one, two and three servers, in turns; the first one runs already.
several_servers() {
  local store=$1 urls=("$2") pids=() round count figures port others=()
  for count in 2 3; do
    "$HW" serve --listen 127.0.0.1:0 --samples --store "$store" >"$WORK/server.$count" &
    pids+=($!)
    until [[ -s $WORK/server.$count ]]; do sleep 0.05; done
    urls+=("$(cat "$WORK/server.$count")")
  done
  : >"$WORK/rates"
  for round in 1 2 3; do
    for count in 1 2 3; do
      free_bikes
      echo "$count $(rents_per_second "${urls[@]:0:count}")" >>"$WORK/rates"
    done
  done
  for count in 1 2 3; do
    sort -k 2n <(grep "^$count " "$WORK/rates") | sed -n 2p
  done >"$WORK/medians"
  awk '
    { rate[$1] = $2; busy[$1] = $3 }
    END {
      for (n = 2; n <= 3; n++) {
        saturated = busy[1] >= 90 ? " (saturated: the cores were " busy[1] " % busy with one server)" : ""
        printf "postgresql/%s-servers\t%.2f%s\t%s\n", n == 2 ? "two" : "three", rate[n] / rate[1], saturated, n == 2 ? ">=1.2" : ">=1"
      }
      for (n = 1; n <= 3; n++) printf "  rents with %d servers: %.0f/s, cores %d %% busy\n", n, rate[n], busy[n] >"/dev/stderr"
    }' "$WORK/medians"

  free_bikes
  for port in "${urls[@]}"; do others+=("${port##*:}"); done
  # From the fourth request on, each worker reads from a copy in memory.
  wrk -t 1 -c 64 -d 3s "${urls[1]}/bikes?latitude=50.1&longitude=8.6&radius=300" >/dev/null
  for round in idle busy; do
    if [[ $round == busy ]]; then
      HW_BENCH_FIRST=10000 wrk -t 1 -c 32 -d 10s -s "$WORK/postgresql.lua" "${urls[2]}" >/dev/null &
      pids+=($!)
    fi
    if figures=$("$WORK/visibility" "${others[0]}" "${others[1]}" 1000 2>"$WORK/failure"); then
      awk -F '\t' -v name="postgresql/visible-$round" '{
        printf "%s\t%s ms\t<=1000\n", name, $2
        printf "  %s: median %s ms, p99 %s ms; %d of 1000 in the first list\n", name, $1, $2, $3 >"/dev/stderr"
      }' <<<"$figures"
    else
      failed "postgresql/visible-$round" '<=1000'
    fi
  done
  for round in "${pids[@]}"; do
    kill "$round" 2>/dev/null || true
    wait "$round" || true
  done
}

postgresql_case() {
  local tools=$1 directory=$WORK/postgresql pids=() as=() round
  mkdir -p "$directory"
  # PostgreSQL refuses to run as root.
  if [[ $(id -u) == 0 ]]; then
    as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    chmod 755 "$WORK"
    chown 65534:65534 "$directory"
  fi
  (cd / && "${as[@]}" "$tools/initdb" -D "$directory/data" -A trust -U hw -E UTF8 --locale=C.UTF-8 >/dev/null)
  (cd / && exec "${as[@]}" "$tools/postgres" -D "$directory/data" -k "$directory" -c listen_addresses= \
    -c shared_buffers=256MB -c max_wal_size=4GB >"$WORK/postgresql.log" 2>&1) &
  pids+=($!)
  for round in $(seq 200); do
    "$tools/pg_isready" -q -h "$directory" -U hw && break
    sleep 0.05
  done
  local store="postgresql://hw@/postgres?host=${directory//\//%2F}"

  awk 'BEGIN {
    print "name,color,pin,latitude,longitude"
    for (i = 0; i < 100000; i++) {
      far = 0.45 * sqrt((i + 0.5) / 100000); turn = i * 2.399963229728653
      printf "Bike %d,00C8E6,0420,%.6f,%.6f\n", i, 50.119504 + far * cos(turn), 8.638137 + far * sin(turn) / 0.641
    }
  }' >"$WORK/postgresql.csv"
  "$HW" serve --listen 127.0.0.1:0 --samples --store "$store" >"$WORK/postgresql.url" &
  pids+=($!)
  "$HW" serve --listen 127.0.0.1:0 --samples --store "$WORK/beside" >"$WORK/sqlite.url" &
  pids+=($!)
  until [[ -s $WORK/postgresql.url && -s $WORK/sqlite.url ]]; do sleep 0.05; done
  local postgresql sqlite
  postgresql=$(cat "$WORK/postgresql.url")
  sqlite=$(cat "$WORK/sqlite.url")
  for round in "$postgresql" "$sqlite"; do
    "$HW" bikes import "$WORK/postgresql.csv" --url "$round" >/dev/null
  done
  free_bikes() {
    "$tools/psql" -Xq -h "$directory" -U hw -d postgres -c 'UPDATE bike SET rented = 0 WHERE rented = 1' \
      -c 'VACUUM ANALYZE' -c CHECKPOINT
  }
  free_bikes
  sync

  # The statements of one rent.
  cat >"$WORK/rent.sql" <<'SQL'
\set id random(1, 99999)
BEGIN;
SELECT id, name, color, pin, latitude, longitude, rented, owner, renter, deleted, revision
  FROM bike WHERE id = :id AND deleted = 0 FOR UPDATE;
UPDATE bike SET rented = 1, renter = NULL, revision = nextval('bike_revision'), writer = txid_current() WHERE id = :id;
INSERT INTO rental (bike, renter, rented_at, from_latitude, from_longitude) VALUES (:id, NULL, 1, 50.1, 8.6);
COMMIT;
SQL
  cat >"$WORK/postgresql.lua" <<'LUA'
local n = tonumber(os.getenv("HW_BENCH_FIRST") or 3)
request = function()
  n = n + 1
  return wrk.format("PUT", "/bikes/" .. n .. "/rented")
end
LUA
  local alone=() rents=() ours=() theirs=()
  for round in 1 2 3; do
    alone[round]=$("$tools/pgbench" -n -h "$directory" -U hw -M prepared -T 3 -f "$WORK/rent.sql" postgres 2>/dev/null |
      awk '/^tps/ { print $3 }')
    free_bikes
    rents[round]=$(per_second "$postgresql" -s "$WORK/postgresql.lua")
    free_bikes
  done
  ratio_of_medians postgresql/rents '>=5' "${rents[@]}" against "${alone[@]}"

  local near='bikes?latitude=50.119504&longitude=8.638137&radius=300'
  # From the fourth request on, each worker reads from a copy in memory, which it first has to fill.
  for round in "$postgresql" "$sqlite"; do wrk -t 1 -c 64 -d 3s "$round/$near" >/dev/null; done
  for round in 1 2 3; do
    ours[round]=$(per_second "$postgresql/$near")
    theirs[round]=$(per_second "$sqlite/$near")
  done
  ratio_of_medians postgresql/near '>=0.5' "${ours[@]}" against "${theirs[@]}"

  if reference visibility; then several_servers "$store" "$postgresql"; else failed postgresql/two-servers '>=1.2'; fi
  for round in "${pids[@]:1}" "${pids[0]}"; do
    kill "$round"
    wait "$round" || true
  done
}

if ! tools=$(postgresql_tools); then
  skipped postgresql/rents '>=5' 'initdb and pgbench'
  skipped postgresql/near '>=0.5' 'initdb and pgbench'
  skipped postgresql/two-servers '>=1.2' 'initdb and pgbench'
elif ! has wrk; then
  skipped postgresql/rents '>=5' wrk
  skipped postgresql/near '>=0.5' wrk
  skipped postgresql/two-servers '>=1.2' wrk
else
  postgresql_case "$tools"
fi
