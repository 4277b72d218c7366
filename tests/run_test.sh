#!/usr/bin/env bash
# Proves that tests/run.sh counts right and cannot pass over a failure, and that tests/code_hashes.py sees each change of code.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# says NAME EXIT-CODE LAST-LINE COMMAND [LINES]: a group of COMMAND, and LINES, make run.sh end so.
says() {
  printf 'selftest | always | '"${limit:-300}"' | | %s | x\n%s\n' "$4" "${5-}" >"$work/groups"
  local out rc=0
  out=$(GROUPS_FILE=$work/groups tests/run.sh 2>&1) || rc=$?
  if [ "$rc" = "$2" ] && [ "$(tail -n 1 <<<"$out")" = "$3" ]; then
    echo "ok run.sh: $1"
  else
    awk '{ print "    | " $0 }' <<<"$out"
    echo "not ok run.sh: $1 (exit code $rc)"
    status=1
  fi
}
says 'counts ok, not ok and SKIP lines' 1 '2 passed, 1 failed, 1 skipped' \
  'echo ok 1; echo ok 2; echo not ok 3; echo SKIP 4; echo okay; exit 1'
says 'counts cmocka' 1 '3 passed, 1 failed, 0 skipped' \
  'echo "[  PASSED  ] 3 test(s)."; echo "[  FAILED  ] 1 test(s), listed below:"; exit 1'
says 'counts what cmocka skips once' 0 '3 passed, 0 failed, 1 skipped' \
  'echo SKIP: x; echo "[  PASSED  ] 3 test(s)."; echo "[  SKIPPED ] 1 test(s), listed below:"'
says 'takes sums where there are sums' 0 '7 passed, 0 failed, 1 skipped' \
  'echo ok x; echo 3 passed, 0 failed; echo 4 passed, 0 failed, 1 skipped'
says 'fails when a failure is printed and exit code is 0' 1 '1 passed, 1 failed, 0 skipped' \
  'echo ok; echo not ok'
says 'fails when the command fails without a word' 1 '1 passed, 1 failed, 0 skipped' \
  'echo ok; exit 5'
says 'fails when nothing ran' 1 '0 passed, 1 failed, 0 skipped' true
says 'a comparison of backends in no scenario is no success' 1 '0 passed, 1 failed, 0 skipped' \
  'tests/backends/run.sh -n 0 -o build/test/none model'
says 'fails when the command is not there' 1 '0 passed, 1 failed, 0 skipped' no-such-command
# Long enough for the first word of a slow machine; the group itself has no end.
limit=10 says 'fails when time is up' 1 '1 passed, 1 failed, 0 skipped' 'echo ok; sleep infinity'
says 'passes when all is well' 0 '1 passed, 0 failed, 0 skipped' 'echo ok'
beside='&beside | always | 300 | | echo ok; until [ -e build/test/selftest-go ]; do sleep 0.1; done | x'
says 'groups beside others run at the same time' 0 '3 passed, 0 failed, 0 skipped' 'echo ok' \
  "$beside"$'\n''selftest-2 | always | 300 | | echo ok; touch build/test/selftest-go | x'
says 'and fail as all do' 1 '2 passed, 1 failed, 0 skipped' 'echo ok' \
  '&beside | always | 300 | | echo ok; echo not ok | x'
printf 'selftest | always | 300 | | echo not ok one | x\nselftest-2 | always | 300 | | seq 50; echo ok | x\n' >"$work/groups"
end=$(GROUPS_FILE=$work/groups tests/run.sh 2>&1 | tail -n 4)
if [[ $end == 'FAILED selftest: 1; '*$'\n''    | not ok one'$'\n'* ]]; then
  echo 'ok run.sh: says at its end what has failed'
else
  awk '{ print "    | " $0 }' <<<"$end"
  echo 'not ok run.sh: says at its end what has failed'
  status=1
