# shellcheck shell=bash
# The rate limit's ledger: 8 processes at once ask 20 000 times each for one of 150 000 calls. All of these are granted,
# none twice.
ledger_case() {
  local each
  # shellcheck disable=SC2046
  if ! swiftc -O -wmo -static-stdlib -o "$WORK/ledger" -module-name ledger \
    -Xcc "-fmodule-map-file=$OBJECTS/CLibraries.build/module.modulemap" -I "$OBJECTS/Modules" "$BENCH/ledger.swift" \
    $(find "$OBJECTS"/{CLibraries,System,JSON,HTTP}.build -name '*.o') 2>"$WORK/failure"; then
    failed ledger/granted '=1'
    return
  fi
  mkdir -p "$WORK/ledgers"
  local start=$EPOCHREALTIME
  for each in 1 2 3 4 5 6 7 8; do
    "$WORK/ledger" "$WORK/ledgers" 20000 >"$WORK/granted.$each" &
  done
  wait
  awk -v start="$start" -v end="$EPOCHREALTIME" '{ sum += $1 } END {
    printf "ledger/granted\t%.5f\t=1\n", sum / 150000
    printf "  ledger: %d of 160000 takes granted, %.1f us a take\n", sum, (end - start) * 1e6 / 160000 >"/dev/stderr"
  }' "$WORK"/granted.?
}
ledger_case
