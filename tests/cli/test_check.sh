#!/usr/bin/env bash
# heddle check: Heddle's switch passes, a planted bug fails, and RTL that does not build does neither.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2016,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/page.sh" || exit

# json FILE PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/check.json'), '$2')"
}

exits 0 "the RTL as it is" "$HEDDLE" check --runs 10 --out same
says out "the same switch, as far as 10 runs and " "the verdict"
says out "not exercised:" "names what was not exercised"
says out "a million cycles" "by kinds of run"
equal "$(json same '$.verdict')|$(json same '$.runs')" "same|10" "JSON says the same"
check "something was compared" test "$(json same '$.events_compared')" -gt 1000
check "and drawn" test "$(json same '$.kinds[1].runs')" -gt 0
check "points of the specification were exercised" test "$(json same '$.coverage.reachable')" -gt 100
check "and counted" test "$(json same '$.coverage.holes')" -lt "$(json same '$.coverage.reachable')"
points=$(json same '$.coverage.points')
check "by streams, too: no run begins a packet within one" test "$(
  sqlite3 :memory: "SELECT json_extract(value, '$.count') FROM json_each(readfile('same/check.json'), '$.coverage.points') WHERE json_extract(value, '$.point') = 'open, head'"
)" -gt 0
says out " of $(json same '$.coverage.reachable') points of the specification, such as §" "names some that were not"
check "the million cycles are not among it" test "$(json same '$.kinds[6].runs')" = 0
equal "$(grep -c '<testcase' same/check.xml)|$(grep -c '<failure' same/check.xml)" "$(sqlite3 :memory: "SELECT json_array_length(readfile('same/check.json'), '$.kinds')")|0" "JUnit has a case a kind"
equal "$(sqlite3 same/campaign.db "SELECT count(*) FROM tasks WHERE kind NOT IN ('build', 'lint')")" 10 \
  "comparisons alone count as runs"
events=$(json same '$.events_compared')
exits 0 "once more into the same directory" "$HEDDLE" check --runs 10 --out same --workers 1
equal "$(json same '$.events_compared')" "$events" "nothing is lost or counted twice"
equal "$(json same '$.coverage.points')" "$points" "nor are points of the specification"
exits 0 "with another number of workers" "$HEDDLE" check --runs 10 --out other --workers 1
equal "$(json other '$.events_compared')" "$events" "the same is compared"
equal "$(json other '$.coverage.points')" "$points" "and the same exercised"

exits 11 "a check that is to carry proofs out, and does not" "$HEDDLE" check --runs 10 --out other --workers 1 --require proofs
says out "the check did less than --require asks for: 0 of " "is no pass"
says out "plan: " "it says how far it came"
equal "$(json other '$.verdict')|$(
  sqlite3 :memory: "SELECT json_extract(value, '$.of') FROM json_each(readfile('other/check.json'), '$.plan') WHERE json_extract(value, '$.stage') = 'sets'"
)" "less than required|76" "JSON, too"
exits 2 "a list of no stage" "$HEDDLE" check --runs 1 --require ""
exits 2 "no such stage" "$HEDDLE" check --require nothing

rest

# Uses a switch for which streams have been built already.
cat >mine.yaml <<'END'
name: mine
fabric: {topology: mesh, dims: [3, 3]}
switch: {ports: 5, vcs: 2, data_bits: 16, depth_flits: 9, nodes: 16, route_cycles: 2, arb_cycles: 2, buffer_cycles: 1, cut_flits: 2, barrier: any, groups: 3, switches: 12}
routing: {algorithm: adaptive}
software: {program: uniform, parameters: {load: 0.3, flits: 2, cycles: 300}}
run: {cycles: 2000, dut: verilator}
END
exits 0 "a scenario and a switch that come first" \
  "$HEDDLE" check --runs 4 --workers 1 --scenario mine.yaml --switch "depth_flits: 4" --out aimed
equal "$(sqlite3 aimed/campaign.db "SELECT group_concat(kind, ' ') FROM tasks WHERE kind != 'build'")" \
  "lint aimed stream stream stream" "do"
