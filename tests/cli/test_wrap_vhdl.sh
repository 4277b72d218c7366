#!/usr/bin/env bash
# Routers in VHDL with descriptions: the wrapper equals the Verilog one in every cycle; keys that VHDL cannot have are refused.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
here=$root/tests/cli/wrap

# ── refusals ──────────────────────────────────────────────────────────────────
cp "$here"/xy_router.v* .
for kind in ready onoff credit; do
  sed 's/xy_router\.v/xy_router.vhd/; s/NEXT: 6/BEHIND: 6/' "$here/$kind.yaml" >$kind.yaml
done
# refuses WHAT SAYS SED: ready.yaml, edited by SED, must be refused.
refuses() {
  sed "$3" ready.yaml >bad.yaml
  exits 2 "$1" "$HEDDLE" wrap bad.yaml --out bad
  says err "$2" "is refused by name"
}
refuses "a file of Verilog among VHDL" "is no VHDL, which the others are" 's/^files: .*/files: [xy_router.vhd, xy_router.v]/'
refuses "an entity that no file has" "none of the files has this entity" 's/^top: .*/top: xy_ruter/'
refuses "an expression of Verilog" "pins: {hd_x[3:0]} is no expression that VHDL has, too" 's/my_x: "hd_x\[3:0\]"/my_x: "{hd_x[3:0]}"/'
refuses "a position as a generic" "a position as a generic is not done for VHDL" 's/FLOW: 0/FLOW: hd_x/'
refuses "an interface" "ports.interface: is for Verilog alone" 's/^  count: 5/  count: 5\n  interface: link/'
refuses "another order of vectors" "ports.order in VHDL needs a pin for each port" 's/^  count: 5/  order: [1, 0, 2, 3, 4]/'
refuses "tables that the wrapper would keep" "routing.tables: replay is not done for VHDL" 's/tables: none/tables: replay/'

# ── written files ─────────────────────────────────────────────────────────────
exits 0 "a router is wrapped" "$HEDDLE" wrap ready.yaml --out wrapped
says out "wrapped/hd_switch.vhd" "into an entity"
check "with its files and the adapters" test -f wrapped/files/0/xy_router.vhd -a -f wrapped/hd_wrap.vhd
check "and nothing of Verilog" test "$(find wrapped -name '*.v' | wc -l)" = 0
exits 0 "once more into the same directory" "$HEDDLE" wrap ready.yaml --out wrapped

if ! command -v ghdl >/dev/null || ! command -v verilator_bin >/dev/null; then
  skip "runs of wrapped routers" "ghdl or verilator is missing, install the packages ghdl and verilator"
  summary
  exit
fi

# elaborates NAME: GHDL must read and elaborate the files in the directory.
elaborates() {
  mkdir -p "$1.work"
  find "$1" -name '*.vhd' -exec ghdl -i --std=08 --workdir="$1.work" {} + >out 2>err &&
    ghdl -m --std=08 --workdir="$1.work" hd_switch >>out 2>>err &&
    ghdl -r --std=08 --workdir="$1.work" hd_switch --stop-time=1ns --ieee-asserts=disable >>out 2>>err
}

# A pin for each port and channel, named ports, an array, a code for the kind, one bit for each channel, an idle pin.
cat >pins.vhd <<'END'
library ieee;
use ieee.std_logic_1164.all;
package pins_types is
  type port_words is array (0 to 2) of std_logic_vector(31 downto 0);
end package;
library ieee;
use ieee.std_logic_1164.all;
use work.pins_types.all;
entity Pins is
  generic (DEPTH : positive);
  port (
    clock, reset                         : in  std_logic;
    valid_a, valid_b, valid_c            : in  std_logic;
    ready_a_0, ready_b_0, ready_c_0      : out std_logic;
    ready_a_1, ready_b_1, ready_c_1      : out std_logic;
    data_i                               : in  port_words;
    type_a_i, type_b_i, type_c_i         : in  std_logic_vector(1 downto 0);
    vc_a_i, vc_b_i, vc_c_i               : in  std_logic_vector(1 downto 0);
    out_valid_0, out_valid_1             : out std_logic_vector(2 downto 0);
    out_ready                            : in  std_logic_vector(2 downto 0);
    data_o                               : out port_words;
    type_o                               : out std_logic_vector(5 downto 0);
    here                                 : in  std_logic_vector(3 downto 0);
    table_write                          : in  std_logic;
    table_node                           : in  std_logic_vector(11 downto 0);
    table_data                           : in  std_logic_vector(15 downto 0);
    zero                                 : in  std_logic;
    idle                                 : out std_logic;
    left_open                            : out std_logic
  );
