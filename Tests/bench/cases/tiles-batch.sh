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
memory tiles-batch/memory '<12 MB' -i "$pairs" -- "$HW" wordle tiles -
rm -f "$pairs"
