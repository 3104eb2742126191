# shellcheck shell=bash
# What a case may use: these, $HW (the program, built for release and installed), $OBJECTS (what it was linked from)
# and $WORK (a folder that goes away).

# has TOOL: whether it is installed.
has() { command -v "$1" >/dev/null 2>&1; }

# reference NAME [ARGUMENT...]: builds NAME.c or NAME.cpp into $WORK/NAME, once; fails, and says why, where it cannot.
reference() {
  local name=$1
  shift
  [[ -x $WORK/$name ]] && return
  local -a compiler=(cc -O2 -std=gnu11 "$BENCH/$name.c")
  [[ -f $BENCH/$name.cpp ]] && compiler=(c++ -O2 -std=c++17 "$BENCH/$name.cpp")
  if ! "${compiler[@]}" -o "$WORK/$name" "$@" 2>"$WORK/failure"; then
    grep -m 1 error "$WORK/failure" >&2
    return 1
  fi
}

# compare NAME GOAL [-n ROUNDS] [-i INPUT] -- OURS... -- THEIRS...
# With a goal `<=N` the ratio is our time over theirs; with `>=N` our speed over theirs.
compare() {
  local name=$1 goal=$2 figures
  shift 2
  if ! figures=$("$WORK/pair" "$@" 2>"$WORK/failure"); then
    failed "$name" "$goal"
    return
  fi
  printf '%s\n' "$figures" | awk -F '\t' -v name="$name" -v goal="$goal" '{
    printf "%s\t%.2f\t%s\n", name, goal ~ /^>/ ? 1 / $3 : $3, goal
    printf "  %s: %.2f ms against %.2f ms\n", name, $1, $2 >"/dev/stderr"
  }'
}

# memory NAME GOAL [-i INPUT] -- OURS...: the most memory it holds, in megabytes.
memory() {
  local name=$1 goal=$2 megabytes
  shift 2
  if megabytes=$("$WORK/pair" -m "$@" 2>"$WORK/failure"); then
    printf '%s\t%s MB\t%s\n' "$name" "$megabytes" "$goal"
  else
    failed "$name" "$goal"
  fi
}

# agree NAME [-i INPUT] -- OURS... -- THEIRS...: both must print the same, or to compare them means nothing.
agree() {
  local name=$1 input=/dev/null
  local -a ours=() theirs=()
  shift
  if [[ $1 == -i ]]; then
    input=$2
    shift 2
  fi
  shift
  while [[ $1 != -- ]]; do
    ours+=("$1")
    shift
  done
  theirs=("${@:2}")
  if "${ours[@]}" <"$input" >"$WORK/ours" 2>"$WORK/failure" &&
    "${theirs[@]}" <"$input" >"$WORK/theirs" 2>"$WORK/failure" &&
    cmp "$WORK/ours" "$WORK/theirs" >"$WORK/failure" 2>&1; then
    rm -f "$WORK/ours" "$WORK/theirs"
  else
    failed "$name" 'the same output'
    return 1
  fi
}

# skipped NAME GOAL TOOL
skipped() { printf '%s\tskipped: no %s\t%s\n' "$1" "$3" "$2"; }

# failed NAME GOAL: says so, with the reason that stands in $WORK/failure; `run` then fails in the end.
failed() {
  touch "$WORK/broken"
  printf '%s\tfailed: %s\t%s\n' "$1" "$(head -n 1 "$WORK/failure" | tr '\t' ' ')" "$2"
}