exits 0 "a switch without a scenario" "$HEDDLE" check --runs 1 --workers 1 --switch "depth_flits: 16, vcs: 4" --out alone
says out "aimed runs" "is in the plan"
exits 2 "a switch without keys" "$HEDDLE" check --runs 1 --switch ""
exits 2 "a value that is no YAML" "$HEDDLE" check --switch "vcs: *x"
says err "the value is no YAML" "is said to be"
exits 2 "a switch that none is" "$HEDDLE" check --switch "depth: 4"
says err "unknown key switch.depth" "is said to be"
exits 6 "a scenario that is not there" "$HEDDLE" check --scenario none.yaml

# An output's channel stays assigned to a packet that has left.
cp -r "$root/rtl" bug
sed -i "s/owned_q <= owned_q ^ turned;/owned_q <= {1'b0, owned_q | turned};/" bug/hd_output_port.v
# A file that no module of the switch uses.
cp bug/hd_rr_arbiter.v bug/hd_unused.v
sed -i 's/hd_rr_arbiter/hd_unused/g' bug/hd_unused.v
check "a bug is planted" test -n "$(cmp "$root/rtl/hd_output_port.v" bug/hd_output_port.v)"
cp "$root/tests/waves/divergence.yaml" mesh.yaml
exits 3 "RTL with a bug" "$HEDDLE" check bug --runs 24 --workers 1 --failures 3 --scenario mesh.yaml --shrink-seconds 10 \
  --out bug-out
says out "NOT the switch: 1 kind of difference in " "one bug is one kind, wherever it shows"
says out "a stream into one switch: " "streams find it"
check "the warning is printed" grep -q '^  %Warning-WIDTH: hd_output_port.v:[0-9]' out
says out "hd_unused.v: no module of the switch names it" "what no run can exercise is named"
says out "hd_link.v: no module of the switch names it" "as a link is"
equal "$(grep -c 'no module of the switch names it' out)" 2 "and nothing else"
says out "heddle wave bug-out/small-aimed-0-run" "there are waves"
check "of a scenario of a file that was made small" grep -qE '^  made small: 9 switches to [1-4], 9 nodes to [1-4], 2000 cycles to [0-9]{1,3}$' out
check "after it showed in the file as it is" grep -q '^  (before it was made small: ' out
check "JSON says how long before the difference something was wrong" test "$(json bug-out '$.differences[0].lead_cycles')" -gt 0
check "JSON says when" test -n "$(json bug-out '$.first_difference_seconds')"
equal "$(sqlite3 :memory: "SELECT count(*), count(value ->> 'shrunk'), count(value ->> 'run') FROM json_tree(readfile('bug-out/check.json'),
  '$.differences') WHERE type = 'object'" | tr '|' '\n' | sort -u | grep -c .)" 1 "every failure has a small case and an explanation"
check "and there are some" test "$(json bug-out '$.differences[0].run')" = small-aimed-0-run
cp out bug-out.txt
stream=$(grep -oE "heddle check bug --stream [^ ]+" out | head -1)
says out "first wrong state out.vc.owned" "the first wrong state has a name"
line=$(grep -n "{1'b0, owned_q | turned}" bug/hd_output_port.v | cut -d: -f1)
says out "cause: owned_q of hd_output_port (hd_output_port.v:$line): " "the register is named, with the line that is wrong"
says out "      hd_output_port.v:$line  else owned_q <= {1'b0, owned_q | turned};" "and its text"
check "and what Verilator says of it" grep -q "^  Verilator says: %Warning-WIDTH: .*hd_output_port.v:$line:" out
equal "$(json bug-out '$.differences[1].signature')" "" "JSON, too, has one kind"
check "that showed in several ways" test -n "$(json bug-out '$.differences[0].also[0].signature')"
read -ra command <<<"$stream"
check "a stream was made small" grep -q '"shrunk": "[0-9]* inputs, writes and reads to [0-9]\{1,2\}, ' bug-out/check.json
exits 3 "a stream's command shows it again" "$HEDDLE" "${command[@]:1}" --out stream
says out "in 1 run" "and plays nothing else"
check "it says what was wrong inside" grep -qE '^  first wrong inside: cycle [0-9]+, out\[[0-9]+\]\.vc\[[0-9]+\]\.owned: RTL 1, model 0; [0-9]+ cycles? before the port$' out
says out "heddle wave stream/stream-waves" "and has waves"
exits 0 "which open" "$HEDDLE" wave --print-command stream/stream-waves
equal "$(cat out)" "gtkwave stream/stream-waves/waves.fst stream/stream-waves/waves.gtkw" "without a run"
check "and have the state of both sides" grep -qE ' rtl\.out\[[0-9]+\]\.vc\[[0-9]+\]\.owned' stream/stream-waves/waves.gtkw
says stream/stream-waves/explanation.txt "DIVERGENCE in cycle " "an explanation as text"
says stream/stream-waves/explanation.txt "          came in by port " "with the packet"
says stream/stream-waves/explanation.txt "  output flits of switch 0 in the last 8 cycles" "with flits of both sides"
if command -v xmllint >/dev/null; then
  exits 0 "and a page" xmllint --noout stream/stream-waves/report.html
  has stream/stream-waves/report.html timeline "with a timeline"
  check "that shows the register" test -n "$(xpath stream/stream-waves/report.html 'string(//*[@id="timeline"]//*[contains(., ".owned")])')"
  equal "$(xpath stream/report.html 'string(//*[@class="group"]//*[local-name()="a"]/@href)')" stream-waves/report.html \
    "to which the check's page leads"
