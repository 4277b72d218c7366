#!/usr/bin/env bash
# Walls that only object files show.
# SPDX-License-Identifier: Apache-2.0
#
# No globals in libraries, nothing but libc under the model and the rules at ports, names that begin with hd_, and a command that shows users'
# shared objects its documented functions alone.
#
# usage: tests/lint/symbols.sh DIRECTORY [HEADER...]    DIRECTORY has the libraries and heddle; headers of the API
set -u
dir=$1
shift
status=0

# verdict NAME VIOLATIONS
verdict() {
  if [ -n "$2" ]; then
    echo "$2"
    echo "not ok $1"
    status=1
  else
    echo "ok $1"
  fi
}

# Writable data that is not merely relocated: .data, .bss, common, thread-local. A handler of signals has no argument
# and finds its note in a variable.
globals() {
  objdump -t "$1" | awk -F'\t' -v lib="$1" '
    / file format / { object = $1; sub(/:.*/, "", object) }
    NF == 2 {
      n = split($1, left, " "); m = split($2, right, " ")
      if (left[n] ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && left[n] !~ /^\.data\.rel\.ro/ &&
          right[m] !~ /^\./ && object !~ /^user_code\.o/)
        print lib ": " object " has the global " right[m]
    }'
}

# Prints the symbols that cmodel or the watch need from elsewhere. Only libc's are allowed, without I/O, clock and exit.
needs_elsewhere() {
  nm -A --undefined-only "$1" | awk '{ print $NF }' | sort -u |
    comm -23 - <(nm --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
}

# Names of one library must not meet those of another, nor of what it is linked with.
without_prefix() {
  nm -A --defined-only "$1" | awk -v lib="$1" '
    NF > 2 && $(NF - 1) ~ /^[A-Z]$/ && $NF !~ /^_*hd_/ { split($1, at, ":"); print lib ": " at[2] " has " $NF ", which does not begin with hd_" }'
}

# Functions and constants that headers declare, as the compiler sees them; hd_dut_backend is the user's.
declared() {
  local work
  work=$(mktemp -d)
  printf '#include "%s"\n' "$@" >"$work/all.c"
  gcc -std=c11 -D_GNU_SOURCE -I. -fsyntax-only -aux-info "$work/all" "$work/all.c"
  sed -n 's|^/\* \./[^ ]*:[0-9]*:NC \*/ extern .*[ *]\(hd_[a-z0-9_]*\) (.*|\1|p' "$work/all" | grep -vx hd_dut_backend
  gcc -std=c11 -D_GNU_SOURCE -I. -E -P "$work/all.c" | tr '\n' ' ' | grep -oE '\bextern const [^;(]*;' |
    sed -E 's/.*[ *](hd_[a-z0-9_]+)(\[.*)?;$/\1/'
  rm -r "$work"
}

# _exit and _Exit are heddle's, so that a backend cannot end the process.
shown() {
  comm -3 <(declared "$@" | sort -u) \
    <(nm -D --defined-only "$dir/heddle" | awk '{ print $NF }' | grep -vxE '_exit|_Exit' | sort -u) |
    sed -e 's/^\t\(.*\)/heddle shows \1, which no header of the API declares/; t' \
      -e 's/$/ is declared in a header of the API, but heddle does not show it/'
}

for lib in hd_cmodel hd_bridge hd_sw hd_watch; do
  [ -s "$dir/lib$lib.a" ] || { verdict "$lib without globals" "$dir/lib$lib.a is not there"; continue; }
  verdict "$lib without globals" "$(globals "$dir/lib$lib.a")"
  verdict "$lib begins its names with hd_" "$(without_prefix "$dir/lib$lib.a")"
done
[ $# = 0 ] || verdict "heddle shows its API alone" "$(shown "$@")"

allowed='^(mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|r?chr|nlen|toul|toull|tol)|v?snprintf|malloc|calloc|'
allowed+='realloc|aligned_alloc|free|qsort|bsearch|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__popcountdi2|'
allowed+='__(mem|v?snprintf|str)[a-z]*_chk|__isoc[0-9]*_(strto[a-z]*|sscanf)|__ctype_b_loc|ceil|floor|sqrt|log|exp|pow)$'
for lib in hd_cmodel hd_watch; do
  verdict "$lib on libc alone, without I/O" \
    "$(needs_elsewhere "$dir/lib$lib.a" | grep -Ev "$allowed" | sed "s/^/lib$lib.a needs /")"
done
exit $status
