#!/usr/bin/env bash
# Walls that only object files show: no globals in libraries, nothing but libc under the model.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/lint/symbols.sh DIRECTORY-OF-LIBRARIES
set -u
dir=$1
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

# Writable data that is not merely relocated: .data, .bss, common, thread-local.
globals() {
  objdump -t "$1" | awk -F'\t' -v lib="$1" '
    / file format / { object = $1; sub(/:.*/, "", object) }
    NF == 2 {
      n = split($1, left, " "); m = split($2, right, " ")
      if (left[n] ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && left[n] !~ /^\.data\.rel\.ro/ &&
          right[m] !~ /^\./)
        print lib ": " object " has the global " right[m]
    }'
}

# What cmodel needs from elsewhere must be libc, and there neither I/O, nor clock, nor exit.
needs_elsewhere() {
  nm -A --undefined-only "$1" | awk '{ print $NF }' | sort -u |
    comm -23 - <(nm --defined-only "$1" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
}

for lib in hd_cmodel hd_bridge hd_sw; do
  [ -s "$dir/lib$lib.a" ] || { verdict "$lib without globals" "$dir/lib$lib.a is not there"; continue; }
  verdict "$lib without globals" "$(globals "$dir/lib$lib.a")"
done

allowed='^(mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|chr|nlen|toul|toull|tol)|v?snprintf|malloc|calloc|'
allowed+='realloc|aligned_alloc|free|qsort|bsearch|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|'
allowed+='__(mem|v?snprintf|str)[a-z]*_chk|__isoc[0-9]*_(strto[a-z]*|sscanf)|__ctype_b_loc|ceil|floor|sqrt|log|exp|pow)$'
verdict "hd_cmodel on libc alone, without I/O" \
  "$(needs_elsewhere "$dir/libhd_cmodel.a" | grep -Ev "$allowed" | sed 's/^/libhd_cmodel.a needs /')"
exit $status
