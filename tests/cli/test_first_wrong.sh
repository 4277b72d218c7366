#!/usr/bin/env bash
# The first wrong state inside: it has the name of the broken register, in the text and in all files.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

# A DUT that shows only its ports: no state is named.
scenario model.yaml
exits 3 "a DUT without states" "$HEDDLE" run model.yaml --dut "$fault:data,6,123" --out ports
says out "no state inside is known: the DUT shows its ports alone" "says that none is known"
says ports/results.xml "no state inside is known" "in JUnit, too"
equal "$(json ports '$.no_first_wrong')|$(json ports '$.first_wrong')" "the DUT shows its ports alone|" "and JSON"
equal "$(sql ports 'SELECT value FROM results WHERE key = "no_first_wrong"')" "the DUT shows its ports alone" \
  "and database"
exits 0 "a run that agrees" "$HEDDLE" run model.yaml --out agrees
equal "$(sql agrees 'SELECT count(value), count(*) FROM results WHERE key LIKE "%first_wrong%"')" "0|7" \
  "has no first wrong state"
equal "$(json agrees '$.first_wrong')$(json agrees '$.no_first_wrong')$(json agrees '$.first_wrong_states')" "[]" \
  "nor has its JSON"
scenario order.yaml 'run: {cycles: 5000, dut: model, mode: closed, compare: order}'
exits 3 "a DUT with a timing of its own" "$HEDDLE" run order.yaml --dut "$fault:data,6,123" --out order
says out "no state inside is known: with run.compare: order the DUT has a timing of its own" \
  "has states of its own"

if ! command -v vvp >/dev/null; then
  skip "planted bugs" "vvp is missing, install the package iverilog"
  summary
  exit
fi
scenario small.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'run: {cycles: 1000, dut: icarus}' \
  'trace: {wave_cycles: 2}'
cp "$root/tests/waves/divergence.yaml" mesh.yaml

# bug NAME SCENARIO FILE SED: breaks a copy of the RTL, runs it in both modes.
bug() {
  cp -r "$root/rtl" "rtl-$1"
  sed -i "$4" "rtl-$1/$3"
  check "$1: the copy is broken" test -n "$(cmp "$root/rtl/$3" "rtl-$1/$3")"
  exits 3 "$1: a divergence" "$HEDDLE" run "$2" --dut icarus --rtl "rtl-$1" --out "$1" --mode closed
  mv out closed
  json "$1" '$.first_wrong' >closed.json
  rm -r "$1"
  exits 3 "$1: decoupled, too" "$HEDDLE" run "$2" --dut icarus --rtl "rtl-$1" --out "$1"
  equal "$(grep -A9 "first wrong inside" out)" "$(grep -A9 "first wrong inside" closed)" "$1: one state in both modes"
  equal "$(json "$1" '$.first_wrong')" "$(cat closed.json)" "$1: and in their JSON"
}

# told NAME STATE: every report of the state names STATE (a regular expression).
told() {
  local cycle state rtl model before
  IFS='|' read -r cycle state rtl model before < <(sqlite3 "$1/run.db" "SELECT
    (SELECT value FROM results WHERE key = 'first_wrong.cycle'), (SELECT value FROM results WHERE key = 'first_wrong.state'),
    (SELECT value FROM results WHERE key = 'first_wrong.rtl'), (SELECT value FROM results WHERE key = 'first_wrong.model'),
    (SELECT value FROM results WHERE key = 'first_wrong.cycles_before')")
  check "$1: the state is $2 ($state)" grep -qx "$2" <<<"$state"
  check "$1: RTL and model differ in it" test "$rtl" != "$model"
  equal "$((cycle + before))" "$(sql "$1" 'SELECT cycle FROM divergences')" "$1: so long before the divergence"
  says out "first wrong inside: cycle $cycle, $state: RTL $rtl, model $model; " "$1: the text says the same"
  says "$1/results.xml" "first wrong inside: cycle $cycle, $state: RTL $rtl, model $model; " "$1: and JUnit"
  equal "$(json "$1" '$.first_wrong.cycle')|$(json "$1" '$.first_wrong.state')|$(json "$1" '$.first_wrong.rtl')|$(json "$1" '$.first_wrong.model')|$(json "$1" '$.first_wrong.cycles_before')" \
    "$cycle|$state|$rtl|$model|$before" "$1: and JSON"
  equal "$(sqlite3 :memory: "SELECT group_concat(j.value ->> 'name' || ' ' || (j.value ->> 'rtl') || ' ' || (j.value ->> 'model'))
    FROM json_each(readfile('$1/report.json'), '\$.first_wrong_states') j
    WHERE j.value ->> 'differs' AND j.value ->> 'name' = '$state'")" "$state $rtl $model" "$1: it is among those beside it"
  says "$1/waves.gtkw" "-A: state differs first in cycle $cycle:" "$1: and the waves have it as marker A"
  says "$1/waves.gtkw" "[markername] A$state" "$1: by its name"
}

bug pointer mesh.yaml hd_output_port.v "s/\.set_i(grant_o & starts_i)/.set_i(NOBODY)/"
told pointer 'out\[[0-9]\]\.vc_next'
equal "$(json pointer '$.first_wrong_states[0].name')|$(json pointer '$.first_wrong_states[5].name')" \
  "out[1].vc[0].credit|out[1].vc_next" "pointer: states of the same output are beside it"
bug input small.yaml hd_input_port.v "s/assign advance = grant;/assign advance = 1'b0;/"
told input 'in\[[0-9]\]\.next'
bug owner small.yaml hd_output_port.v "s/if (rst) owned_q <= NONE;/if (rst) owned_q <= NONE + 1'b1;/
  s/free_q <= ~NONE;/free_q <= ~NONE - 1'b1;/"
told owner 'out\[[0-9]\]\.vc\[0\]\.owned'
# This bug is in a wire, so no state inside differs.
bug data small.yaml hd_output_port.v "s/data_o <= \(.*\);/data_o <= (\1) ^ (1 << 8);/"
says out "no state inside differs: the " "data: every state is the model's"
says out "states that the DUT shows equal the model's in cycles 0 to " "data: up to the divergence"
check "data: JSON says so" test -n "$(json data '$.no_first_wrong')"
summary
