#!/usr/bin/env bash
# heddle export: refusals, written files, and an exported fabric that equals the model in every cycle.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
here=$root/tests/cli/export
rtl=$root/bridge/export/rtl

# ── refusals ──────────────────────────────────────────────────────────────────
mesh='fabric: {topology: mesh, dims: [3, 2]}'
traffic='software: {program: uniform, parameters: {load: 0.3, flits: 4}}'
scenario small.yaml "$mesh" "$traffic" 'run: {cycles: 300}'
exits 2 "no directory" "$HEDDLE" export small.yaml
says err "a directory for the RTL" "is asked for"
exits 6 "a scenario that is not there" "$HEDDLE" export none.yaml never
exits 2 "barrier units" "$HEDDLE" export "$root/tests/scenarios/barrier-8x8.yaml" never
says err "switch.barrier: cannot be exported: management" "are refused with the reason"
exits 2 "coders" "$HEDDLE" export "$root/tests/scenarios/coding-4x4.yaml" never --set switch.barrier=none
says err "switch.code_places: cannot be exported" "are refused"
exits 2 "virtual networks behind streams" "$HEDDLE" export small.yaml never --set routing.virtual_networks=2
says err "say --raw" "are refused, and what would do is named"
exits 0 "with --raw they are exported" "$HEDDLE" export small.yaml networks --set routing.virtual_networks=2 --raw --replay 50
exits 2 "packets of one flit" "$HEDDLE" export small.yaml never --set switch.cut_flits=1 --set software.parameters.flits=1
exits 2 "a name that Verilog does not have" "$HEDDLE" export small.yaml never --name 4x4
says err "--name" "is refused"
exits 2 "a word of Verilog" "$HEDDLE" export small.yaml never --name small
exits 2 "a run in which nothing arrives" "$HEDDLE" export small.yaml never --replay 3
says err "no flit reaches a node" "has nothing to compare"
check "and nothing was written" test ! -e never
mkdir mine && touch mine/notes
exits 2 "never into somebody else's directory" "$HEDDLE" export small.yaml mine

# ── written files ─────────────────────────────────────────────────────────────
exits 0 "a mesh is exported" "$HEDDLE" export small.yaml noc --name noc
exits 0 "once more into the same directory" "$HEDDLE" export small.yaml noc --name noc
says noc/noc.core "flow: lint" "with a FuseSoC core"
says noc/noc.sdc "create_clock -name clk -period 20.000" "with a clock"
check "and every file of the list is there" sh -c 'cd noc && grep -v "^//" noc.f | xargs ls >/dev/null'
wide=(--set switch.vcs=1 --set fabric.dims='[7, 7]' --set software.parameters.load=0.05)
exits 0 "more nodes than a header of 16 bits names twice" "$HEDDLE" export small.yaml wide "${wide[@]}" --set fabric.dims='[16, 16]' --replay 0 --name wide
says out "there is no tid" "are exported without tid, and told"

# ── the endpoints, each in its own bench ──────────────────────────────────────
if ! command -v iverilog >/dev/null; then
  skip "exported fabrics on Icarus" "iverilog is missing, install the package iverilog"
  summary
  exit
fi
# bench NAME DIR [PARAMETER=VALUE...]: Icarus runs NAME_tb.v with the modules of DIR.
bench() {
  local name=$1 from=$2 set=()
  shift 2
  for p in "$@"; do set+=("-P${name}_tb.$p"); done
  iverilog -g2005 -Wall -y "$from" -y "$rtl" -y "$root/rtl" -y "$root/fpga/link" -s "${name}_tb" "${set[@]}" -o bench.vvp "$here/${name}_tb.v" 2>err &&
    vvp -n bench.vvp >out 2>>err && grep -q '^ok' out
}
for set in "loader" "loader PORTS=3 ROWS=8" "packetiser" "packetiser VCS=1 DEPTH=1 MODE=1" "packetiser VCS=3 DEPTH=7 MODE=3 CUT_FLITS=4" \
  "packetiser VCS=8 DEPTH=2 SOURCE=0" "depacketiser" "depacketiser VCS=1 DEPTH=1 HOLD=0" "depacketiser VCS=1 DEPTH=4 HOLD=0" \
  "depacketiser VCS=3 DEPTH=6" "depacketiser VCS=2 DEPTH=1 SOURCE_AT=0" "traffic" \
  "traffic DATA_W=64 NODE_W=6 NODES=50 NODE=49 PAUSES=1" "traffic DATA_W=32 BEATS=1 HAS_ID=0 LOAD=256" \
  "traffic NODE_W=8 NODES=200 NODE=150 PACKETS=300" "barrier" "barrier DATA_W=32 VCS=1 GAP=0" "open" "drain" "signature" \
  "signature PORTS=5 VCS=1 DATA_W=16" "windows" "windows SIGNATURES=4" "windows SIGNATURES=24 WORDS=128" "nodes" "nodes BARRIER=0 VCS=3" \
  "nodes DATA_W=32 VCS=1 BARRIER=2" "speed"; do
  read -r name parameters <<<"$set"
  # shellcheck disable=SC2086
  if bench "$name" "$rtl" $parameters; then ok "$(sed -n 's/^ok //p' out)"; else not_ok "$set" "see below"; fi
