#!/usr/bin/env bash
# Waves of any cycles of any switch, of runs that agree and of runs that do not.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# times FST: prints the first and the last time, as "FIRST LAST" in cycles.
times() {
  fst2vcd "$1" | awk '/^#/ { t = substr($0, 2) / 1000; if (first == "") first = t; last = t }
    END { print first, last }'
}

# heads FST FIRST LAST: prints in how many cycles a port of the model shows a head.
heads() {
  fst2vcd "$1" | awk -v first="$2" -v last="$3" '
    function count(  p) { if (t >= first && t <= last) for (p in valid) n += value[valid[p]] == 1 && substr(value[kind[p]], 2, 1) == 1 }
    $1 == "$scope" { depth++; path[depth] = $3 }
    $1 == "$upscope" { depth-- }
    $1 == "$var" && path[1] == "model" && $5 ~ /^out_valid/ { valid[path[2]] = $4; value[$4] = 0 }
    $1 == "$var" && path[1] == "model" && $5 ~ /^out_kind/ { kind[path[2]] = $4 }
    /^#/ { now = substr($0, 2) / 1000; for (; seen && t < now; t++) count(); seen = 1; t = now; next }
    /^[01]/ { value[substr($0, 2)] = substr($0, 1, 1) }
    /^b/ { v = substr($1, 2); while (length(v) < 3) v = "0" v; value[$2] = v }
    END { for (; t <= last; t++) count(); print n + 0 }'
}

scenario mesh.yaml 'trace: {hops: true}'
exits 0 "a run that agrees" "$HEDDLE" run mesh.yaml --out good
says out "none; for any switch and cycles: heddle wave good " "the table says how to get waves"
exits 0 "its waves" "$HEDDLE" wave --print-command good
says out "gtkwave good/waves-switch-0-0-199/waves.fst good/waves-switch-0-0-199/waves.gtkw" \
  "the first 200 cycles of switch 0"
exits 0 "waves of a switch and of cycles" "$HEDDLE" wave -p good --switch 5 --from 300 --to 900
says err "switch 5, cycles 300 to 900: good/waves-switch-5-300-900/waves.fst" "what was made is said"
check "the save file is there" test -s good/waves-switch-5-300-900/waves.gtkw
exits 0 "more cycles than there are" "$HEDDLE" wave -p good --switch 5 --from 900 --to 9000
last=$(sql good 'SELECT cycles FROM run')
says err "cycles 900 to $last:" "the run's last cycle is said"
check "nothing else was kept" test -z "$(find good -name '*.db' -newer good/waves-switch-0-0-199 -o -name dut.fst)"
exits 0 "in closed loop" bash -c "'$HEDDLE' run -q mesh.yaml --mode closed --out closed &&
  '$HEDDLE' wave -p closed --switch 5 --from 300 --to 900"
exits 0 "of the model alone" bash -c "'$HEDDLE' run -q mesh.yaml --dut none --out alone &&
  '$HEDDLE' wave -p alone --from 10"
scenario drained.yaml 'run: {cycles: 500, dut: model, mode: closed, compare: packets}'
exits 0 "a run that drains" "$HEDDLE" run drained.yaml --out drained
says out "500 of at most 500, and " "the table says for how long"
exits 0 "waves of what it drains" "$HEDDLE" wave -p drained --switch 5 --from 490 --to 510
says err "switch 5, cycles 490 to 510: " "go on behind run.cycles"
check "199 cycles behind the first" test -s alone/waves-switch-0-10-209/waves.fst
exits 3 "a run that differs" "$HEDDLE" run mesh.yaml --dut "$fault:data,6,123" --out bad
exits 0 "its waves" "$HEDDLE" wave -p bad
says out "gtkwave bad/waves.fst" "are those of the divergence"
exits 0 "its waves elsewhere" "$HEDDLE" wave -p bad --switch 9 --from 50 --to 99 --dut "$fault:data,6,123"
check "are beside them" test -s bad/waves-switch-9-50-99/waves.fst -a -s bad/waves.fst
if command -v fst2vcd >/dev/null; then
  equal "$(times good/waves-switch-0-0-199/waves.fst)" "0 200" "cycles 0 to 199 are in the file"
  equal "$(times good/waves-switch-5-300-900/waves.fst)" "300 901" "cycles 300 to 900 are in the file"
  hops=$(sql good 'SELECT count(*) FROM hops WHERE switch = 5 AND cycle BETWEEN 300 AND 900')
  check "packets went through switch 5 then" test "$hops" -gt 50
  equal "$(heads good/waves-switch-5-300-900/waves.fst 300 900)" "$hops" "each of them is in the waves"
  equal "$(heads closed/waves-switch-5-300-900/waves.fst 300 900)" "$hops" "in closed loop, too"
