#!/usr/bin/env bash
# Runs the groups of tests/groups.txt in order and ends with one line that counts everything.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/run.sh [GROUP ...]        (default: all)
# A group's output goes to build/test/GROUP.log. It fails when its command ends with a code other
# than 0, when it counts a failure, when it counts nothing at all, or when its time is up; the
# end of a failed group's log is shown. Ends with 1 when anything failed.
set -u
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS SAN V
logs=build/test
groups=${GROUPS_FILE:-tests/groups.txt}
mkdir -p "$logs"

running=
stop() {
  [ -z "$running" ] || kill -TERM "$running" 2>/dev/null
  echo "interrupted"
  exit 130
}
trap stop INT TERM

passed=0 failed=0 skipped=0 ran=0
begin=$SECONDS

# field N LINE: N-th of the fields between bars, without blanks around it.
field() { cut -d'|' -f"$1" <<<"$2" | sed 's/^ *//; s/ *$//'; }

# group NAME LIMIT COMMAND
group() {
  local log=$logs/$1.log start=$SECONDS rc=0 p f s
  printf '%-10s' "$1"
  timeout -k 20 "$2" bash -o pipefail -c "$3" >"$log" 2>&1 </dev/null &
  running=$!
  wait "$running" || rc=$?
  running=
  read -r p f s < <(awk -f tests/count.awk "$log")
  local why=
  if [ "$rc" = 124 ] || [ "$rc" = 137 ]; then
    why="no end within $2 s"
  elif [ "$rc" != 0 ] && [ "$f" = 0 ]; then
    why="ended with exit code $rc"
  elif [ $((p + f + s)) = 0 ]; then
    why="ran nothing"
  fi
  [ -z "$why" ] || f=$((f + 1))
  printf '%5d s  %d passed, %d failed, %d skipped%s\n' $((SECONDS - start)) "$p" "$f" "$s" \
    "${why:+ ($why)}"
  if [ "$f" != 0 ]; then
    grep -E '^(not ok|\[  FAILED  \]|FAIL)|rror:' "$log" | head -20 | sed 's/^/    | /'
    echo "    ... the end of $log:"
    tail -n 30 "$log" | sed 's/^/    | /'
  elif [ "$s" != 0 ]; then
    grep -E '^SKIP|^\[  SKIPPED \] [^0-9]' "$log" | sort -u | sed 's/^/    | /'
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) ran=$((ran + 1))
}

wanted=" $* "
while IFS= read -r line <&3; do
  case $line in '' | '#'*) continue ;; esac
  name=$(field 1 "$line")
  [ $# = 0 ] || [[ $wanted == *" $name "* ]] || continue
  group "$name" "$(field 2 "$line")" "$(field 3 "$line")"
done 3<"$groups"

if [ "$ran" = 0 ] || { [ $# != 0 ] && [ "$ran" != $# ]; }; then
  echo "no such group; tests/groups.txt names them" >&2
  failed=$((failed + 1))
fi
echo "$((SECONDS - begin)) s in all; logs in $logs/"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
