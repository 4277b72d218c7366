#!/usr/bin/env bash
# Runs groups of tests/groups.txt in order and ends with one line that counts everything.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/run.sh                      the gate: groups that always run, parts, one group in turn, and the records
#        tests/run.sh --all                every group whole, whatever is recorded; RECORD=1 writes records, too
#        tests/run.sh --record [GROUP ...] runs groups, by default those whose record is not of today's inputs, and
#                                          writes tests/records/GROUP.txt for each that has passed
#        tests/run.sh GROUP ...            these groups, of any tier
# tests/groups.txt says what the tiers are. TURN=N chooses parts and the group in turn; the commit does by default.
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
records=${RECORDS:-tests/records}
export TURN=${TURN:-$((16#$(git rev-parse HEAD 2>/dev/null | cut -c1-6 | grep . || echo 0)))}
mode=gate
case ${1-} in
  --all) mode=all && shift ;;
  --record) mode=record RECORD=1 && shift ;;
esac
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

# part N: this turn's K/N of what a group does. Commands of groups call it.
part() { echo "$((TURN % $1 + 1))/$1"; }
export -f part

# inputs_hash LINE: a hash of a group's command and of all files that its inputs name, but for pages and for comments in
# C and Verilog (tests/code_hashes.py).
inputs_hash() {
  local inputs
  read -ra inputs <<<"$(field 4 "$1")"
  {
    field 5 "$1"
    git ls-files -co --exclude-standard -z -- "${inputs[@]}" | grep -zv '\.md$' | sort -zu | tests/code_hashes.py
  } | sha256sum | cut -c1-16
}

# record_of NAME: the hash of the inputs with which the group has passed; nothing without a record.
record_of() { sed -n 's/^inputs //p' "$records/$1.txt" 2>/dev/null; }

# record_write NAME LINE HASH: writes what the group, which has passed, has printed.
record_write() {
  [ "$3" = "$(inputs_hash "$2")" ] || { echo "not recorded $1: its inputs were edited meanwhile" >&2 && return 1; }
  mkdir -p "$records"
  {
    echo "# Written by \`make record NAME=$1\`: what the group printed when it passed with these inputs."
    echo "inputs $3"
    awk -f tests/count.awk "$logs/$1.log" | { read -r p f s && echo "$p passed, $f failed, $s skipped"; }
    grep -aE '^(ok|SKIP|\[  PASSED  \])' "$logs/$1.log" | cut -c1-160
  } >"$records/$1.txt"
  echo "recorded $records/$1.txt"
}

# records_check LINE ...: does each group's record belong to the inputs of today?
records_check() {
  local line name hash
  for line in "$@"; do
    name=$(field 1 "$line") hash=$(record_of "$name")
    if [ -z "$hash" ]; then
      echo "not ok record $name: there is none; make record NAME=$name runs the group and writes it"
    elif [ "$hash" != "$(inputs_hash "$line")" ]; then
      echo "not ok record $name: its inputs ($(field 4 "$line")) have changed since; make record NAME=$name"
    else
      echo "ok record $name: $(sed -n 3p "$records/$name.txt")"
    fi
  done
}

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
  local name limit said hash start=$SECONDS rc=0
  name=$(field 1 "$1") limit=$(field 3 "$1")
  case $(field 2 "$1") in
    recorded | turn) hash=${RECORD:+$(inputs_hash "$1")} ;;
    *) hash= ;;
  esac
  echo "$name ..."
  timeout -k 20 "$limit" bash -o pipefail -c "trap 'times >$counts/.$name' EXIT; $(field 5 "$1")" >"$logs/$name.log" 2>&1 </dev/null &
  running=$!
  wait "$running" || rc=$?
  running=
  said=$(verdict "$name" "$limit" $((SECONDS - start)) "$(spent "$name")" "$rc")
  echo "$said" # in one piece
  if [ -n "$hash" ] && [ "$(cut -d' ' -f2 "$counts/$name")" = 0 ]; then
    record_write "$name" "$1" "$hash" || echo "0 1 0 0" >"$counts/$name"
  fi
}

# lane LINE ...
lane() {
  local line
  for line in "$@"; do group "$line"; done
}

# Which groups run: main one after the other, side beside them, from where the first of side stands.
wanted=" $* "
main=() side=() first='' recorded=() in_turn=() lines=()
while IFS= read -r line; do
  case $line in '' | '#'*) continue ;; esac
  lines+=("$line")
  case $(field 2 "$line") in
    recorded) recorded+=("$line") ;;
    turn) recorded+=("$line") in_turn+=("$line") ;;
    always | part | full) ;;
    *) echo "$groups: no such tier: $line" >&2 && exit 2 ;;
  esac
done <"$groups"
turn=
if [ $mode = gate ] && [ $# = 0 ]; then
  [ ${#in_turn[@]} = 0 ] || turn=$(field 1 "${in_turn[TURN % ${#in_turn[@]}]}")
  echo "turn $TURN${turn:+: the group $turn runs whole}; again: make test TURN=$TURN"
fi

# chosen LINE: does the group run?
chosen() {
  local name tier
  name=$(field 1 "$1") tier=$(field 2 "$1")
  if [ "$wanted" != '  ' ]; then
    [[ $wanted == *" $name "* ]]
  else
    case $mode in
      gate) [ "$tier" = always ] || [ "$tier" = part ] || [ "$name" = "$turn" ] ;;
      all) [ "$tier" != part ] ;;
      record)
        [ "$tier" = recorded ] || [ "$tier" = turn ] || return 1
        [ "$(record_of "$name")" != "$(inputs_hash "$1")" ]
        ;;
    esac
  fi
}
for line in "${lines[@]}"; do
  chosen "$line" || continue
  case $line in
    '&'*) first=${first:-${#main[@]}} side+=("$line") ;;
    *) main+=("$line") ;;
  esac
done
if [ $mode = record ] && [ ${#main[@]} = 0 ] && [ ${#side[@]} = 0 ] && [ $# = 0 ]; then
  echo "every record is of today's inputs"
  exit 0
fi

if [ $mode = gate ] && [ $# = 0 ] && [ ${#recorded[@]} != 0 ]; then
  records_check "${recorded[@]}" >"$logs/records.log"
  verdict records 0 0 0 0
fi
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
[ ! -e "$counts/records" ] || ran=$((ran - 1))
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