done

# ── a whole fabric: sources and sinks; each cycle of the model's run ──────────
# simulates NAME BENCH: Icarus runs a bench of an export; it ends with PASS.
simulates() {
  local with=(-f "$1.f")
  [ "$2" = "$1_tb" ] || with+=(bench/hd_export_replay.v)
  [ "$2" != "$1_tb" ] || [ ! -e "$1/$1_traffic.f" ] || with=(-f "$1_traffic.f")
  (cd "$1" && iverilog -g2005 -Wall "${with[@]}" "$2.v" -s "$2" -o sim.vvp) 2>err && [ ! -s err ] &&
    (cd "$1" && vvp -N sim.vvp) >out 2>>err && grep -q '^PASS' out
}
check "random packets between all nodes arrive" simulates noc noc_tb
check "in every cycle it shows what the model shows" simulates noc noc_replay_tb

# (tests/mutation/bugs.py plants bugs in the endpoints)
rest
# ── whole fabrics ─────────────────────────────────────────────────────────────
scenario tree.yaml 'fabric: {topology: tree, k: 2, n: 2, link_cycles: 3}' "$traffic" 'run: {cycles: 200}' 'routing: {algorithm: s-mod-k}'
scenario adaptive.yaml "$mesh" "$traffic" 'run: {cycles: 200}' 'routing: {algorithm: adaptive, congestion: count}' \
  'switch: {vcs: 3, depth_flits: 6, cut_flits: 5}'
scenario by.yaml 'fabric: {topology: mesh, dims: [2, 2]}' "$traffic" 'run: {cycles: 200}' 'routing: {algorithm: valiant}' 'switch: {vcs: 4}'
scenario omega.yaml 'fabric: {topology: omega, k: 2, n: 2, link_cycles: 2}' "$traffic" 'run: {cycles: 200}'
scenario far.yaml 'fabric: {topology: dragonfly, p: 1, a: 2, h: 1, global_link_cycles: 5}' "$traffic" 'run: {cycles: 200}'
exits 2 "links that are too long for RTL" "$HEDDLE" export far.yaml never --set fabric.global_link_cycles=17
says err "a link of 17 cycles" "are refused"
scenario computed.yaml 'fabric: {topology: mesh, dims: [2, 3]}' "$traffic" 'run: {cycles: 200}' 'routing: {computed: true}' \
  'switch: {vcs: 2, route_cycles: 0}'
for name in tree adaptive by omega far computed; do
  exits 0 "$name is exported" "$HEDDLE" export "$name.yaml" "$name" --name "$name"
  check "$name: random packets arrive" simulates "$name" "${name}_tb"
  check "$name: as the model in every cycle" simulates "$name" "${name}_replay_tb"
done

