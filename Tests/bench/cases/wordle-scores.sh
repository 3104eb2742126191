# shellcheck shell=bash
# As many scores as there were games by 2026: to add them up, and to show the newest, against a start of hw that does nothing.
scores=$WORK/scores.jsonl
awk 'BEGIN {
  split("crane storm lapse sweet month nymph stair peony", words, " ")
  for (id = 1; id <= 1700; id++) {
    date = sprintf("%04d-%02d-%02d", 1990 + int(id / 336), 1 + int(id / 28) % 12, 1 + id % 28)
    printf "{\"id\":%d,\"date\":\"%s\",\"word\":\"sugar\",\"tries\":[\"%s\",\"%s\",\"%s\"]}\n",
      id, date, words[1 + id % 8], words[1 + id % 7], id % 9 ? "sugar" : "solar"
  }
}' >"$scores"
export HW_WORDLE_URL=embedded:$WORK/wordle
if "$HW" wordle add "$scores" --replace -q >/dev/null 2>"$WORK/failure"; then
  compare wordle-scores/stats '<=4' -n 51 -- "$HW" wordle stats -- "$HW" --version
  compare wordle-scores/newest '<=3' -n 51 -- "$HW" wordle scores --limit 20 -- "$HW" --version
  compare wordle-scores/empty '<=3' -n 51 -- "$HW" wordle stats --url "embedded:$WORK/none" -- "$HW" --version
  memory wordle-scores/memory '<32 MB' -- "$HW" wordle stats
else
  failed wordle-scores '<=4'
fi
unset HW_WORDLE_URL
rm -rf "$scores" "$WORK/wordle" "$WORK/none"