fi
# Records and turns. Inputs are files of this tree; the one that is edited is made for this test.
edited=tests/selftest-input
export RECORDS=$work/records
trap 'rm -rf "$work" "$edited"' EXIT
echo 1 >$edited
cat >"$work/groups" <<'END'
selftest-whole | recorded | 300 | tests/count.awk tests/selftest-input | echo ok whole | x
selftest-part | part | 300 | | echo "ok part $(part 7)" | x
selftest-a | turn | 300 | tests/count.awk | echo ok a | x
selftest-b | turn | 300 | tests/count.awk | echo ok b | x
selftest-full | full | 300 | | echo ok full | x
selftest-bad | full | 300 | | echo not ok bad; exit 1 | x
END
# ends NAME EXIT-CODE LAST-LINE PATTERN OPTION…: run.sh with the options ends so and says so.
ends() {
  local out rc=0
  out=$(GROUPS_FILE=$work/groups tests/run.sh "${@:5}" 2>&1) || rc=$?
  if [ "$rc" = "$2" ] && [ "$(tail -n 1 <<<"$out")" = "$3" ] && grep -q -- "$4" <<<"$out"; then
    echo "ok run.sh: $1"
  else
    awk '{ print "    | " $0 }' <<<"$out"
    echo "not ok run.sh: $1 (exit code $rc)"
    status=1
  fi
}
# With an odd number the second group in turn runs: 2 groups and no record.
TURN=13 ends 'without records the gate fails' 1 '2 passed, 3 failed, 0 skipped' 'not ok record selftest-whole: there is none'
TURN=13 ends 'groups that pass are recorded' 0 '3 passed, 0 failed, 0 skipped' '^recorded .*/selftest-whole.txt' --record
TURN=13 ends 'with records the gate runs parts and one group in turn' 0 '5 passed, 0 failed, 0 skipped' 'selftest-b runs whole'
TURN=14 ends 'another commit has another group in turn' 0 '5 passed, 0 failed, 0 skipped' 'selftest-a runs whole'
echo 2 >$edited
TURN=13 ends 'a record with a changed input fails' 1 '4 passed, 1 failed, 0 skipped' 'not ok record selftest-whole: its inputs .* have changed'
TURN=13 ends 'whose inputs have changed is recorded anew, and nothing else' 0 '1 passed, 0 failed, 0 skipped' '^recorded' --record
sed -i 's/echo ok a/echo ok other/' "$work/groups"
TURN=13 ends 'a record of another command fails' 1 '4 passed, 1 failed, 0 skipped' 'not ok record selftest-a'
sed -i 's/echo ok whole/echo ok whole; echo not ok more/' "$work/groups"
TURN=13 ends 'a group that fails is not recorded' 1 '1 passed, 1 failed, 0 skipped' 'selftest-whole' --record selftest-whole
TURN=13 ends 'all runs every group but parts' 1 '4 passed, 2 failed, 0 skipped' '^selftest-full' --all
for folder in docs fuzz; do echo "selftest-$folder | recorded | 300 | tests/$folder | echo ok | x"; done >"$work/groups"
TURN=13 ends 'groups with one folder of inputs are recorded' 0 '2 passed, 0 failed, 0 skipped' '^recorded' --record
if [ "$(sed -n 2p "$RECORDS/selftest-docs.txt")" != "$(sed -n 2p "$RECORDS/selftest-fuzz.txt")" ]; then
  echo 'ok run.sh: other files have another hash, also in one folder'
else
  echo 'not ok run.sh: other files have another hash, also in one folder'
  status=1
fi
unset RECORDS
# hash NAME TEXT: the hash of a file of that name with that text.
hash() {
  printf '%s' "$2" >"$work/$1"
  printf '%s\0' "$work/$1" | tests/code_hashes.py | cut -d' ' -f1
}
# hashes_are the_same|another NAME TEXT TEXT: have both texts, as files of that name, one hash?
hashes_are() {
  local is=another
  [ "$(hash "$2" "$3")" != "$(hash "$2" "$4")" ] || is=the_same
  if [ $is = "$1" ]; then
    echo "ok code_hashes.py: ${4//$'\n'/ } in $2 has $1 hash"
  else
    printf 'not ok code_hashes.py: two texts of %s have %s hash:\n%s\n%s\n' "$2" $is "$3" "$4" && status=1
  fi
}
hashes_are the_same x.c $'int a; // one\n/* 1 */\nint b;\n' $'/* A\nhead. */\n\nint a; // a "word" more\nint b; /* it\'s\n*/\n'
hashes_are the_same x.sv $'wire a = 8\'h1; // one\nwire b;' $'wire a = 8\'h1;\n\n// more\nwire b; // two'
hashes_are another x.v 'wire a; // 1' 'wire b; // 1'
hashes_are another x.c 's = "a // b";' 's = "a // c";'
hashes_are another x.c 's = "\"a // b";' 's = "\"a // c";'
hashes_are another x.c $'s = "a /* b";\nint c; t = "*/";' $'s = "a /* b";\nint d; t = "*/";'
hashes_are another x.c $'c = \'"\'; a(); // "' $'c = \'"\'; b(); // "'
hashes_are another x.v $'a = 8\'h1; b = "//"; c = 8\'h2;' $'a = 8\'h1; b = "//"; c = 8\'h3;'
hashes_are another x.v $'// verilator lint_off WIDTH\na' $'// verilator lint_off UNUSED\na'
hashes_are another x.v $'/* synopsys translate_off */\na' $'/* of synopsys translate_off */\na'
hashes_are another x.c 'case 1: /* fallthrough */' 'case 1: /* and on */'
hashes_are another x.c $'// on \\\nint a;' $'// off \\\nint a;'
hashes_are another x.c $'#define A b \\\n\nc' $'#define A b \\\nc'
hashes_are another x.cpp 's = R"(" // a)";' 's = R"(" // b)";'
hashes_are another x.v $'assign \\a//b = c;' $'assign \\a//b = d;'
hashes_are another x.c '#error open " // one' '#error open " // two'
hashes_are another x.sh $'a # b' $'a # c'
# A variable that several targets read has the default that each of them says.
if env -u SEEDS make -n timing | grep -q -- ' -s 1,2,3,4,5,6,7 ' && make -n timing SEEDS=9 | grep -q -- ' -s 9 '; then
  echo 'ok make timing: seven seeds where none are given'
else
  echo 'not ok make timing: seven seeds where none are given'
  status=1
fi
rm -f build/test/selftest* build/test/beside*
exit $status
