# shellcheck shell=bash
# A command that asks nothing of anybody, against the least that a dynamic C program costs, and against git.
reference hello
compare start-up/version '<=2.0' -n 301 -- "$HW" --version -- "$WORK/hello"
compare start-up/tiles '<=2.3' -n 301 -- "$HW" wordle tiles ponds nymph -- "$WORK/hello"
if has git; then
  compare start-up/version-git '<=1.1' -n 301 -- "$HW" --version -- git --version
else
  skipped start-up/version-git '<=1.1' git
fi
