#!/usr/bin/env bash
# heddle bisect: finds the commit that broke a scenario, with merges and with RTL that does not build.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

g() { git -C repo -c user.name=Ann -c user.email=ann@example.org -c commit.gpgsign=false "$@"; }
commit() { g add -A && g commit -q -m "$1" && g tag "$2"; }
rev() { g rev-parse "$1^{commit}"; }
edit() { sed -i "$1" repo/hw/rtl/hd_input_vc.v; }
scenario mesh.yaml 'run: {cycles: 5000, dut: verilator}'

# Eight commits:  start - notes - side ---------- merge - bug - after
#                           \ broken - repaired /
# Other parameters would need other builds. So the other commits change comments only, and each needs one build.
git init -q repo
mkdir repo/hw
cp -r "$root/rtl" repo/hw/rtl
commit "the switch" start
echo "nothing of RTL" >repo/notes
commit "notes alone" notes
g checkout -q -b topic
edit 's/^endmodule/this is no Verilog\nendmodule/'
commit "half a change" broken
edit '/^this is no Verilog$/d'
commit "the other half" repaired
g checkout -q -
echo "more" >>repo/notes
commit "more notes" side
g merge -q --no-ff -m "merge of the topic" topic && g tag merge
edit 's/((tail ? IDLE : OPEN)/(OPEN/'
commit "input: \"simpler\" end of packets" bug
echo "and more" >>repo/notes
commit "after it" after
equal "$(g rev-list --count HEAD)" 8 "a repository of eight commits"
echo "what I am at" >repo/hw/rtl/hd_input_vc.v
g status --porcelain >before

# A repository from somebody else may name commands. They must not be run, and the answer says so.
printf '#!/bin/sh\ntouch "%s/has-run"\ncat\n' "$work" >evil
chmod +x evil
echo '* filter=evil' >repo/.git/info/attributes
g config filter.evil.smudge "$work/evil"
export GIT_TRACE=1 GIT_DIR=/nonexistent
exits 0 "a search" "$HEDDLE" bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search
unset GIT_TRACE GIT_DIR
check "no command of the repository's runs" test ! -e has-run
rm repo/.git/info/attributes
says out "first bad commit: $(rev bug)" "finds the commit"
says out "author              Ann <ann@example.org>" "its author"
says out 'subject             input: "simpler" end of packets' "its subject"
check "what differs" grep -q '^  it fails  *RTL and model differ first in cycle [0-9]*: switch [0-9]*' out
check "the first wrong state" grep -q '^  first wrong inside  .*: RTL [0-9x]*, model [0-9x]* in cycle [0-9]*$' out
check "steps are told" grep -q '^[0-9]* commits left, about [0-9]* steps*: [0-9a-f]\{12\} ' err
check "the same RTL is run once" grep -q '(the RTL of a commit before)$' err
replay=$(sed -n 's/^  again  *//p' out)
exits 3 "the command that is printed" bash -c "${replay/#heddle/\"\$HEDDLE\"} --out again" HEDDLE="$HEDDLE"
says out "same divergence" "replays it"
check "the working tree is as it was" cmp -s before <(g status --porcelain)
equal "$(g worktree list | wc -l)|$(cat repo/hw/rtl/hd_input_vc.v)" "1|what I am at" "and the repository"
check "nothing but results is left" test ! -e search/tree -a ! -e search/tree.git -a ! -e search/first-bad.git -a ! -e search/candidates
check "bisect.json is written" test "$(sqlite3 :memory: "SELECT json_extract(readfile('search/bisect.json'), '$.first_bad.commit')")" = "$(rev bug)"

# A search in the same directory uses the answers of the first one.
runs=$(find search -name run.db -newer before | wc -l)
cp search/tested tested
exits 0 "again, as JSON" "$HEDDLE" bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search --json
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '$.first_bad.subject')")" \
  'input: "simpler" end of packets' "JSON names it"
check "nothing is tested again" cmp -s tested search/tested
check "runs are there" test "$runs" -ge 2
exits 2 "another search in its directory" "$HEDDLE" bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search --seed 2
says err "another search is in it" "is refused"

# A killed search leaves an incomplete line, and the lock of Git's index.
printf '%s - 0' "$(rev side)" >>search/tested
mkdir -p search/first-bad.git
: >search/first-bad.git/index.lock
exits 0 "after a line that was cut off" "$HEDDLE" bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search
check "it is dropped" cmp -s tested search/tested
exits 6 "two at work in a directory" flock search "$HEDDLE" bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search
says err "another heddle is at work in it" "is refused"
cp "$HEDDLE" rebuilt
echo >>rebuilt
exits 2 "a Heddle that was built again" env HD_ROOT="$root" ./rebuilt bisect --good start --bad HEAD mesh.yaml --rtl repo/hw/rtl --out search
says err "another search is in it" "does not take the answers of another"

