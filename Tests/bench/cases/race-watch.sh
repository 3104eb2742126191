# shellcheck shell=bash
# A race that is watched for 26 seconds, against a server of hw's own: what the watcher costs while it waits.
watched=$WORK/watched
# shellcheck disable=SC2016 # The server's own shell expands it.
HOME=$WORK "$HW" serve --race-seconds 26 -- sh -c '
  "$HW" race watch --no-history -q >/dev/null & id=$!
  sleep 24
  awk "/VmHWM/ { printf \"%.1f \", \$2 / 1024 }" "/proc/$id/status"
  awk "{ print (\$14 + \$15) / '"$(getconf CLK_TCK)"' / 24 * 100 }" "/proc/$id/stat"
  wait
' >"$watched" 2>"$WORK/failure"
if read -r megabytes percent <"$watched"; then
  printf 'race-watch/memory\t%s MB\t<20 MB\n' "$megabytes"
  printf 'race-watch/processor\t%s %%\t<1 %%\n' "$percent"
else
  failed race-watch '<20 MB'
fi
rm -f "$watched"
