#!/usr/bin/env bash
# Proves that the end-to-end tests notice missing commands, and do not run with an old DUT.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2016,SC2154
. "$(dirname "$0")/lib.sh" || exit

# made FILE LINE...: writes an end-to-end test with these lines, beside copies of the files that it sources.
made() {
  mkdir -p tree/tests/cli
  cp "$root"/tests/cli/{lib,remote}.sh "$root"/tests/count.awk tree/tests/cli
  {
    echo '. "$(dirname "$0")/lib.sh" || exit'
    printf '%s\n' "${@:2}" summary
  } >"tree/tests/cli/$1"
}
export HEDDLE FAULT=$fault

unset BRIEF
made good.sh 'ok one' 'exits 127 "a command that must be missing" no-such-command'
exits 0 "a good test passes" bash tree/tests/cli/good.sh
says out "2 passed, 0 failed" "and counts"
made misspelt.sh 'ok one' 'equals 1 2 "never looked at"' 'ok two'
exits 1 "a misspelt check fails" bash tree/tests/cli/misspelt.sh
says out "2 passed, 1 failed" "and counts"
made inside.sh 'f() { equals 1 2 x; true; }' 'f' 'ok one'
exits 1 "in a function, too" bash tree/tests/cli/inside.sh
made part.sh 'ok one' '. "$root/tests/cli/remote.sh" || exit' 'ok two'
exits 0 "a test with another file" bash tree/tests/cli/part.sh
rm tree/tests/cli/remote.sh
exits 1 "fails without it" bash tree/tests/cli/part.sh
made none.sh 'ok one'
rm tree/tests/cli/lib.sh
exits 1 "and without this one" bash tree/tests/cli/none.sh
equal "$(grep -hE '^ *(\.|source) ' "$root"/tests/cli/test_*.sh | grep -vc '|| exit$')" 0 "no test sources without that"

# BRIEF=1 leaves out what follows `rest`, unless something has failed before.
made brief.sh 'ok one' rest 'not_ok two "it is not brief"'
exits 1 "a whole test" bash tree/tests/cli/brief.sh
exits 0 "a brief one" env BRIEF=1 bash tree/tests/cli/brief.sh
says out "1 passed, 0 failed" "ends at its rest"
made wrong.sh 'not_ok one "it is wrong"' rest 'ok two'
exits 1 "fails with what it has" env BRIEF=1 bash tree/tests/cli/wrong.sh
long=" $(sed -n 's/^CLI_LONG := //p' "$root/mk/cli.mk") "
while read -r test; do
  test=${test##*/test_} test=${test%.sh}
  if [[ $long == *" $test "* ]]; then
    ok "test_$test.sh: make test-cli-long runs the rest of it"
  else
    check "test_$test.sh: a group runs the rest of it" grep -qE "^[^|]*\| turn .* TESTS=(\"[^\"]*)?\<$test\>" "$root/tests/groups.txt"
  fi
done < <(grep -lE '(^| )rest$' "$root"/tests/cli/test_*.sh)

# A make that prints its arguments.
mkdir fake
printf '#!/bin/sh\necho "$@" >>%s/asked\n' "$work" >fake/make
chmod +x fake/make
made alone.sh 'ok one'
exits 0 "a test that is run alone" env -u HEDDLE -u FAULT PATH="$work/fake:$PATH" bash tree/tests/cli/alone.sh
says asked "build/opt/heddle build/opt/cli/fault.so" "has its command and its DUT built"
printf 'exit 1\n' >>fake/make
exits 1 "and fails when they cannot be" env -u HEDDLE -u FAULT PATH="$work/fake:$PATH" bash tree/tests/cli/alone.sh
summary
