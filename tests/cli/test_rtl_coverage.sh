#!/usr/bin/env bash
# heddle run --coverage, and heddle coverage on the source of the RTL.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2016,SC2154
. "$(dirname "$0")/lib.sh" || exit

# RTL with a branch that is never executed, and a bug that a plusarg switches on.
cp -r "$root/rtl" rtl
sed -i 's/((tail ? IDLE : OPEN)/((tail \&\& !$test$plusargs("BUG") ? IDLE : OPEN)/' rtl/hd_input_vc.v
sed -i 's/^endmodule/  reg planted_q;\n  always @(posedge clk)\n    if (rst) planted_q <= 1\x27b0;\n    else if (planted_q) begin\n      planted_q <= 1\x27b1;  \/\/ "dead" \&\n    end\nendmodule/' rtl/hd_vc_buffer.v
dead=$(grep -n '"dead"' rtl/hd_vc_buffer.v | cut -d: -f1)
reset=$(grep -n "planted_q <= 1'b0" rtl/hd_vc_buffer.v | cut -d: -f1)
# The smallest switch that makes a mesh: counting takes the compiler several times as long.
small=('fabric: {topology: mesh, dims: [4]}' 'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 4, nodes: 4}')
scenario mesh.yaml "${small[@]}"
scenario small.yaml "${small[@]}" 'software: {program: uniform, parameters: {load: 0.2, flits: 1, cycles: 200}}'
digest() { sed -n 's/^  digest  *//p' "$1"; }

exits 0 "a run that counts" "$HEDDLE" run mesh.yaml --dut verilator --rtl rtl --coverage --out runs/a
check "says what was executed" grep -q '^  executed of the RTL [0-9]* of [0-9]* lines, ' out
digest out >counted
exits 0 "the model" "$HEDDLE" run mesh.yaml --dut model --out model
check "answers alike" cmp -s counted <(digest out)
equal "$(sql runs/a "SELECT value FROM results WHERE key = 'rtl_coverage.bits_changed'")" \
  "$(sqlite3 :memory: "SELECT json_extract(readfile('runs/a/report.json'), '$.rtl_coverage.bits_changed')")" \
  "run.db and report.json have the sums"

exits 0 "its coverage" "$HEDDLE" coverage runs/a --bits --out cov
says out "hd_vc_buffer.v:$dead: planted_q <= 1'b1;  // \"dead\" &" "the dead branch was never executed"
check "reset was" test -z "$(grep "hd_vc_buffer.v:$reset:" out)"
check "the dead register never changed" grep -q '^hd_vc_buffer.v:[0-9]*: planted_q: 1 of 1 bit never changed$' out
check "the clock did" test -z "$(grep ': clk: ' out)"
check "each file has its share" test "$(grep -c '^hd_[a-z_]*\.v  *[0-9]* of ' out)" -ge 10
says cov/rtl/hd_vc_buffer.v "#          0        planted_q <= 1'b1;" "it is marked on the source"
check "what was executed has its count" grep -q "^ *[1-9][0-9]*  .*planted_q <= 1'b0;" cov/rtl/hd_vc_buffer.v
check "the page is well-formed" xmllint --noout cov/coverage.html
check "the page marks it" grep -q "<tr class=\"never\"><th scope=\"row\" class=\"n\">$dead<" cov/coverage.html
equal "$(sqlite3 :memory: "SELECT j.value ->> 'text' FROM json_each(readfile('cov/coverage.json'), '$.rtl.files') AS f,
  json_each(f.value, '$.never') AS j WHERE f.value ->> 'file' = 'hd_vc_buffer.v' AND j.value ->> 'line' = $dead")" \
  "      planted_q <= 1'b1;  // \"dead\" &" "JSON names it"
check "CSV has it" grep -q "^\"hd_vc_buffer.v\",$((dead - 1)),.*\"$((dead - 1))-$dead\",0$" cov/rtl.csv
check "lcov has it" test "$(sed -n '/hd_vc_buffer.v$/,/^end_of_record/p' cov/coverage.info | grep -c "^DA:$dead,0$")" = 1
exits 0 "on standard output" "$HEDDLE" coverage --json runs/a
check "JSON is the same" cmp -s out cov/coverage.json

# Two files whose names differ only in a slash: both are written.
cp -r runs/a apart
mkdir rtl/sub
cp rtl/hd_config.v rtl/sub/x.v
cp rtl/hd_crossbar.v rtl/sub_x.v
sed -i 's#hd_config\.v#sub/x.v#g; s#hd_crossbar\.v#sub_x.v#g' apart/rtl_coverage.dat
sqlite3 apart/run.db "UPDATE rtl SET name = 'sub/x.v' WHERE name = 'hd_config.v';
  UPDATE rtl SET name = 'sub_x.v' WHERE name = 'hd_crossbar.v'"
exits 0 "names that differ in a slash" "$HEDDLE" coverage apart --out apart/cov
check "one is written" cmp -s cov/rtl/hd_config.v "apart/cov/rtl/sub%2Fx.v"
check "and the other" cmp -s cov/rtl/hd_crossbar.v apart/cov/rtl/sub_x.v
rm -r rtl/sub rtl/sub_x.v

# More runs: counts are added up, and unexecuted lines become fewer.
exits 0 "another run" "$HEDDLE" run small.yaml --dut verilator --rtl rtl --coverage --out runs/b
exits 0 "both" "$HEDDLE" coverage runs --out both
exits 0 "the other" "$HEDDLE" coverage runs/b --out other
count() { awk -F, -v l="$reset" '$1 == "\"hd_vc_buffer.v\"" && $6 == "\"" l "\"" {print $7}' "$1/rtl.csv" | head -n 1; }
equal "$(count both)" "$(($(count cov) + $(count other)))" "counts are added up"
exits 0 "a run that does not count" "$HEDDLE" coverage model
check "has nothing of the RTL" test -z "$(grep '^RTL' out)"

# A divergence: counts, waves and the first wrong state, all three.
exits 3 "a bug" "$HEDDLE" run mesh.yaml --dut verilator:+BUG --rtl rtl --coverage --out bug
says out "first wrong inside: cycle" "is seen inside"
check "has waves" test -s bug/waves.fst
exits 0 "has coverage" "$HEDDLE" coverage bug

# Counts of RTL that has changed since are neither shown nor added up.
sed -i '1s/^/\/\/ later\n/' rtl/hd_vc_buffer.v
exits 0 "RTL that has changed" "$HEDDLE" coverage runs/a --out changed
check "is not shown" grep -q '^hd_vc_buffer.v is not shown: .* has changed since the run$' out
check "nor annotated" test ! -e changed/rtl/hd_vc_buffer.v
sqlite3 runs/b/run.db "UPDATE rtl SET hash = '0x0000000000000001' WHERE name = 'hd_switch.v'"
exits 2 "runs of two kinds of RTL" "$HEDDLE" coverage runs/a runs/b
says err "its hd_switch.v is another than in the runs before it" "are not added up"
printf '# SystemC::Coverage-3\nC broken\n' >runs/a/rtl_coverage.dat
exits 2 "a damaged file" "$HEDDLE" coverage runs/a
says err "rtl_coverage.dat:2: " "is named with its line"
for dut in model none icarus; do
  exits 2 "--dut $dut" "$HEDDLE" run mesh.yaml --dut $dut --coverage --out "no-$dut"
  says err "choose --dut verilator" "counts no RTL, and is told where it is counted"
done
summary
