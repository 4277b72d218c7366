#!/usr/bin/env bash
# A whole network as the device under test: it replaces the fabric of a scenario, in run, sweep and check; bugs inside are found.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
own=$root/docs/examples/mesh_3x3
scenario=$root/tests/scenarios/foreign-switch.yaml
exits 0 "a wrapper of a network is written" "$HEDDLE" wrap "$own/mesh_3x3.yaml" --out wrapped
says out 'fabric: {topology: flattened-butterfly, k: 9, n: 1, inside: "mesh 3x3"}' "and says of which fabric it is"
exits 2 "a description in place of a scenario" "$HEDDLE" run "$own/mesh_3x3.yaml"
says err "give a description of a router to --rtl" "is told where it belongs"
if ! command -v verilator_bin >/dev/null; then
  skip "runs of a network" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
export HEDDLE_UNOPTIMISED=1

# json FILE PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1'), '$2')"
}

# ── a run ─────────────────────────────────────────────────────────────────────
exits 0 "a scenario of a mesh of switches, on a network" "$HEDDLE" run "$scenario" --rtl "$own/mesh_3x3.yaml" --out run
says out "a whole network as DUT, inside: mesh 3x3; 9 endpoints" "has the network in place of its fabric"
says out "credits, registers and channels inside of the network" "the verdict says what was not looked at"
# A hop takes one cycle, and no other packet can make a way shorter.
equal "$(json run/report.json '$.distances[0].minimum'),$(json run/report.json '$.distances[1].minimum'),$(json run/report.json '$.distances[3].minimum')" \
  "8,9,11" "latencies are known by links"
equal "$(json run/report.json '$.distances[0].packets')" \
  "$(sql run "SELECT count(*) FROM packets WHERE abs(source % 3 - destination % 3) + abs(source / 3 - destination / 3) = 1")" "of all packets"
check "the page draws what is inside" grep -q 'id="inside-drawing"' run/report.html
rest
scenario links.yaml 'fabric: {topology: mesh, dims: [3, 3]}'
exits 0 "a graph file of the links inside" "$HEDDLE" topo links.yaml --routes
mkdir by-file && cp out by-file/links.csv && cp "$own"/*.sv by-file
sed 's/network: .*/network: links.csv\nposition: {columns: 3}/; /^routing:/d' "$own/mesh_3x3.yaml" >by-file/network.yaml
exits 0 "in place of a name" "$HEDDLE" run "$scenario" --rtl by-file/network.yaml --out file
equal "$(json file/report.json '$.distances')" "$(json run/report.json '$.distances')" "says the same of latencies"
says out "credits, registers and channels inside of the network" "and links inside are watched"
exits 0 "replays the run" "$HEDDLE" replay run --out again
says out "same digest" "with the same digest"
exits 0 "the directory of the wrapper needs the fabric" "$HEDDLE" run "$scenario" --rtl wrapped --set switch.vcs=1 --set routing.algorithm=minimal \
  --set 'fabric={topology: flattened-butterfly, k: 9, n: 1, inside: mesh 3x3}' --out by-hand
equal "$(sql by-hand 'SELECT digest FROM run')" "$(sql run 'SELECT digest FROM run')" "and runs alike"
exits 7 "another number of endpoints" "$HEDDLE" run "$scenario" --rtl wrapped --set switch.vcs=1 --set routing.algorithm=minimal \
  --set 'fabric={topology: flattened-butterfly, k: 8, n: 1, inside: unknown}' --out eight
says err "the_network_has_9_endpoints_and_the_scenario_has_others" "is refused by name"
exits 0 "a sweep" "$HEDDLE" sweep "$scenario" --rtl "$own/mesh_3x3.yaml" --set software.parameters.load=0.1,0.3 --cycles 2000 --out sweep
equal "$(wc -l <sweep/points.csv)|$(grep -c passed sweep/runs.csv)" "3|2" "has all its points"

# ── bugs: NAME RULE FILE SED-COMMAND ──────────────────────────────────────────
while read -r bug rule file command <&3; do
  cp -r "$own" "$bug" && sed -i "$command" "$bug/$file"
  check "$bug: the bug is planted" bash -c "! cmp -s '$own/$file' $bug/$file"
  exits 3 "$bug: found" "$HEDDLE" run "$scenario" --rtl "$bug/mesh_3x3.yaml" --set software.parameters.load=0.5 --no-html --out "$bug-out"
  equal "$(sql "$bug-out" 'SELECT difference, switch, port FROM divergences')" "$rule" "$bug: named, with the router inside and its port"
