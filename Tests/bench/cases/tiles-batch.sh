# shellcheck shell=bash
# Ten million pairs of five letters, 120 MB, through stdin.
reference make-pairs
reference tiles-plain
reference tiles-tuned
pairs=$WORK/pairs
"$WORK/make-pairs" 10000000 >"$pairs"
for rival in plain tuned; do
  agree "tiles-batch/$rival" -i "$pairs" -- "$HW" wordle tiles - -- "$WORK/tiles-$rival" || continue
  goal='>=2'
  [[ $rival == tuned ]] && goal='>=0.9'
  compare "tiles-batch/$rival" "$goal" -i "$pairs" -- "$HW" wordle tiles - -- "$WORK/tiles-$rival"
done
# JSON against text: a hundred bytes a row against sixteen.
compare tiles-batch/json '<=15' -i "$pairs" -- "$HW" wordle tiles --json - -- "$HW" wordle tiles -
memory tiles-batch/memory '<12 MB' -i "$pairs" -- "$HW" wordle tiles -
rm -f "$pairs"