else
  skip "what is in the waves" "fst2vcd is missing, package gtkwave"
fi

# Two wave files
exits 1 "RTL and model of a divergence" "$HEDDLE" diff --waves --map rtl=model bad/waves.fst bad/waves.fst
cycle=$(sql bad 'SELECT cycle FROM divergences') port=$(sql bad 'SELECT port FROM divergences')
says out "$(printf '%16u' $((cycle * 1000)))" "differ at the divergence"
first=$(awk '/^ +[0-9]+ / { print $1, $4; exit }' out)
equal "$first" "${cycle}000 rtl.port$port.out_data" "and at its port first"
exits 0 "a wave file and itself" "$HEDDLE" diff --waves bad/waves.fst bad/waves.fst
says out " equal, 0 differ, 0 only in A, 0 only in B" "are equal"
head -c 3000 bad/waves.fst >cut.fst
exits 2 "a wave file that was not written to its end" "$HEDDLE" diff --waves bad/waves.fst cut.fst
says err "cut.fst: the FST file is damaged or was not written to its end: the file ends inside the block at byte" "is said"
exits 1 "the same as CSV" "$HEDDLE" diff --waves --csv --map rtl=model bad/waves.fst bad/waves.fst
says out "signal_a,signal_b,time,unit,value_a,value_b" "has a head"
says out "rtl.port$port.out_data,model.port$port.out_data,${cycle}000,ps," "and a line a signal"
exits 1 "as JSON" "$HEDDLE" diff --waves --json --map rtl=model bad/waves.fst bad/waves.fst
if command -v python3 >/dev/null; then
  equal "$(python3 -c 'import json; d = json.load(open("out")); print(d["equal"], d["differences"][0]["time"])')" \
    "False ${cycle}000" "is JSON"
else
  skip "is JSON" "python3 is missing, package python3-minimal"
fi
# shellcheck disable=SC2016 # a VCD file
printf '$var wire 1 ! n $end $enddefinitions $end #0 0! #5 1! #9' >one.vcd
sed 's/#5/#6/' one.vcd >two.vcd
exits 1 "VCD files that differ" "$HEDDLE" diff --waves one.vcd two.vcd
says out "  5             1             0  n" "say where"
# shellcheck disable=SC2016 # a VCD file
sed 's/\$end #0/$end #0 0"/; s/^/$var wire 1 " m $end /' one.vcd >more.vcd
sed 's/#9//' one.vcd >short.vcd
exits 1 "a VCD file that ends earlier" "$HEDDLE" diff --waves one.vcd short.vcd
says out "not equal: B ends earlier" "is not equal"
exits 0 "the same where both are" "$HEDDLE" diff --waves --common one.vcd short.vcd
says out "equal in all that was compared" "is"
exits 1 "signals that one file has" "$HEDDLE" diff --waves --json more.vcd one.vcd
says out '"equal": false' "are no equality"
exits 1 "for people, too" "$HEDDLE" diff --waves more.vcd one.vcd
says out "not equal: 1 signal only in A" "it says which"
exits 2 "a file that is none of waves" "$HEDDLE" diff --waves one.vcd mesh.yaml
says err "mesh.yaml:1: no VCD file" "its line is said"
exits 6 "a file that is not there" "$HEDDLE" diff --waves one.vcd none.vcd
exits 2 "files with nothing in common" "$HEDDLE" diff --waves one.vcd bad/waves.fst
exits 2 "a map without =" "$HEDDLE" diff --waves --map rtl one.vcd two.vcd
exits 2 "--common of runs" "$HEDDLE" diff --common good bad
exits 2 "a map of runs" "$HEDDLE" diff --map a=b good bad
if command -v fst2vcd >/dev/null; then
  fst2vcd bad/waves.fst >bad.vcd
  exits 0 "FST and VCD of the same waves" "$HEDDLE" diff --waves bad/waves.fst bad.vcd
  check "were compared" grep -qE '^signals   [0-9]{3,} equal' out