done 3<<'END'
misrouted route|4|0 mesh_router.sv s/(to_y > Y) ? 5'b01000/(to_y > Y) ? ((X == 1 \&\& Y == 1 \&\& to_x == 1) ? 5'b00001 : 5'b01000)/
crossed damaged|2|2 mesh.sv s/in_last\[n\], in_y\[n\*CoordW+:CoordW\], in_x\[n\*CoordW+:CoordW\]/in_last[n], (n == 2) ? in_x[n*CoordW+:CoordW] : in_y[n*CoordW+:CoordW], (n == 2) ? in_y[n*CoordW+:CoordW] : in_x[n*CoordW+:CoordW]/
damaged damaged|3|0 mesh.sv s/\(assign out_data.*\);/\1 ^ ((n == 3 \&\& !out_last[n]) ? 32768 : 0);/
stuck held|0|0 mesh_fifo.sv s/  assign in_ready  = held != Depth;/  logic full;\n  always_ff @(posedge clk) full <= rst_n \&\& (full || held == Depth);\n  assign in_ready = (held != Depth) \&\& !(full \&\& held == 0);/
END
check "stuck: within 200 cycles of the last that moved" test "$(sql stuck-out 'SELECT cycle FROM divergences')" -lt 3000
cp by-file/links.csv damaged && cp by-file/network.yaml damaged
exits 3 "the same inside of a graph file" "$HEDDLE" run "$scenario" --rtl damaged/network.yaml --set software.parameters.load=0.5 --no-html --out damaged-file
equal "$(sql damaged-file 'SELECT difference, switch, port FROM divergences')" "damaged|3|0" "is named likewise"
for command in run check sweep; do
  what=("$scenario" --rtl "$own/mesh_3x3.yaml")
  [ $command != check ] || what=("$own/mesh_3x3.yaml")
  exits 2 "another inside, $command" "$HEDDLE" $command "${what[@]}" --set 'fabric.inside=torus 3x3' --out never
  says err "fabric.inside: the description of the network says what is inside" "is refused"
done
exits 3 "a network against the right one" "$HEDDLE" run "$scenario" --rtl misrouted/mesh_3x3.yaml --against "$own/mesh_3x3.yaml" \
  --set software.parameters.load=0.5 --no-html --out against-out
