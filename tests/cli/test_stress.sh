#!/usr/bin/env bash
# heddle check with the original: it finds a bug that no stream shows, and the model decides which of two switches is wrong.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# Run 7 has the smallest of the switches.
run=7

# json FILE PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/check.json'), '$2')"
}

# plant DIRECTORY FILE FROM TO: makes a copy of the RTL with one change.
plant() {
  cp -r "$root/rtl" "$1"
  sed -i "s/$3/$4/" "$1/$2"
  check "a bug is planted in $1" test -n "$(cmp "$root/rtl/$2" "$1/$2")"
}

exits 11 "the original beside itself" "$HEDDLE" check --stress $run --out same
says err "is the original, byte for byte" "says that nothing is compared"
cp -r "$root/rtl" same-text
exits 11 "a copy of it" "$HEDDLE" check same-text --stress $run --out copy
exits 0 "a check of it" "$HEDDLE" check same-text --runs 2 --out copy-2
says out "saturated (this RTL is the original's)" "names what it does not do"

# cfg_rdata_o keeps a value for one cycle only: streams do not check this pin between two events.
plant once hd_config.v 'else if (read_i) rdata_o <= value;' "else rdata_o <= read_i ? value : 16'd0;"
exits 3 "a value that is shown for one cycle" "$HEDDLE" check once --stress $run --out once-out
says out "1 × beside the original: cfg_rdata_o" "is found"
says out "it differs from the original, but not from the model" "and said to be nothing that the model shows"
says out "heddle check once --stress $run --seed 1" "with its command"
failures=$(sqlite3 :memory: "SELECT json_extract(value, '$.failed') FROM json_each(readfile('once-out/check.json'), '$.kinds') WHERE json_extract(value, '$.kind') = 'stress'")
equal "$(json once-out '$.verdict')|$failures" "different|1" "JSON says so, too"
check "and how many cycles were compared" test "$(json once-out '$.cycles_beside_original')" -gt 100
exits 2 "no original" "$HEDDLE" check --stress $run --against nowhere --out none
says err "nowhere" "is named"
rest

# An output's channel stays assigned to a packet that has left.
plant bug hd_output_port.v 'owned_q ^ turned' 'owned_q | turned'
exits 3 "what a stream shows" "$HEDDLE" check bug --stress $run --shrink-seconds 3 --out bug-out
says out "a stream into one switch: " "is one of its failures"
says out "heddle check bug --stream bug-out/small-stress-1-$run.txt" "and gets small"
exits 3 "its file" "$HEDDLE" check bug --stream bug-out/small-stress-1-$run.txt --out bug-again
exits 0 "the other way round" "$HEDDLE" check --stress $run --against bug --out wrong
says out "the original differs from the model, and this RTL does not: " "the original is wrong, not the RTL"
check "JSON says where" test -n "$(json wrong '$.original_wrong')"

# An older original may lack switches.
plant older hd_switch.v 'PORTS > 16' 'PORTS < 3'
exits 11 "an original without such a switch" "$HEDDLE" check --stress $run --against older --out older-out
says out "1 run beside the original: the original does not build with their parameters" "is named"

# In lanes: 512 benches of the same switch at once, each with a seed of its own.
if command -v yosys >/dev/null; then
  exits 2 "a run that is not there" "$HEDDLE" check bug --stress 999 --out far
  says err "in lanes 1000 … " "those in lanes are named"
  exits 3 "what a stream shows, in lanes" "$HEDDLE" check bug --stress $((1000 + run)) --shrink-seconds 3 --out bug-lanes
  says out "heddle check bug --stream bug-lanes/small-stress-1-$((1000 + run)).txt" "becomes a stream, and gets small"
  cp -r "$root/rtl" other
  sed -i 's/SPDX/spdx/' other/hd_vc_buffer.v
  exits 0 "another text of the same switch" "$HEDDLE" check other --stress $((1000 + run)) --out other-out
  equal "$(json other-out '$.cycles_beside_original')" 153600000 "agrees in 154 million cycles"
  # shellcheck disable=SC2016
  plant refused hd_config.v '^endmodule' 'always @(posedge clk) if (rst \&\& !rst) $finish;\nendmodule'
  exits 11 "RTL that Yosys makes no netlist of" "$HEDDLE" check refused --stress $((1000 + run)) --out refused-out
  says out "1 run beside the original in lanes: Yosys makes no netlist" "is named, with the reason"
else
  skip "benches in lanes" "yosys is missing, install the package yosys"
fi
summary
