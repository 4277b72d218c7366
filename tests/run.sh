#!/usr/bin/env bash
# Runs the groups of tests/groups.txt in order and ends with one line that counts everything.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/run.sh [GROUP ...]        (default: all)
# A group's output goes to build/test/GROUP.log. It fails when its command ends with a code other
# than 0, when it counts a failure, when it counts nothing at all, or when its time is up; the
# end of a failed group's log is shown. Ends with 1 when anything failed.
#
# Groups with & before their name run one after the other beside the rest, from where the first of
# them stands: they keep one core busy, and what they build no other group builds.
set -u
cd "$(dirname "$0")/.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES GNUMAKEFLAGS SAN V
export HEDDLE_UNOPTIMISED=1 # most switches simulate for less time than they take to be built
logs=build/test
groups=${GROUPS_FILE:-tests/groups.txt}
mkdir -p "$logs"
counts=$(mktemp -d)
failures=$(mktemp)
trap 'rm -rf "$counts" "$failures"' EXIT

running=''
beside=''
stop() {
  [ -z "$running" ] || kill -TERM "$running" 2>/dev/null
  [ -z "$beside" ] || kill -TERM "$beside" 2>/dev/null
  echo "interrupted"
  exit 130
}
trap stop INT TERM
begin=$SECONDS

# field N LINE: N-th of the fields between bars, without blanks around it.
field() { cut -d'|' -f"$1" <<<"$2" | sed 's/^[ &]*//; s/ *$//'; }

# spent NAME: processor seconds of a group; 0 where it was killed.
spent() {
  local user=0m0 system=0m0
  [ ! -s "$counts/.$1" ] || { read -r user && read -r user system; } <"$counts/.$1"
  user=${user%.*} system=${system%.*}
  echo $((${user%m*} * 60 + ${user#*m} + ${system%m*} * 60 + ${system#*m}))
}

# verdict NAME LIMIT SECONDS PROCESSOR-SECONDS EXIT-CODE: judges its log, counts, and says so.
verdict() {
  local log=$logs/$1.log p f s why=
  read -r p f s < <(awk -f tests/count.awk "$log")
  if [ "$5" = 124 ] || [ "$5" = 137 ]; then
    why="no end within $2 s"
  elif [ "$5" != 0 ] && [ "$f" = 0 ]; then
    why="ended with exit code $5"
  elif [ $((p + f + s)) = 0 ]; then
    why="ran nothing"
  fi
  [ -z "$why" ] || f=$((f + 1))
  echo "$p $f $s $4" >"$counts/$1"
  printf '%-18s%5d s  %5d s of processors  %d passed, %d failed, %d skipped%s\n' \
    "$1" "$3" "$4" "$p" "$f" "$s" "${why:+ ($why)}"
  if [ "$f" != 0 ]; then
    {
      echo "FAILED $1: $f${why:+ ($why)}; $log"
      grep -E '^(not ok|\[  FAILED  \]|FAIL)|rror:' "$log" | head -20 | cut -c1-400 | sed 's/^/    | /'
    } | tee -a "$failures"
    echo "    ... the end of $log:"
    tail -n 30 "$log" | sed 's/^/    | /'
  elif [ "$s" != 0 ]; then
    grep -E '^SKIP|^\[  SKIPPED \] [^0-9]' "$log" | sort -u | sed 's/^/    | /'
  fi
}

# group LINE
group() {
  local name limit said start=$SECONDS rc=0
  name=$(field 1 "$1") limit=$(field 2 "$1")
  echo "$name ..."
  timeout -k 20 "$limit" bash -o pipefail -c "trap 'times >$counts/.$name' EXIT; $(field 3 "$1")" >"$logs/$name.log" 2>&1 </dev/null &
  running=$!
  wait "$running" || rc=$?
  running=
  said=$(verdict "$name" "$limit" $((SECONDS - start)) "$(spent "$name")" "$rc")
  echo "$said" # in one piece
}

# lane LINE ...
lane() {
  local line
  for line in "$@"; do group "$line"; done
}

wanted=" $* "
main=() side=() first=
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  [ $# = 0 ] || [[ $wanted == *" $(field 1 "$line") "* ]] || continue
  case $line in
    '&'*) first=${first:-${#main[@]}} side+=("$line") ;;
    *) main+=("$line") ;;
  esac
done <"$groups"

lane "${main[@]:0:${first:-${#main[@]}}}"
if [ -n "$first" ]; then
  lane "${side[@]}" &
  beside=$!
  lane "${main[@]:$first}"
  wait "$beside"
  beside=
fi

read -r ran passed failed skipped processors < <(cat "$counts"/* /dev/null 2>/dev/null |
  awk '{ p += $1; f += $2; s += $3; t += $4 } END { print NR, p + 0, f + 0, s + 0, t + 0 }')
if [ "$ran" != $((${#main[@]} + ${#side[@]})) ]; then
  echo "a group did not come to its end" >&2
  failed=$((failed + 1))
elif [ "$ran" = 0 ] || { [ $# != 0 ] && [ "$ran" != $# ]; }; then
  echo "no such group; tests/groups.txt names them" >&2
  failed=$((failed + 1))
fi
cat "$failures"
echo "$((SECONDS - begin)) s in all, $processors s of processors; logs in $logs/"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
