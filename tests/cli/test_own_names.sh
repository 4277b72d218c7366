#!/usr/bin/env bash
# Functions of users' software and backends are used even if Heddle or a library has one of the same name.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

cat >names.yaml <<'END'
name: names
fabric: {topology: mesh, dims: [2, 2]}
software: {program: ./names.so}
END
# object NAME OPTION...
object() {
  gcc -std=c11 -O2 -fno-builtin -fPIC -shared "${@:2}" -o "$1.so" "$root/tests/cli/names.c"
}
# The loader writes addresses at the first call (lazy), at once (now), or into pages that stay writable (norelro).
for how in lazy now norelro; do
  check "an object is built, -z $how" object names "-Wl,-z,$how"
  exits 0 "a program calls its own functions, -z $how" "$HEDDLE" run names.yaml --dut none --out "$how"
  exits 7 "a backend, -z $how" "$HEDDLE" run "$root/tests/scenarios/mesh-8x8-uniform.yaml" --dut ./names.so --cycles 9
  says err "names: all are its own" "calls its own functions, -z $how"
done
# Loads a program and a backend with the same names at once.
check "another object of these names is built" object other -DRESULT=70
exits 7 "a program beside a backend of these names" "$HEDDLE" run names.yaml --dut ./other.so
says err "names: all are its own" "the backend's are its own"
cp other.so names.so
exits 0 "and the other way round" "$HEDDLE" run names.yaml --dut none --out other
says out "minimum 70, mean 70.00" "the program's are its own"
summary