says out "first signal that differs: way of mesh_router" "differs first inside of a router"
# Links with credits show crossing flits, but no ready, so the description names the same signal for both.
for bug in none misrouted; do
  copy=crossing-$bug from=$own
  [ $bug = none ] || from=$bug
  cp -r "$from" "$copy"
  sed -i 's/ valid, ready;/ valid, ready, crosses;/; s/assign out_valid\[n\] = valid\[n\*5\];/& assign crosses[n*5+:5] = valid[n*5+:5] \& to_ready;/' "$copy/mesh.sv"
  sed -i 's/  valid: "valid\[/  valid: "crosses[/; s/  ready: "ready\[.*/  ready: "crosses[{from}*5+{from_port}]"/' "$copy/mesh_3x3.yaml"
  equal "$(grep -c '"crosses\[' "$copy/mesh_3x3.yaml"),$(grep -c crosses "$copy/mesh.sv")" "2,2" "$copy: its links show when flits cross"
  exits "$([ $bug = none ] && echo 0 || echo 3)" "$copy: runs" "$HEDDLE" run "$scenario" --rtl "$copy/mesh_3x3.yaml" \
    --set software.parameters.load=0.5 --no-html --out "$copy-out"
done
equal "$(sql crossing-misrouted-out 'SELECT difference, switch, port FROM divergences')" "route|4|0" "the router inside is named"
# If its links are not known, a network is judged from outside.
cp -r misrouted outside && sed -i '/^links:/,$d' outside/mesh_3x3.yaml
exits 3 "a network whose links are not named" "$HEDDLE" run "$scenario" --rtl outside/mesh_3x3.yaml --set software.parameters.load=0.5 --no-html --out outside-out
equal "$(sql outside-out 'SELECT difference, switch, port FROM divergences')" "route|0|4" "is blamed as a whole, at the endpoint that got the packet"

# ── more endpoints than a switch has ports ────────────────────────────────────
cp -r "$own" wide
sed -i -e 's/Columns: 3, Rows: 3/Columns: 5, Rows: 4, CoordW: 3/; s/mesh 3x3/mesh 5x4/; s/count: 9/count: 20/; s/:2"/:3"/g; s/5+DATA_W/7+DATA_W/; s/4+DATA_W/6+DATA_W/; s/DATA_W+:2/DATA_W+:3/; s/DATA_W+2+:2/DATA_W+3+:3/' wide/mesh_3x3.yaml
sed -i "s/\(assign out_data.*\);/\1 ^ ((n == 19 \&\& !out_last[n] \&\& \$test\$plusargs(\"wrong\")) ? 32768 : 0);/" wide/mesh.sv
exits 0 "a network of twenty endpoints" "$HEDDLE" run "$scenario" --rtl wide/mesh_3x3.yaml --out wide-run
equal "$(sql wide-run 'SELECT count(DISTINCT source), count(DISTINCT destination) FROM packets')" "20|20" "with packets from and to all"
# The key of the build has the flags. In blocks, an optimising compiler has half as much work.
check "which is compiled in blocks" bash -c "grep -l 'PORTS=20' '$root'/build/dut/*/key.txt | xargs grep -q -- '--output-split'"
exits 3 "a bug at the last of them" "$HEDDLE" run "$scenario" --rtl wide/mesh_3x3.yaml --dut verilator:+wrong --out wide-bug
equal "$(sql wide-bug 'SELECT difference, switch FROM divergences')" "damaged|19" "is found there"
check "and its waves have all endpoints, and no model" bash -c 'grep -q "rtl.port19" wide-bug/*.gtkw && ! grep -q "model\." wide-bug/*.gtkw'
exits 2 "a backend of switches" "$HEDDLE" run "$scenario" --rtl wide/mesh_3x3.yaml --dut lanes --out refused
says err "a network of 20 endpoints needs --dut verilator, icarus or ghdl" "refuses it by name"

# ── in VHDL ───────────────────────────────────────────────────────────────────
mkdir vhdl && cat >vhdl/swap.vhd <<'END'
library ieee;
use ieee.std_logic_1164.all;
entity swap is
  generic (W : integer := 16);
  port (
    clk, rst : in std_logic;
    in_valid, in_last, out_ready : in std_logic_vector(1 downto 0);
    in_ready, out_valid, out_last : out std_logic_vector(1 downto 0);
    in_data : in std_logic_vector(2 * W - 1 downto 0);
    out_data : out std_logic_vector(2 * W - 1 downto 0));
end entity;
architecture rtl of swap is
begin
  out_valid <= in_valid(0) & in_valid(1);
  in_ready <= out_ready(0) & out_ready(1);
  out_last <= in_last(0) & in_last(1);
  out_data <= in_data(W - 1 downto 0) & in_data(2 * W - 1 downto W);
end architecture;
END
cat >vhdl/swap.yaml <<'END'
top: swap
files: [swap.vhd]
parameters: {W: DATA_W}
reset: {pin: rst}
flow: {kind: ready}
network: unknown
ports:
  count: 2
  in: {valid: in_valid, ready: in_ready, tail: in_last, data: in_data}
  out: {valid: out_valid, ready: out_ready, tail: out_last, data: out_data}
END
if command -v ghdl >/dev/null; then
  exits 0 "a network in VHDL" "$HEDDLE" run "$scenario" --rtl vhdl/swap.yaml --dut ghdl --cycles 1000 --out vhdl-run
  says out "a whole network as DUT, inside: unknown; 2 endpoints" "is a network"
else
  skip "a network in VHDL" "ghdl is missing, install the package ghdl"
fi

# ── a check ───────────────────────────────────────────────────────────────────
exits 0 "a check" "$HEDDLE" check "$own/mesh_3x3.yaml" --runs 6 --out check
says out "no rule broken in 6 runs" "passes"
exits 3 "a check of one with a bug" "$HEDDLE" check misrouted/mesh_3x3.yaml --runs 6 --failures 1 --shrink-seconds 5 --out check-bug
says out "switch 4: inside of the network: head to node 7 left by port 0, dimension order says port 3" "says at which router"
check "and keeps the network" bash -c 'grep -h "inside: \"*mesh 3x3" check-bug/small-*.yaml'
summary