else
  skip "the page of a stream" "xmllint is missing, package libxml2-utils"
fi
exits 6 "other cycles need one" "$HEDDLE" wave --from 3 stream/stream-waves
equal "$(json stream '$.differences[0].first_wrong_state')|$(json stream '$.differences[0].stream')" \
  "out.vc.owned|${command[4]}" "JSON has it, too"
check "it is small" test "$(grep -cvE '^(#|[a-z_]+ [0-9]+$)' "${command[4]}")" -lt 20
exits 0 "on the RTL as it is, the stream agrees" "$HEDDLE" check "${command[@]:3}" --out sound-stream
exits 2 "no such stream" "$HEDDLE" check --stream 99999
exits 6 "no such file" "$HEDDLE" check --stream nowhere.txt
echo "port 5" >no-stream.txt
exits 2 "a file that is no stream" "$HEDDLE" check --stream no-stream.txt
read -ra command < <(grep -oE "heddle run .*" bug-out.txt)
equal "${command[0]} ${command[1]}" "heddle run" "there is a command"
check "with a scenario" test -s "${command[2]:-none}"
exits 3 "the command shows it again" "$HEDDLE" "${command[@]:1}" --out again
says err "RTL and model differ first" "and says where"
"$HEDDLE" run "${command[2]:-none}" --out sound >out 2>err
code=$? # 4: the few cycles that are left do not end the software
check "on the RTL as it is, it agrees" test "$code" = 0 -o "$code" = 4
check "JUnit has the sentence" grep -q '<failure type="difference" message="owned_q of hd_output_port' bug-out/check.xml
equal "$(grep -cE '^  heddle (run|check) ' bug-out/check.xml)" "$(($(sqlite3 :memory: "SELECT count(DISTINCT value ->> 'signature')
  FROM json_tree(readfile('bug-out/check.json'), '$.differences') WHERE type = 'object'")))" "and the command of each failure"
if command -v xmllint >/dev/null; then
  has bug-out/report.html failures "the page has the differences"
  exits 0 "and is well-formed" xmllint --noout bug-out/report.html same/report.html
  equal "$(xpath bug-out/report.html 'count(//*[@class="group"])')" "$(json bug-out '$.differences' | grep -o '"also"' | wc -l)" \
    "each kind once"
  check "with its first wrong state" grep -q "<p>first wrong inside: cycle " bug-out/report.html
  check "a link leads to the page of the scenario" \
    test -s "bug-out/$(xpath bug-out/report.html 'string(//*[@class="group"]//*[local-name()="a"]/@href)')"
  equal "$(xpath same/report.html 'string(//*[@id="verdict"])')" same "the page of the RTL as it is"
  has same/report.html coverage "the points of the specification"
  equal "$(xpath same/report.html 'sum(//*[@id="kind-table"]/*[3]/*/*[2])')" \
    "$(sqlite3 same/campaign.db "SELECT count(*) FROM tasks WHERE kind != 'build'")" "has all runs, elaboration among them"
  equal "$(xpath same/report.html 'sum(//*[@id="drawn-table"]/*[3]/*[*[1]="topology"]/*[3])')" \
    "$(sqlite3 :memory: "SELECT sum(json_extract(value, '$.scenarios')) FROM json_each(readfile('same/check.json'), '$.drawn.topology')")" \
    "and what was drawn"
