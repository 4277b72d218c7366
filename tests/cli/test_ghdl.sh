#!/usr/bin/env bash
# heddle run --dut ghdl: a switch in VHDL (docs/backends.md), its bugs, assertions, X, waves, and refusals.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/remote.sh" || exit
if ! command -v ghdl >/dev/null || ! command -v verilator >/dev/null; then
  skip "GHDL" "ghdl or verilator is missing, install the packages ghdl and verilator"
  summary
  exit
fi
own=$root/docs/examples/vhdl_router
scenario x.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'trace: {waves: true}' \
  'software: {program: uniform, parameters: {load: 0.5, flits: 4, cycles: 300}}' \
  'run: {cycles: 500, dut: ghdl, mode: closed, compare: packets}'

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

# plant NAME FILE SCRIPT: makes a copy of the router whose FILE is edited by sed.
plant() {
  rm -rf "$1"
  cp -r "$own" "$1"
  sed -i "$3" "$1/$2"
  check "$1: the change is planted" bash -c "! cmp -s '$own/$2' '$1/$2'"
}

exits 0 "a router in VHDL passes" "$HEDDLE" run x.yaml --rtl "$own" --out good
says out "ghdl: GHDL 2" "the report says on what"
says out "rules P1 to P16" "the rules at ports have watched it"
check "packets were received" test "$(json good '$.packets_received')" -gt 50
exits 0 "with two threads" "$HEDDLE" run x.yaml --rtl "$own" --threads 2 --out good_2
equal "$(sql good_2 'SELECT digest FROM run')" "$(sql good 'SELECT digest FROM run')" "one digest"
exits 0 "evaluated in every cycle" "$HEDDLE" run x.yaml --dut ghdl:every-cycle --rtl "$own" --out good_3
equal "$(sql good_3 'SELECT digest FROM run')" "$(sql good 'SELECT digest FROM run')" "one digest: its quiescent_o is right"

rest

# Runs the same switch with other ports, channels, width and depth.
scenario y.yaml 'fabric: {topology: torus, dims: [3, 3]}' 'switch: {vcs: 4, data_bits: 32, depth_flits: 3}' \
  'software: {program: uniform, parameters: {load: 0.1, flits: 3, cycles: 200}}' \
  'run: {cycles: 300, dut: ghdl, mode: closed, compare: packets}'
exits 0 "another shape of it" "$HEDDLE" run y.yaml --rtl "$own" --out shape