# Between repaired and broken there is no verdict, because the bug came with a commit that does not build.
g checkout -q -f -b worse start
edit 's/^endmodule/this is no Verilog\nendmodule/'
edit 's/((tail ? IDLE : OPEN)/(OPEN/'
commit "broken, and worse" unbuilt
edit '/^this is no Verilog$/d'
commit "it builds again" built
exits 125 "a commit that does not build in the way" "$HEDDLE" bisect --good start --bad built mesh.yaml --rtl repo/hw/rtl --out skipped
says err "  skipped: " "is skipped"
check "with the reason" grep -q '^  skipped: .*hd_input_vc.v' err
check "both are named" test "$(grep -c -e "^  $(rev unbuilt)$" -e "^  $(rev built)$" out)" = 2
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('skipped/bisect.json'), '$.found'), json_array_length(readfile('skipped/bisect.json'), '$.candidates')")" \
  "0|2" "JSON says so"

# The machine may have caused a skip, so the same command tests these commits again.
mkdir no-tools
printf '#!/bin/sh\nexit 1\n' >no-tools/verilator_bin
chmod +x no-tools/verilator_bin
exits 7 "a machine whose Verilator fails" env PATH="$work/no-tools:$PATH" "$HEDDLE" bisect --good merge --bad after mesh.yaml --rtl repo/hw/rtl --out healed
says err "--good merge cannot be tested: " "is said to"
exits 0 "the same command when it works" "$HEDDLE" bisect --good merge --bad after mesh.yaml --rtl repo/hw/rtl --out healed
says out "first bad commit: $(rev bug)" "finds the commit"

# A full disk is no verdict on the RTL: no commit is skipped because of it.
mkdir no-space
cat >no-space/verilator_bin <<'END'
#!/bin/sh
[ "$1" = --version ] && echo 1 && exit
echo "/tmp/ccQ1.s: fatal error: error writing: No space left on device"
exit 1
END
chmod +x no-space/verilator_bin
exits 6 "a machine whose disk is full" env PATH="$work/no-space:$PATH" "$HEDDLE" bisect --good merge --bad after mesh.yaml --rtl repo/hw/rtl --cache none --out full
says err "error writing: No space left on device" "is said to be"
check "and no commit is called anything" test "$(wc -l <full/tested)" = 1

# Other files in a directory are kept.
mkdir -p mine/tree
echo mine >mine/tree/file
exits 2 "a directory of somebody else's" "$HEDDLE" bisect --good start --bad after mesh.yaml --rtl repo/hw/rtl --out mine
says err "so it is none of Heddle's for this" "is said to be one"
equal "$(cat mine/tree/file)" mine "and is left as it is"

# The good commit fails, or the bad one passes.
exits 1 "a good one that fails" "$HEDDLE" bisect --good bug --bad after mesh.yaml --rtl repo/hw/rtl --out ends
says err "--good bug fails, too: RTL and model differ" "is said to"
exits 1 "a bad one that passes" "$HEDDLE" bisect --good start --bad notes mesh.yaml --rtl repo/hw/rtl --out ends-2
says err "--bad notes passes" "is said to"
exits 7 "a bad one that does not build" "$HEDDLE" bisect --good start --bad broken mesh.yaml --rtl repo/hw/rtl --out ends-3
says err "--bad broken cannot be tested: " "is said to"
scenario quiet.yaml 'run: {cycles: 3, dut: verilator}' \
  'software: {program: pingpong, parameters: {rounds: 1}}'
exits 7 "a scenario that compares nothing" "$HEDDLE" bisect --good start --bad after quiet.yaml --rtl repo/hw/rtl --out quiet
says err "--good start cannot be tested: nothing was compared" "tells nothing of the RTL"
exits 2 "a good one of another line" "$HEDDLE" bisect --good worse --bad after mesh.yaml --rtl repo/hw/rtl --out no
says err "is not in the history of --bad after" "is refused"
exits 2 "the good one comes after the bad one" "$HEDDLE" bisect --good after --bad start mesh.yaml --rtl repo/hw/rtl --out no
says err "--good after comes after --bad start" "is told so"
exits 2 "one commit as both" "$HEDDLE" bisect --good after --bad after mesh.yaml --rtl repo/hw/rtl --out no
says err "--good after and --bad after are the same commit" "is told so"
exits 2 "no such commit" "$HEDDLE" bisect --good nowhere --bad after mesh.yaml --rtl repo/hw/rtl --out no
says err "'nowhere' is no commit" "is said to be none"
exits 2 "no repository" "$HEDDLE" bisect --good a --bad b mesh.yaml --rtl . --out no
says err "no Git repository" "is said"
exits 2 "no ends" "$HEDDLE" bisect mesh.yaml --rtl repo/hw/rtl
exits 2 "no RTL of Heddle's own" env HD_ROOT=/nonexistent "$HEDDLE" bisect --good a --bad b mesh.yaml
says err "HD_ROOT=/nonexistent: No such file or directory" "is said"
exits 6 "no scenario" "$HEDDLE" bisect --good start --bad bug nothing.yaml --rtl repo/hw/rtl --out no