else
  skip "the page of a check" "xmllint is missing, package libxml2-utils"
fi

if command -v yosys >/dev/null; then
  exits 0 "a proof" "$HEDDLE" check --proof arbiter-2 --out proof
  says out "1 proof of its modules hold" "holds"
  cp -r "$root/rtl" refuted
  sed -i 's/(from_q & theirs & less) | (~from_q & (theirs | less))/less/' refuted/hd_rr_arbiter.v
  exits 3 "of a module with a bug" "$HEDDLE" check refuted --proof arbiter-2 --out refuted-out
  says out "a property of hd_rr_arbiter" "does not"
  says out "heddle check refuted --proof arbiter-2" "with the command that shows it again"
  check "and Yosys' log" test -s refuted-out/formal-arbiter-2.log
  rm refuted/hd_rr_arbiter.v
  exits 11 "of a module that is gone" "$HEDDLE" check refuted --proof arbiter-2 --out unfit
  says out "1 proof: their modules, parameters or properties are not there" "says nothing"

  # Proofs that a changed module is the original's.
  sets=$(grep -c '^hd_config ' "$root/tb/instances.txt")
  cp -r "$root/rtl" tidy
  sed -i 's/else if (read_i) rdata_o <= value;/else rdata_o <= read_i ? value : rdata_o;/' tidy/hd_config.v
  check "a register is written in another way" test -n "$(cmp "$root/rtl/hd_config.v" tidy/hd_config.v)"
  exits 0 "a clean-up" "$HEDDLE" check tidy --workers 1 --out tidy-out
  says out "the same switch, as far as $sets proofs can tell: each changed module equals Heddle's" "is proved equal"
  says out "hd_config: proved equal with $sets of $sets parameter sets" "with sets that are named"
  check "and nothing else is" test "$(json tidy-out '$.equal.changed[0]') $(json tidy-out '$.equal.changed[1]')" = "hd_config "
  cp -r "$root/rtl" remark
  echo '// a remark' >>remark/hd_config.v
  exits 0 "a comment" "$HEDDLE" check remark --workers 1 --out remark-out
  says out "its text is that of Heddle's rtl/, but for comments" "is no change"
  # The change is one where a parameter has a value that no proof has.
  cp -r "$root/rtl" six
  sed -i 's/several\[w\] = count > 1;/several[w] = (VCS == 6) ? count > 2 : count > 1;/' six/hd_output_port.v
  check "a change for six channels" test -n "$(cmp "$root/rtl/hd_output_port.v" six/hd_output_port.v)"
  exits 3 "is found" "$HEDDLE" check six --failures 1 --out six-out
  says out " of hd_output_port (hd_output_port.v:" "by a proof that stays open"
  check "in a switch of six channels" grep -q "vcs 6\|vcs: 6" six-out/small-* -r
  cp -r "$root/rtl" named
  sed -i 's/pick_o = req_i & ~beaten;/pick_o = (N == 6) ? req_i \& ~(req_i \& beaten) : req_i \& ~beaten;/' named/hd_rr_arbiter.v
  check "another way of writing for six requesters" test -n "$(cmp "$root/rtl/hd_rr_arbiter.v" named/hd_rr_arbiter.v)"
  exits 0 "is proved" "$HEDDLE" check named --workers 1 --out named-out
  says out "proofs can tell: each changed module equals Heddle's" "equal"
  says out "N 1, 2, 3, 6, 7," "with six requesters, too"
  # PACKET_VCS is VCS with most kinds of barriers, and no set of the list is a torus of two channels.
  cp -r "$root/rtl" two
  sed -i 's/(PACKET_VCS < 2)/(PACKET_VCS < 3)/' two/hd_route_compute.v
  check "a change for a torus of two channels" test -n "$(cmp "$root/rtl/hd_route_compute.v" two/hd_route_compute.v)"
  exits 11 "is not proved" "$HEDDLE" check two --proof-of hd_route_compute --out two-out
  equal "$(sqlite3 :memory: "SELECT count(*) > 0 FROM json_each(readfile('two-out/check.json'), '$.equal.proofs')
    WHERE json_extract(value, '$.status') = 'open' AND json_extract(value, '$.parameters') LIKE '% VCS=2 % ROUTE=2 %'")" 1 \
    "with the parameters that it is for"
  cp -r "$root/rtl" shown-once
  sed -i "s/else if (read_i) rdata_o <= value;/else rdata_o <= read_i ? value : 16'd0;/" shown-once/hd_config.v
  one=$(sed -n 's/^\(hd_config\) | \([^|]*VCS=8 [^|]*[^ |]\) *|.*/\1 \2/p' "$root/tb/instances.txt" | head -n 1)
  exits 11 "a register that is shown once" "$HEDDLE" check shown-once --proof-of "$one" --out once-out
  says out "rdata_o of hd_config (hd_config.v:$(grep -n 'output reg.* rdata_o' "$root/rtl/hd_config.v" | cut -d: -f1))" "is a suspicion, with its place"
  says out "heddle check shown-once --proof-of '$one'" "and the command that shows it again"
  check "nothing else is proved" test "$(json once-out '$.equal.proofs[0].wires[0].wire') $(json once-out '$.equal.proofs[1].module')" = "rdata_o "
  exits 2 "no such module" "$HEDDLE" check shown-once --proof-of hd_link
  # The named module is equal, but another one is not.
  sed -i 's/pick_o = req_i & ~beaten;/pick_o = ~beaten \& req_i;/' shown-once/hd_rr_arbiter.v
  one=$(sed -n 's/^\(hd_rr_arbiter\) | \([^|]*[^ |]\) *|.*/\1 \2/p' "$root/tb/instances.txt" | head -n 1)
  exits 0 "one module of two" "$HEDDLE" check shown-once --proof-of "$one" --out asked-out
  says out "proved equal to the original: $one, by 1 proof; nothing else was checked" "claims no more than was asked"
  check "nor does its JSON" test "$(json asked-out '$.verdict')" = proved

  # A program in place of Yosys: one that is killed, and one that does not end.
  mkdir bin
  printf '#!/bin/sh\n[ "$1" != -V ] || exec echo Yosys 1\nkill -KILL $$\n' >bin/yosys
  chmod +x bin/yosys
  exits 11 "a proof whose Yosys is killed" env PATH="$PWD/bin:$PATH" "$HEDDLE" check --proof arbiter-2 --out killed
  says out "1 proof: neither proved nor refuted" "is none"
  # This Yosys keeps a pipe open as long as it lives, so the end of the pipe shows that it was killed.
  mkfifo alive
  printf '#!/bin/sh\n[ "$1" != -V ] || exec echo Yosys 2\nexec 9>%q\necho $$ >%q\nexec sleep infinity\n' "$PWD/alive" "$PWD/yosys.pid" >bin/yosys
  timeout 600 cat alive &
  reader=$!
  PATH="$PWD/bin:$PATH" "$HEDDLE" check --proof arbiter-2 --out left >out 2>err &
  pid=$!
  wait_until $pid test -s yosys.pid
  kill -TERM $pid
  wait $pid
  equal "$?" 130 "a proof that is interrupted"
  check "leaves no Yosys behind" wait $reader
  kill "$(cat yosys.pid)" 2>/dev/null