else
  skip "FST and VCD of the same waves" "fst2vcd is missing, package gtkwave"
fi

# A run of another user, in a directory without write permission
cp "$HEDDLE" theirs
chmod 755 "$work"
chmod 555 good
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --clear-groups)
exits 6 "waves where nothing may be written" "${as[@]}" ./theirs wave -p good --switch 7
says err "cannot make this directory: Permission denied; copy the run" "and what to do"
exits 0 "where a run can be read" "${as[@]}" ./theirs diff good good
chmod 755 good

mkdir cut
head -c 3000 bad/waves.fst >cut/waves.fst
cp bad/waves.gtkw cut
exits 6 "waves that were not written to their end" "$HEDDLE" wave --png cut.png cut
says err "cut/waves.fst: the FST file is damaged" "are not shown"

exits 2 "a switch that is not there" "$HEDDLE" wave -p good --switch 16
says err "good has switches 0 to 15" "the switches are said"
exits 2 "a cycle that is not there" "$HEDDLE" wave -p good --from 1000000
says err "the run ends with cycle $last" "the last cycle is said"
check "and no directory is left" test ! -e good/waves-switch-0-1000000-1000199
exits 2 "a window backwards" "$HEDDLE" wave -p good --from 9 --to 8
exits 2 "a window that is too long" "$HEDDLE" wave -p good --from 0 --to 10000
says err "at most 10000 cycles" "the limit is said"
exits 3 "a device that is gone when its divergence is looked at" "$HEDDLE" run mesh.yaml --dut "$fault:unplug,6,123" --out gone
equal "$(sql gone 'SELECT cycle, switch, port FROM divergences')" "$(sql bad 'SELECT cycle, switch, port FROM divergences')" \
  "the divergence is told all the same"
says out "by the model alone: the DUT cannot be replayed" "and what the model did"
check "the model's waves stand in" grep -q 'the DUT cannot be replayed' gone/waves.gtkw
check "with the divergent port first" grep -q "^-port $(sql gone 'SELECT port FROM divergences'): the first difference" gone/waves.gtkw
check "and nothing of the DUT" test "$(grep -c ' rtl\.' gone/waves.gtkw)" = 0
scenario dark.yaml 'trace: {waves: false}'
exits 3 "a divergence without waves" "$HEDDLE" run dark.yaml --dut "$fault:data,6,123" --out dark
exits 6 "has none" "$HEDDLE" wave -p dark
says err "--from, --to and --switch" "the way out is said"
# Switching activity: the number of cycles in which an output is valid equals the number of its flits.
exits 0 "a run on RTL" "$HEDDLE" run mesh.yaml --dut verilator --out rtl
exits 0 "its activity" "$HEDDLE" wave rtl --switch 5 --from 0 --to "$(($(sql rtl 'SELECT cycles FROM run') - 1))" --activity five.saif
equal "$(sed -n 's/^ (out_valid_o.*(T1 \([0-9]*\)000) .*/\1/p' five.saif | paste -sd ' ')" \
  "$(sql rtl "SELECT group_concat(flits, ' ') FROM (SELECT flits FROM links WHERE switch = 5 ORDER BY port)")" \
  "each output was valid as often as flits left"
equal "$(sed -n 's/.*(T0 \([0-9]*\)) (T1 \([0-9]*\)) (TX \([0-9]*\)) (TZ \([0-9]*\)).*/\1+\2+\3+\4/p' five.saif | while read -r sum; do echo $((sum)); done | sort -u)" \
  "$(sed -n 's/(DURATION \(.*\))/\1/p' five.saif)" "all times of a bit are the whole time"
equal "$(tr -cd '(' <five.saif | wc -c)" "$(tr -cd ')' <five.saif | wc -c)" "brackets are in pairs"
exits 2 "activity of the model" "$HEDDLE" wave alone --activity model.saif
says err "has no signals of RTL" "is refused"

summary
