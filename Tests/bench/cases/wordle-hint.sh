# shellcheck shell=bash
# The first guess: 12 972 words that may be tried, 2 315 that may be the word. Both use all processors.
reference hint-plain -lpthread
"$WORK/hint-plain" make 12972 1 >"$WORK/guesses"
"$WORK/hint-plain" make 2315 2 >"$WORK/words"
hint=("$HW" wordle hint --word-list "$WORK/words" --guess-list "$WORK/guesses" --tsv --no-header --fields 'word,expected')
plain=("$WORK/hint-plain" "$WORK/words" "$WORK/guesses" "$(nproc)")
if agree wordle-hint -- "${hint[@]}" -- "${plain[@]}"; then
  compare wordle-hint '>=2' -- "${hint[@]}" -- "${plain[@]}"
fi
# Each word may be tried and may be the word.
all=("$HW" wordle hint --word-list "$WORK/guesses" --tsv --no-header --fields 'word,expected')
plain=("$WORK/hint-plain" "$WORK/guesses" "$WORK/guesses" "$(nproc)")
if agree wordle-hint/all -- "${all[@]}" -- "${plain[@]}"; then
  compare wordle-hint/all '>=2' -- "${all[@]}" -- "${plain[@]}"
fi
rm -f "$WORK/guesses" "$WORK/words"