else
  skip "proofs" "yosys is missing"
fi
exits 2 "no such proof" "$HEDDLE" check --proof none

"$HEDDLE" check --runs 5000 --out cut >out 2>err &
pid=$!
wait_until $pid test -s cut/campaign.db
kill -TERM $pid
wait $pid
equal "$?" 130 "a check that is interrupted"
says err "interrupted" "says so"
says out "not exercised:" "prints what there is"
check "and writes it" test -s cut/check.json -a -s cut/check.xml
check "JUnit has an error for it" grep -q '<error type="interrupted"' cut/check.xml

cp -r "$root/rtl" broken
sed -i 's/^endmodule/this is no Verilog\nendmodule/' broken/hd_crossbar.v
exits 7 "RTL that does not build" "$HEDDLE" check broken --runs 20 --out broken-out
says err "the RTL does not build: " "says so"
says err "hd_crossbar.v" "and where"
equal "$(grep -c 'does not build' err)|$(json broken-out '$.verdict')" "1|unbuilt" "once"
exits 6 "a cache that cannot be written" "$HEDDLE" check --runs 20 --cache /proc/nowhere --out no-cache
equal "$(grep -c 'does not build' err)" 0 "is no fault of the RTL"
exits 125 "and is skipped" "$HEDDLE" check --runs 20 --cache /proc/nowhere --bisect --out no-cache-bisect
mkdir no-space
cat >no-space/verilator_bin <<'END'
#!/bin/sh
[ "$1" = --version ] && echo 1 && exit
echo "/tmp/ccQ1.s: fatal error: error writing: No space left on device"
exit 1
END
chmod +x no-space/verilator_bin
exits 6 "a disk that is full" env PATH="$work/no-space:$PATH" "$HEDDLE" check --runs 20 --cache none --out full
says err "No space left on device" "says so"
equal "$(grep -c 'does not build' err)" 0 "and nothing of the RTL"
exits 125 "the same for git bisect" "$HEDDLE" check broken --runs 20 --bisect --out broken-bisect

