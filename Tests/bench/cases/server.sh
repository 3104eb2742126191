# shellcheck shell=bash
# One node's JSON from `hw serve` on one core against the same bytes from one nginx worker, load from another core.
# The ratio is ours over theirs, the median of nine runs in turn: requests a second, and the 99th percentile.
server_case() {
  local key url path connections round
  rm -f "$WORK/url"
  "$HW" serve --demo --listen 127.0.0.1:0 --ready-file "$WORK/url" >/dev/null &
  local ours=$!
  until [[ -s $WORK/url ]]; do sleep 0.01; done
  taskset -pc 0 "$ours" >/dev/null
  url=$(cat "$WORK/url")
  key=$("$HW" nodes top -n 1 --fields publicKey --tsv --no-header --url "$url")
  path=/api/v1/lightning/nodes/$key
  mkdir -p "$WORK/www${path%/*}"
  curl -s "$url$path" -o "$WORK/www$path"
  cat >"$WORK/nginx.conf" <<CONF
worker_processes 1;
worker_cpu_affinity 01;
error_log $WORK/nginx.log;
pid $WORK/nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000000;
  default_type application/json;
  server { listen 127.0.0.1:7480; root $WORK/www; }
}
CONF
  nginx -c "$WORK/nginx.conf"
  for connections in 64 512; do
    : >"$WORK/rounds"
    for round in 1 2 3 4 5 6 7 8 9; do
      {
        load "$url$path" "$connections"
        load "http://127.0.0.1:7480$path" "$connections"
      } | paste -s -d ' ' >>"$WORK/rounds"
    done
    awk '{ print $1 / $3 }' "$WORK/rounds" | sort -n |
      awk -v c="$connections" 'NR == 5 { printf "server/requests-%s\t%.2f\t>=1.2\n", c, $1 }'
    awk '{ print $2 / $4 }' "$WORK/rounds" | sort -n |
      awk -v c="$connections" 'NR == 5 { printf "server/p99-%s\t%.2f\t<=0.8\n", c, $1 }'
    sed "s/^/  server, $connections connections (req\/s, p99 ms, nginx's): /" "$WORK/rounds" >&2
  done
  {
    peak "$ours"
    for round in $(pgrep -P "$(cat "$WORK/nginx.pid")") $(cat "$WORK/nginx.pid"); do peak "$round"; done | paste -s -d + | bc
  } | paste -s -d ' ' | awk '{ printf "server/memory\t%.2f\t<=2\n", $1 / $2 }'
  kill "$ours" "$(cat "$WORK/nginx.pid")"
}

# load URL CONNECTIONS: requests a second and the 99th percentile in milliseconds, a line.
load() {
  taskset -c 1 wrk -t 1 -c "$2" -d 2 --latency "$1" | awk '
    $1 == "99%" { p99 = $2 ~ /us$/ ? $2 / 1000 : $2 ~ /ms$/ ? $2 + 0 : $2 * 1000 }
    $1 == "Requests/sec:" { print $2, p99 }'
}

# peak PID: the most memory it held, in kilobytes.
peak() { awk '/^VmHWM/ { print $2 }' "/proc/$1/status"; }

# not_reading COUNT: the peak memory in kilobytes of a server of 100 000 bikes while so many connections request the list
# and read one byte of it.
not_reading() {
  local url port socket sockets=() round
  rm -f "$WORK/url"
  "$HW" serve --listen 127.0.0.1:0 --ready-file "$WORK/url" --store "$WORK/not-reading" >/dev/null &
  local ours=$!
  until [[ -s $WORK/url ]]; do sleep 0.01; done
  url=$(cat "$WORK/url")
  port=${url##*:}
  # The server's caches are filled in either case.
  for round in 1 2 3 4 5; do curl -s "$url/bikes" -o /dev/null; done
  for ((round = 0; round < $1; round++)); do
    exec {socket}<>"/dev/tcp/127.0.0.1/$port"
    sockets+=("$socket")
    printf 'GET /bikes HTTP/1.1\r\nHost: a\r\n\r\n' >&"$socket"
  done
  for socket in "${sockets[@]}"; do read -r -N 1 -t 60 -u "$socket" _ || echo "  server/not-reading: a connection was closed" >&2; done
  peak "$ours"
  for socket in "${sockets[@]}"; do exec {socket}>&-; done
  kill "$ours"
}

if has curl; then
  awk 'BEGIN {
    print "name,color,pin,latitude,longitude"
    for (i = 0; i < 100000; i++) printf "Bike %d,00C8E6,0420,50.1,%.6f\n", i, 8 + i / 100000
  }' >"$WORK/not-reading.csv"
  "$HW" bikes import "$WORK/not-reading.csv" --url "embedded:$WORK/not-reading" >/dev/null
  { not_reading 150; not_reading 1; } | paste -s -d ' ' | awk '{
    printf "server/not-reading\t%.2f\t<=2\n", $1 / $2
    printf "  server/not-reading: %.0f MB against %.0f MB\n", $1 / 1024, $2 / 1024 >"/dev/stderr"
  }'
else
  skipped server/not-reading '<=2' curl
fi

if has wrk && has nginx && has curl && has taskset && has bc; then
  server_case
else
  skipped server '>=1.2' 'wrk, nginx, curl, taskset or bc'
fi
