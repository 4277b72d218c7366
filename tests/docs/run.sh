#!/usr/bin/env bash
# Runs every command of README.md, CONTRIBUTING.md and docs/ in a copy of the tree.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/docs/run.sh [--part K/N | FILE.md ...]
# --part: of the pages that take long, the K-th, the (K+N)-th, …; all others.
# Commands are what stands in blocks fenced as ```sh. The blocks of a file run in order, in one
# directory, each stopping at its first failing command; variables and `cd` carry over. A comment
# in front of a block changes what is asked of it:
#   <!-- not run: REASON -->   the block is not run; the reason is counted as a skip
#   <!-- exits N -->           the block must end with exit code N
# Blocks of other languages (text, yaml, c, ...) are never run; commands fenced as bash, shell or
# console are refused, and so is what looks like one in a block without a language, so that none
# escapes.
set -u
cd "$(dirname "$0")/../.." || exit 2
unset MAKEFLAGS MFLAGS MAKELEVEL
root=$PWD
TIMEFORMAT='%0R s, of processors %0U s and %0S s for the system'
# Pages whose commands take a quarter of a minute and more.
long=(systemc backends mutation performance coverage)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0 ran=0

# blocks FILE DIRECTORY: DIRECTORY/N.sh, N.line, N.exits, N.reason for each block.
blocks() {
  awk -v dir="$2" '
    !inside && /^ *<!-- *not run:/ { reason = $0; sub(/.*not run: */, "", reason); sub(/ *-->.*/, "", reason) }
    !inside && /^ *<!-- *exits [0-9]+ *-->/ { exits = $0; gsub(/[^0-9]/, "", exits) }
    !inside && /^ *```(bash|shell|console|zsh)/ { print FILENAME ":" NR; next }
    !inside && /^ *```sh *$/ {
      inside = 1; n++; name = sprintf("%s/%03d", dir, n)
      print NR > (name ".line"); print exits + 0 > (name ".exits")
      if (reason != "") print reason > (name ".reason")
      printf "" > (name ".sh"); reason = exits = ""; next
    }
    inside && /^ *```/ { inside = 0; next }
    inside { print > (name ".sh"); next }
    !inside && /^ *```/ { other = !other; plain = other && /^ *```*$/; next }
    plain && other && /^(make|heddle|git|sqlite3|gtkwave|(build|mk|tests|tb)\/[^ ]*)( |$)/ {
      print FILENAME ":" NR; plain = 0
    }
    !inside && !/^ *$/ && !/<!--/ { reason = exits = "" }
  ' "$1"
}

# A copy of what git sees, with times kept, and what is built already.
copy() {
  mkdir -p "$1"
  git ls-files -co --exclude-standard -z | xargs -0 cp -a --parents -t "$1"
  if [ -d build ]; then
    mkdir -p "$1/build"
    [ ! -d build/opt ] || cp -a build/opt "$1/build/opt"
    # Entries of the cache are never written again: links will do, where there can be any.
    [ ! -d build/dut ] || cp -al build/dut "$1/build/dut" 2>/dev/null || cp -a build/dut "$1/build"
  fi
  (cd "$1" && git init -q . && git add -A && git -c user.name=docs -c user.email=docs@localhost \
    commit -q -m docs) || exit 2
}

# file FILE
file() {
  local dir=$work/blocks bad n
  rm -rf "$dir" "$work/state" "$work/cwd"
  mkdir -p "$dir"
  bad=$(blocks "$1" "$dir")
  if [ -n "$bad" ]; then
    echo "not ok $bad: fence commands as sh, output as text"
    status=1
  fi
  echo "$work/tree" >"$work/cwd"
  : >"$work/state"
  for n in "$dir"/*.sh; do
    [ -e "$n" ] || return
    block "$1" "${n%.sh}"
  done
}

# block FILE STEM
block() {
  local where rc=0 want
  where=$1:$(cat "$2.line")
  if [ -e "$2.reason" ]; then
    echo "SKIP $where: not run: $(cat "$2.reason")"
    return
  fi
  want=$(cat "$2.exits")
  {
    # shellcheck disable=SC2016 # expanded by the script that is made
    printf 'cd "$(cat %q)" || exit 99\n. %q\nset -eo pipefail\n' "$work/cwd" "$work/state"
    printf 'trap %q EXIT\n' "rc=\$?; pwd >'$work/cwd'; export -p >'$work/state'; exit \$rc"
    cat "$2.sh"
  } >"$work/script"
  { time timeout -k 10 "${LIMIT:-900}" bash "$work/script" >"$work/out" 2>&1 </dev/null || rc=$?; } 2>"$work/took"
  ran=$((ran + 1))
  if [ "$rc" = "$want" ]; then
    echo "ok $where ($(cat "$work/took"))"
  else
    awk '{ print "    $ " $0 }' "$2.sh"
    tail -n 20 "$work/out" | awk '{ print "    | " $0 }'
    echo "not ok $where ended with exit code $rc, not $want"
    status=1
  fi
}

left=()
if [ "${1-}" = --part ]; then
  for ((n = 0; n < ${#long[@]}; n++)); do
    [ $((n % ${2#*/} + 1)) = "${2%/*}" ] || left+=("docs/${long[n]}.md")
  done
  shift 2
fi
if [ $# = 0 ]; then
  mapfile -t pages < <(git ls-files -co --exclude-standard -- README.md CONTRIBUTING.md 'docs/*.md')
else
  pages=("$@")
fi
copy "$work/tree"
for page in "${pages[@]}"; do
  case " ${left[*]} " in *" $page "*) ;; *) file "$page" ;; esac
done
cd "$root" || exit 2
if [ "$ran" = 0 ]; then
  echo "not ok no command found in ${pages[*]}"
  status=1
fi
exit $status
