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

if has wrk && has nginx && has curl && has taskset && has bc; then
  server_case
else
  skipped server '>=1.2' 'wrk, nginx, curl, taskset or bc'
fi