# A stream of two cycles without an input: no difference.
exits 11 "a stream that compares nothing" "$HEDDLE" check --stream "$root/tests/cli/quiet-stream.txt" --out quiet
says out "nothing was compared" "is no difference"
equal "$(json quiet '$.verdict')|$(grep -c '<failure' quiet/check.xml)" "nothing compared|0" "in files, too"
equal "$(grep -c '<error type="no verdict" message="nothing was compared' quiet/check.xml)" 1 "JUnit has an error"

# git bisect run must blame no commit if all of them change comments only.
git init -q repo
cp -r "$root/rtl" repo/rtl
for commit in one two three; do
  echo "// $commit" >>repo/rtl/hd_switch.v
  git -C repo add -A
  git -C repo -c user.name=Ann -c user.email=ann@example.org -c commit.gpgsign=false commit -q -m "$commit"
done
terms=()
# blames_nobody WHAT OPTION...: OPTIONs are for heddle check; the array terms has options of git bisect start.
blames_nobody() {
  local what=$1
  shift
  git -C repo bisect start "${terms[@]}" HEAD HEAD~2 >/dev/null
  git -C repo bisect run "$HEDDLE" check rtl --bisect --no-html --runs 5 "$@" >out 2>err
  says out "only 'skip'ped commits left" "$what: git bisect run skips"
  equal "$(grep -c 'is the first bad commit' out)" 0 "$what: blames nobody"
  git -C repo bisect reset >/dev/null 2>&1
}
blames_nobody "a bad commit that is good" --out "$work/git-good"
says err "the bad commit of git bisect has the same RTL" "and says why"
terms=(--term-new=broken --term-old=sound)
blames_nobody "a bad commit that is good, by other words" --out "$work/git-terms"
says err "the bad commit of git bisect has the same RTL" "and says why"
terms=()
mkdir no-tools
printf '#!/bin/sh\nexit 127\n' >no-tools/verilator_bin
cp no-tools/verilator_bin no-tools/verilator
chmod +x no-tools/*
blames_nobody "a stream that compares nothing" --stream "$root/tests/cli/quiet-stream.txt" --out "$work/git-quiet"
blames_nobody "a cache that cannot be written" --cache /proc/nowhere --out "$work/git-cache"
PATH="$work/no-tools:$PATH" blames_nobody "a tool that is missing" --out "$work/git-tool"
blames_nobody "an option that is none" --no-such-option
blames_nobody "a stream that is none" --stream "$work/no-stream.txt" --out "$work/git-stream"
exits 2 "no such directory" "$HEDDLE" check nowhere
exits 125 "but for git bisect" "$HEDDLE" check nowhere --bisect
exits 2 "a directory without a switch" "$HEDDLE" check "$root/docs"
summary