# wrong WHAT BENCH: the fabric in `noc` has a bug, and the bench must find it.
wrong() {
  if simulates noc "$2"; then not_ok "$1" "not found"; else says out "FAIL" "$1 is found"; fi
  cp kept/* noc
}
mkdir kept && cp noc/noc_fabric.v noc/noc_tables.v noc/noc.v kept
sed -i -E '/_valid|_flit|_back/{s/out_(valid|flit|back)\[1([]*])/out_\1[@\2/;s/out_(valid|flit|back)\[3([]*])/out_\1[1\2/;s/out_(valid|flit|back)\[@/out_\1[3/}' noc/noc_fabric.v
check "two links were swapped at their senders" sh -c '! cmp -s noc/noc_fabric.v kept/noc_fabric.v'
wrong "a swapped link" noc_replay_tb
word=$(sed -n "s/.*'d3: word_q <= [0-9]*'h\([0-9a-f]*\);/\1/p" noc/noc_tables.v)
sed -i "/'d3: word_q/s/'h$word;/'h${word%?}$(printf %x $((0x${word: -1} ^ 1)));/" noc/noc_tables.v
wrong "a wrong entry of a table" noc_replay_tb
sed -i 's/localparam SWITCH_COUNT = 6, LINK = 1/localparam SWITCH_COUNT = 6, LINK = 2/' noc/noc_fabric.v
wrong "a link that takes a cycle more" noc_replay_tb
sed -i 's/\.NODE(n)/.NODE(n ^ 1)/' noc/noc.v
wrong "a sender's number that is not right" noc_tb

# ── a fabric at speed: traffic on chip, and the model's signatures ────────────
scenario speed.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'software: {program: chip-traffic}' 'run: {cycles: 1000}'
exits 2 "another program than that of the sources on chip" "$HEDDLE" export small.yaml never --signatures
says err "software.program: a fabric with signatures" "is refused"
exits 2 "headers that these sources do not make" "$HEDDLE" export speed.yaml never --signatures --set routing.algorithm=valiant --set switch.vcs=4
says err "headers of mode 0" "are refused"
exits 2 "values" "$HEDDLE" export speed.yaml never --signatures --set switch.barrier=any --set switch.data_bits=64 --set switch.values=1
says err "switch.values: nodes on chip reduce no values" "are refused"
exits 2 "a start-up that hardware does not have" "$HEDDLE" export speed.yaml never --signatures --set software.startup_cycles=3
# signed NAME KEY=VALUE...: the signatures of its switches must be the model's
signed() {
  local name=$1 set=()
  shift
  for p in "$@"; do set+=(--set "$p"); done
  exits 0 "$name is exported with signatures" "$HEDDLE" export speed.yaml "$name" --signatures --name "$name" "${set[@]}"
  check "$name: the signatures are the model's" simulates "$name" "${name}_tb"
  command -v verilator_bin >/dev/null || return
  exits 0 "$name: Verilator has no warning" sh -c "cd $name && verilator_bin --lint-only -Wall --top-module $name -f $name.f"
}
signed square
signed lines switch.vcs=3 switch.depth_flits=6 switch.cut_flits=5 fabric.link_cycles=3 'fabric.dims=[3]' software.parameters.load_256=256
signed wide64 switch.data_bits=64 switch.vcs=1 software.parameters.beats=3
signed barrier switch.barrier=any software.parameters.gap_bits=3
signed fixed switch.barrier=fixed switch.data_bits=32 switch.vcs=1 software.parameters.gap_bits=0 barrier.idle_cycles=4 'fabric.dims=[3]'
signed direct routing.computed=true switch.route_cycles=0 'fabric.dims=[4, 2]'
if command -v yosys >/dev/null; then
  exits 0 "Yosys reads a fabric at speed" sh -c "cd square && yosys -q -p \"read_verilog \$(grep -v ^// square.f | tr '\n' ' '); hierarchy -check -top square; proc; check -assert\""
  check "without a warning" test ! -s out -a ! -s err
fi
# unlike WHAT FILE SED [NAME]: the bench must find the bug
unlike() {
  local name=${4-square}
  cp "$name/$2" kept_file && sed -i "$3" "$name/$2"
  if cmp -s kept_file "$name/$2"; then
    not_ok "$1" "it changes nothing"
  elif simulates "$name" "${name}_tb"; then
    not_ok "$1" "not found"
  else
    says out "FAIL window" "$1 is found"
  fi
  cp kept_file "$name/$2"
}
unlike "a source that draws otherwise" rtl/hd_export_source.v 's/r1 >> 17/r1 >> 16/'
unlike "a sink that gives no credit of a channel" rtl/hd_export_drain.v 's/!rst \&\& valid_i/!rst \&\& valid_i \&\& !vc_i/'
unlike "a member that waits a cycle more" rtl/hd_export_barrier.v 's/waits_q \&\& (left_q == 16.d0)/waits_q \&\& (left_q == 16'"'hffff"')/' barrier
unlike "one that takes any message for a release" rtl/hd_export_barrier.v 's/last \&\& low_q\[vc_i\] \&\& data_i\[15\]/valid_i \&\& kind_i == KIND_FIRST/' barrier
unlike "one that sends beside a packet" rtl/hd_export_nodes.v 's/ready \&\& !sends/ready/' barrier
unlike "a group that is opened a cycle late" rtl/hd_export_open.v 's/if (rst) step_q/if (rst || !late_q) step_q/; s/reg \[2:0\] step_q;/reg late_q; always @(posedge clk) late_q <= !rst; reg [2:0] step_q;/' barrier
unlike "signatures that begin a cycle late" rtl/hd_windows.v 's/!waiting \&\& (windows_q/!waiting \&\& run2_q \&\& (windows_q/; s/reg run_q;/reg run_q, run2_q; always @(posedge clk) run2_q <= run_q;/'
unlike "a copy that shifts by a word" rtl/hd_windows.v 's/copy_q <= copy_q >> 32/copy_q <= copy_q >> 64/'

# ── as a network without a model: the rules at its endpoints ──────────────────
foreign=$root/tests/scenarios/foreign-switch.yaml
if ! command -v verilator_bin >/dev/null; then
  skip "an exported network as DUT" "verilator_bin is missing, install the package verilator"
else
  export HEDDLE_UNOPTIMISED=1
  says noc/noc.yaml "network: mesh 3x2" "a description says what is inside"
  says noc/noc.yaml "channels: 2" "and shows its links"
  exits 0 "an exported network as DUT" "$HEDDLE" run "$foreign" --rtl noc/noc.yaml --cycles 2000 --out network
  says out "6 endpoints" "has its streams alone"
  says out "not looked at: timing, registers, quiescent_o, the order at ports, credits, registers and channels inside" "and its switches are judged one by one"
  sed -i 's/m_tdata_o <= front\[DATA_W-1:0\]/m_tdata_o <= front[DATA_W-1:0] ^ (front[4:0] == 5)/' noc/rtl/hd_export_depacketiser.v
  exits 3 "with a bit that turns over" "$HEDDLE" run "$foreign" --rtl noc/noc.yaml --cycles 2000 --no-html --out damaged
  says out "P9" "it breaks a rule"
  sed -i "s/out_data\[p\*DATA_W+:DATA_W\]};/out_data[p*DATA_W+:DATA_W] ^ {{(DATA_W - 1) {1'b0}}, s == 4 \&\& p == 2 \&\& out_kind[p*3+:3] != 3'd2 \&\& out_data[p*DATA_W+:5] == 5'd5}};/" noc/noc_fabric.v
  cp "$rtl/hd_export_depacketiser.v" noc/rtl
  exits 3 "with such a bit at a switch inside" "$HEDDLE" run "$foreign" --rtl noc/noc.yaml --cycles 2000 --no-html --out inside
  says out "switch 4, output port 2" "the switch is named"
fi

# ── 4×4 mesh and 4-ary 2-tree in three tools ──────────────────────────────────
exits 0 "a 4×4 mesh is exported" "$HEDDLE" export "$root/tests/scenarios/mesh-8x8-uniform.yaml" mesh --set 'fabric.dims=[4, 4]' --name mesh
scenario tree42.yaml 'fabric: {topology: tree, k: 4, n: 2}' "$traffic"
exits 0 "a 4-ary 2-tree is exported" "$HEDDLE" export tree42.yaml tree42 --name tree42
exits 0 "and with flits and credits" "$HEDDLE" export tree42.yaml raw42 --name raw42 --raw --replay 100
for name in mesh tree42 raw42; do
  (cd "$name" && iverilog -g2005 -Wall -f "$name.f" -s "$name" -o /dev/null) >out 2>&1
  check "$name: Icarus elaborates it without a warning" test ! -s out
  if command -v verilator_bin >/dev/null; then
    exits 0 "$name: Verilator has no warning" sh -c "cd $name && verilator_bin --lint-only -Wall --top-module $name -f $name.f"
    [ "$name" = raw42 ] || exits 0 "$name with traffic: Verilator has no warning" \
      sh -c "cd $name && verilator_bin --lint-only -Wall --top-module ${name}_traffic -f ${name}_traffic.f"
  else
    skip "$name: Verilator" "verilator_bin is missing, install the package verilator"
  fi
  if command -v yosys >/dev/null; then
    exits 0 "$name: Yosys reads it" sh -c "cd $name && yosys -q -p \"read_verilog \$(grep -v ^// $name.f | tr '\n' ' '); hierarchy -check -top $name; proc; check -assert\""
    check "$name: without a warning" test ! -s out -a ! -s err
  else
    skip "$name: Yosys" "yosys is missing, install the package yosys"
  fi
done
summary