# A VHDL file does not name its library.
plant library router.vhd 's/^use work.router_pkg.all;/library net, parts; use parts.router_pkg.all;/; s/entity work.output/entity Net.output/'
sed -i 's/^use work.router_pkg.all;/library parts;\nuse parts.router_pkg.all;/' library/*.vhd
exits 0 "a router in libraries of its own" "$HEDDLE" run x.yaml --rtl library --out library-run
equal "$(sql library-run 'SELECT digest FROM run')" "$(sql good 'SELECT digest FROM run')" "has the same digest"

# Bugs.
plant owner output.vhd "s/taken_q(vc) *<= not front_i(lane)(0)/taken_q(vc) <= '0'/"
plant turn router.vhd 's/unsigned(way_entry(3 downto 0));/unsigned(way_entry(3 downto 0)) xor "0001";/'
plant credits output.vhd 's/able := credits_q(v) \/= 0;/able := true;/; s/natural range 0 to DEPTH;/integer range -100 to DEPTH;/'
while read -r bug difference <&3; do
  exits 3 "$bug: found" "$HEDDLE" run x.yaml --rtl "$bug" --out "$bug-run"
  equal "$(sql "$bug-run" 'SELECT difference FROM divergences')" "${difference//-/ }" "$bug: as ${difference//-/ }"
  exits 3 "$bug: found by a replay" "$HEDDLE" replay "$bug-run" --out "$bug-again"
  equal "$(sql "$bug-again" 'SELECT cycle, switch, port FROM divergences')" \
    "$(sql "$bug-run" 'SELECT cycle, switch, port FROM divergences')" "$bug: at the same place"
done 3<<'END'
owner framing
turn route
credits no-credit
END
check "there are waves" test -s owner-run/waves.fst
says owner-run/results.xml "head" "and the report has what the DUT shows"

# Compared with the original router: kind, channel and data are X while no flit is valid.
exits 0 "the router beside itself" "$HEDDLE" run x.yaml --rtl "$own" --against "$own" --out itself
check "was compared" test "$(json itself '$.events_compared')" -gt 1000
plant stays output.vhd 's/turn_q *<= (lane + 1) mod LANES/turn_q <= lane/'
exits 3 "a turn that stays" "$HEDDLE" run x.yaml --rtl stays --against "$own" --out stays-run
equal "$(sql stays-run 'SELECT difference FROM divergences')" flit "differs in time alone"
plant fourth output.vhd "s/flit_o  *<= front_i(lane);/flit_o <= front_i(lane);\n        if turn_q = 3 then flit_o(0) <= 'X'; end if;/"
exits 3 "an X in a valid flit" "$HEDDLE" run x.yaml --rtl fourth --against "$own" --out fourth-run
equal "$(sql fourth-run 'SELECT difference FROM divergences')" unknown "is an X"

# Reads notes and failed assertions of the design.
plant notes lane.vhd 's/^begin$/begin\n  assert false report "crc:error: none" severity note;/'
exits 0 "a note that speaks of errors is none" "$HEDDLE" run x.yaml --rtl notes --out notes-run
plant asserts lane.vhd 's/^begin$/begin\n  assert held_q < 3 report "three are held" severity error;/'
exits 3 "an assertion that fails" "$HEDDLE" run x.yaml --rtl asserts --out asserts-run
equal "$(sql asserts-run 'SELECT difference FROM divergences')" assertion "is a divergence"
line=$(grep -n 'three are held' asserts/lane.vhd | cut -d: -f1)
says out "assertion failed at rtl/lane.vhd:$line: three are held" "with file, line and message"
says asserts-run/rtl.log 'three are held' "and is in the log of what the RTL prints"
exits 3 "a replay of it" "$HEDDLE" replay asserts-run
plant range lane.vhd 's/held_q *: natural range 0 to DEPTH;/held_q : natural range 0 to DEPTH - 1;/'
exits 3 "a value out of its range" "$HEDDLE" run x.yaml --rtl range --out range-run
equal "$(sql range-run 'SELECT difference FROM divergences')" assertion "is an assertion that failed"
says out "bound check failure at rtl/lane.vhd:" "with file and line"
plant chatty lane.vhd 's/^begin$/begin\n  process (clk) begin if rising_edge(clk) and push_i = '"'1'"' then report "came"; end if; end process;/'
exits 0 "a report of severity note" "$HEDDLE" run x.yaml --rtl chatty --out chatty-run
says chatty-run/rtl.log 'came' "is in the log"
plant ends lane.vhd 's/^begin$/begin\n  process (clk) begin if rising_edge(clk) and held_q = 2 then std.env.finish; end if; end process;/'
exits 7 "a design that ends the simulation" "$HEDDLE" run x.yaml --rtl ends --out ends-run
says err "std.env.finish" "is said"
plant before lane.vhd 's/^begin$/begin\n  assert rst \/= '"'1'"' report "in reset" severity error;/'
exits 7 "an assertion that fails in reset" "$HEDDLE" run x.yaml --rtl before --out before-run
says err "outside of any window" "is no difference"

plant loop lane.vhd 's/^  signal any, drop, pop : std_logic;/  signal any, drop, pop, x : std_logic := '"'0'"';/; s/^begin$/begin\n  x <= not x when held_q = 2 else '"'0'"';/'
exits 7 "a combinational loop" "$HEDDLE" run x.yaml --dut ghdl:patience=2 --rtl loop --out loop-run
says err "has not finished a cycle for 2 s: is there a combinational loop?" "is said"

# Four states.
plant unset output.vhd "s/ *valid_o *<= '0';//; s/valid_o <= any;/if any = '1' then valid_o <= '1'; end if;/"
exits 3 "an output that reset forgets" "$HEDDLE" run x.yaml --rtl unset --out unset-run
equal "$(sql unset-run 'SELECT difference, cycle FROM divergences')" "unknown|0" "is unknown"
says err "x in out_valid_o of switch" "and named"
plant open hd_switch.vhd "s/out_vc_o(.*<= *out_vc(p);/out_vc_o((p + 1) * VC_W - 1 downto p * VC_W) <= (others => 'Z');/"
exits 3 "an output that nobody drives" "$HEDDLE" run x.yaml --rtl open --out open-run
says err "z in out_vc_o of switch" "is Z"
plant weak hd_switch.vhd "s/out_kind_o(.*<= *out_flit(p)(2 downto 0);/out_kind_o(3 * p + 2 downto 3 * p) <= 'L' \& out_flit(p)(1 downto 0);/"
exits 0 "a weak 0" "$HEDDLE" run x.yaml --rtl weak --out weak-run

# Delays end before outputs are read.
plant delays output.vhd 's/valid_o <= any;/valid_o <= any after 2 ns;/; s/flit_o *<= front_i(lane);/flit_o <= front_i(lane) after 3 ns;/'
exits 0 "RTL with delays" "$HEDDLE" run x.yaml --rtl delays --out delays-run
equal "$(sql delays-run 'SELECT digest FROM run')" "$(sql good 'SELECT digest FROM run')" "has the digest of that without"

# Snapshots: from the beginning, from the middle.
exits 0 "waves of cycles in the middle" "$HEDDLE" wave -p good --switch 1 --from 100 --to 140
says good/waves-switch-1-100-140/waves.gtkw "quiescent" "have the DUT"
if command -v fst2vcd >/dev/null; then
  fst2vcd -f good/waves-switch-1-100-140/waves.fst -o waves.vcd 2>/dev/null
  says waves.vcd " held_q [31:0] " "and the signals of the VHDL"
  equal "$(python3 "$root/tests/cli/vhdl_waves.py" waves.vcd)" "41 of 41" "cycle for cycle as the ports have them"
else
  skip "signals in waves" "fst2vcd is missing, install the package gtkwave"
fi

# A sweep continues only with runs of the same VHDL.
cp -r "$own" swept
for what in begins "goes on"; do
  exits 0 "a sweep $what" "$HEDDLE" sweep x.yaml --set software.parameters.load=0.1 --cycles 100 --rtl swept --out sweep
done
echo '-- a comment' >>swept/lane.vhd
exits 2 "with other VHDL" "$HEDDLE" sweep x.yaml --set software.parameters.load=0.1 --cycles 100 --rtl swept --out sweep
says err "was begun with other RTL" "it does not"

# Refuses designs that GHDL cannot run.
plant syntax lane.vhd 's/^begin$/begin begin/'
exits 7 "a syntax error" "$HEDDLE" run x.yaml --rtl syntax --out bad
says err "lane.vhd:" "names the file"
plant width hd_switch.vhd 's/in_vc_i *: in  std_logic_vector(PORTS \* width_of(VCS) - 1/in_vc_i : in std_logic_vector(PORTS * width_of(VCS)/'
exits 2 "a port of another width" "$HEDDLE" run x.yaml --rtl width --out bad
says err "input in_vc_i of hd_switch has" "is named"
plant further hd_switch.vhd 's/cfg_write_i *: in  std_logic;/cfg_write_i : in std_logic; enable_i : in std_logic := '"'1'"';/'
exits 2 "an input that nobody drives" "$HEDDLE" run x.yaml --rtl further --out bad
says err "hd_switch has an input enable_i" "is named"
plant zero hd_switch.vhd 's/assert SOURCE_TABLE = 0/assert PORTS > 5/'
exits 2 "parameters that the VHDL does not have" "$HEDDLE" run x.yaml --rtl zero --out bad
says err "hd_switch.vhd:" "are named by its assertion"
plant generic hd_switch.vhd '/CUT_FLITS/d'
exits 7 "a generic that is missing" "$HEDDLE" run x.yaml --rtl generic --out bad
says err "cut_flits" "is named"
exits 2 "no VHDL at all" "$HEDDLE" run x.yaml --out bad
says err "give --rtl DIR, a directory with hd_switch.vhd" "is told what to give"
exits 2 "a directory without hd_switch.vhd" "$HEDDLE" run x.yaml --rtl "$root/rtl" --out bad
says err "holds no hd_switch.vhd" "is refused"
exits 2 "VHDL on a simulator of Verilog" "$HEDDLE" run x.yaml --dut icarus --rtl "$own" --out bad
says err "its hd_switch.vhd is for --dut ghdl" "is told where it belongs"
exits 7 "a missing simulator" env PATH=/nonexistent "$HEDDLE" run x.yaml --rtl "$own" --out missing
says err "apt-get install ghdl" "names its package"

# heddle check for any router, also with an original.
exits 0 "a check" "$HEDDLE" check --foreign "$own" --switch "vcs: 1" --runs 2 --out check
says out "no rule broken in 2 runs" "says what it looked at"
says out "no X at a pin (GHDL is four-state in every run)" "has no runs of another simulator"
exits 3 "a check of a bug" "$HEDDLE" check --foreign owner --runs 4 --failures 1 --shrink-seconds 5 --out check-owner
says out "× a link's port: framing" "names the rule"
says out "--dut ghdl --rtl owner" "and a command"
again=$(sed -n "s|^ *heddle \(run check.*\)|'$HEDDLE' \1 --out check-again|p" out | head -n 1)
exits 3 "which shows it again" bash -c "$again"
exits 3 "a check beside the router as it was" "$HEDDLE" check --foreign stays --against "$own" --runs 4 --failures 1 --shrink-seconds 0 --out check-stays
says out "NOT as the original" "differs"
exits 2 "a check against Heddle's model" "$HEDDLE" check "$own" --runs 1 --out bad
says err "is in VHDL, and Heddle's switch is not" "is refused"
exits 7 "a check without GHDL" env PATH=/nonexistent "$HEDDLE" check --foreign "$own" --runs 1 --out bad
says err "ghdl is missing; install the package ghdl" "names its package"

# All processes end with the run, those of snapshots, too.
scenario long.yaml 'fabric: {topology: mesh, dims: [2, 2]}' \
  'software: {program: uniform, parameters: {load: 0.1, cycles: 1000000000}}' \
  'run: {cycles: 1000000000, dut: ghdl, mode: closed, compare: packets}'
for signal in INT KILL; do
  env --default-signal "$HEDDLE" run long.yaml --rtl "$own" --out "$signal" >out 2>err </dev/null &
  pid=$!
  has_snapshots() { [ "$(simulators "$(carries_out "$pid")")" -gt 9 ]; }
  wait_until "$pid" has_snapshots
  run=$(carries_out "$pid")
  kill -"$signal" "$pid"
  rc=0
  wait "$pid" 2>/dev/null || rc=$?
  equal "$rc" "$([ $signal = INT ] && echo 130 || echo 137)" "SIG$signal: exit code"
  for ((tries = 0; tries < 3000; tries++)); do
    [ "$(simulators "$run")" != 0 ] || break
    sleep 0.1
  done
  equal "$(simulators "$run")" 0 "SIG$signal: no simulator is left"
done
summary