end entity;
architecture none of Pins is
begin
  out_valid_0 <= "000"; out_valid_1 <= "000"; idle <= '1';
  data_o <= (others => (others => '0')); type_o <= (others => '0');
end architecture;
END
cat >pins.yaml <<'END'
top: pins
files: pins.vhd
clock: clock
parameters: {DEPTH: 2 * (DEPTH + $clog2(PORTS))}
reset: {pin: reset, active: high}
channels: 2
flow: {kind: ready}
packet: {type: {head: "2'd0", body: "2'd1", tail: "2'd2", single: "2'd3"}}
ports:
  names: [b, a, c]
  array: unpacked
  in: {valid: "valid_{port}", ready: "ready_{port}_{vc}", data: "data_i[{port}]:32", type: "type_{port}_i", vc_onehot: "vc_{port}_i"}
  out: {valid: "out_valid_{vc}", ready: out_ready, data: "data_o[{port}]:32", type: type_o}
position: {columns: 2}
pins: {here: "hd_node[3:0]", zero: "1'b0", table_write: hd_cfg_write, table_node: "hd_cfg_addr[11:0]", table_data: hd_cfg_data}
idle: idle
routing: {tables: cfg, promises: dimension-order}
END
exits 0 "pins of many shapes" "$HEDDLE" wrap pins.yaml --out pins
# planted: no, it changes the adapters that Heddle has written
sed -i 's/PORTS         : positive := 3/PORTS         : positive := 2/' pins/hd_switch.vhd
check "fit, with a port that the fabric does not have" elaborates pins

# Three channels, whose number has room for a fourth value, which the router shows while it sends nothing.
sed "s/out_valid_0, out_valid_1  /out_valid                /; s/out_valid_0 <= .*out_valid_1 <= \"000\";/out_valid <= \"000\"; vc_o <= (others => '1');/
  s/std_logic_vector(5 downto 0);/&\n    vc_o : out std_logic_vector(5 downto 0);\n    ready_a_2, ready_b_2, ready_c_2 : out std_logic;/
  s/vc_c_i  \(.*\)(1 downto 0)/vc_c_i  \1(2 downto 0)/" pins.vhd >three.vhd
sed 's/pins.vhd/three.vhd/; s/channels: 2/channels: 3/; s/valid: "out_valid_{vc}", ready/valid: out_valid, vc: vc_o, ready/' pins.yaml >three.yaml
exits 0 "three channels" "$HEDDLE" wrap three.yaml --out three
check "whose fourth does no harm" elaborates three

# ── runs ──────────────────────────────────────────────────────────────────────
scenario one.yaml 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' 'run: {cycles: 1000, mode: closed, compare: packets, dut: ghdl}' \
  'software: {program: uniform, parameters: {load: 0.2, flits: 4, cycles: 300}}'
sed 's/vcs: 1/vcs: 2/' one.yaml >two.yaml
sed 's/depth_flits: 4/depth_flits: 6/' two.yaml >same.yaml # nodes have as many slots as the router
export HEDDLE_UNOPTIMISED=1
for run in "ready one" "onoff two" "credit two" "credit same"; do
  read -r kind scenario <<<"$run"
  exits 0 "a router in VHDL with flow control $kind, $scenario" "$HEDDLE" run "$scenario.yaml" --rtl "$kind.yaml" --out "vhdl-$kind-$scenario"
  says out ": passed" "passes"
  exits 0 "the same router in Verilog" "$HEDDLE" run "$scenario.yaml" --dut verilator --rtl "$here/$kind.yaml" --out "verilog-$kind-$scenario"
  equal "$(sql "vhdl-$kind-$scenario" 'SELECT digest, (SELECT sum(received) FROM packets) FROM run')" \
    "$(sql "verilog-$kind-$scenario" 'SELECT digest, (SELECT sum(received) FROM packets) FROM run')" "behaves alike cycle for cycle"
done

# Only wires: the header of a head contains the destination.
sed "s/rst_q \/= '1'/rst_n \/= '1'/; s/number(flit(W + 7 downto W + 4))/number(flit(3 downto 2))/
  s/number(flit(W + 3 downto W))/number(flit(5 downto 4))/" "$here/xy_router.vhd" >native.vhd
sed "s/xy_router.vhd/native.vhd/; s/W: 40, VCS: 2, FLOW: 2, BEHIND: 6/W: 32, VCS: 2, FLOW: 2, SLOTS: DEPTH, BEHIND: DEPTH/
  s/active: low.*}/active: low}/; s/kind: credit.*}/kind: native}/; s/\"x:4\", \"y:4\", \"data:40\"/\"8'd0\", data/" credit.yaml >native.yaml
exits 0 "a router of wires alone" "$HEDDLE" run two.yaml --rtl native.yaml --out native
says out ": passed" "passes"
summary