# The files that a scenario names, and their contents, are part of the search. With the model, no commit can be named.
mkdir graphs
printf 's0,s1\nn0,s0\nn1,s1\n' >graphs/line.csv
scenario graphs/line.yaml 'fabric: {topology: graph, file: line.csv}'
again=("$HEDDLE" bisect --good start --bad after graphs/line.yaml --rtl repo/hw/rtl --dut model --out files)
exits 7 "a search over a fabric from a file" "${again[@]}"
says err "--good start cannot be tested: " "and on the model"
exits 7 "the same one" "${again[@]}"
echo 'n2,s1' >>graphs/line.csv
exits 2 "the same with another fabric in that file" "${again[@]}"
says err "another search is in it" "is refused"
exits 2 "a scenario that is none" "$HEDDLE" bisect --good start --bad after mesh.yaml --set switch.vcs=0 --rtl repo/hw/rtl --out no
says err "switch.vcs" "is refused before any commit is tested"

# A bug that was fixed: a good commit after the fix says nothing about the bad ones before it.
g checkout -q -f after
g checkout -q start -- hw/rtl
commit "mended" mended
exits 1 "a bad one at which the bug is mended" "$HEDDLE" bisect --good start --bad mended mesh.yaml --rtl repo/hw/rtl --out mended
says err "--bad mended passes; give the commit" "is said to pass"
exits 0 "the commit that it failed at, in the same directory" "$HEDDLE" bisect --good start --bad after mesh.yaml --rtl repo/hw/rtl --out mended
says out "first bad commit: $(rev bug)" "is followed to the bug"

# The bad commit has another bug than the first bad one: the search ends at one of two, and says so.
sed -i 's/else from_q <= from_q ^ turned;/else from_q <= from_q;/' repo/hw/rtl/hd_rr_arbiter.v
commit "another bug" another
exits 0 "a bad one with another bug" "$HEDDLE" bisect --good start --bad another mesh.yaml --rtl repo/hw/rtl --out mended --json
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '$.first_bad.commit')")" "$(rev another)" "the later bug is found"
g checkout -q -f after
g checkout -q another -- hw/rtl
commit "another bug in place of the first" replaced
exits 0 "a bad one that fails otherwise" "$HEDDLE" bisect --good start --bad replaced mesh.yaml --rtl repo/hw/rtl --out mended
says out "first bad commit: $(rev bug)" "the first bug is found"
check "the other failure is shown" grep -q '^  --bad fails  *RTL and model differ first in cycle' out
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('mended/bisect.json'), '$.first_bad.bad_message') <> json_extract(readfile('mended/bisect.json'), '$.first_bad.message')")" 1 "in JSON, too"

# Ctrl-C while the RTL of a commit is built and not yet cached: nothing is left behind, and the search can continue.
g checkout -q -f after
sed -i 's/^endmodule/\/\/ hold here '"${work##*/}"'\nendmodule/' repo/hw/rtl/hd_input_vc.v
commit "held" held
mkdir bin
cat >bin/verilator_bin <<END
#!/bin/sh
if [ -e "$work/hold" ] && grep -qs "hold here" rtl/hd_input_vc.v; then
  : >"$work/is-held"
  while [ -e "$work/hold" ]; do sleep 0.1; done
fi
exec "$(command -v verilator_bin)" "\$@"
END
chmod +x bin/verilator_bin
: >hold
PATH=$work/bin:$PATH "$HEDDLE" bisect --good merge --bad held mesh.yaml --rtl repo/hw/rtl --out cut >out 2>err &
pid=$!
wait_until $pid test -e is-held
kill -INT $pid
wait $pid
equal "$?" 130 "a search that is interrupted"
says err "1 commit tested so far" "says so"
says err "the same command continues the search" "and what to do"
check "leaves no files of a commit" test ! -e cut/tree -a ! -e cut/tree.git
rm hold
exits 0 "the same command" "$HEDDLE" bisect --good merge --bad held mesh.yaml --rtl repo/hw/rtl --out cut
check "goes on" test -z "$(grep '^the good one' err)"
says out "first bad commit: $(rev bug)" "and finds the commit"
summary
