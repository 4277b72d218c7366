#!/bin/sh
# Turns an iCE40 bitstream into Verilog that simulators take: what will be flashed, as RTL.
# SPDX-License-Identifier: Apache-2.0
#
# usage: fpga/decompile.sh BITSTREAM PCF MODULE OUT.v
#
# BITSTREAM is text (.asc) or what is flashed (.bin). Text goes through icepack and iceunpack first, so
# in either case the Verilog is made of the packed bits. Files with other endings are put beside
# OUT.v. Needs icepack, iceunpack, icebox_vlog (package fpga-icestorm) and Yosys' models of the
# iCE40's cells (package yosys).
set -eu
[ $# = 4 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
bitstream=$1 pcf=$2 module=$3 out=$4
for tool in icepack iceunpack icebox_vlog yosys; do
  command -v $tool >/dev/null && continue
  package=fpga-icestorm
  [ $tool != yosys ] || package=yosys
  echo "$tool is missing: apt-get install $package" >&2
  exit 1
done
cells=$(dirname "$(command -v yosys)")/../share/yosys/ice40/cells_sim.v
[ -r "$cells" ] || { echo "$cells is missing: apt-get install yosys" >&2; exit 1; }
case $bitstream in
  *.bin) packed=$bitstream ;;
  *.asc) packed=${out%.v}.bin && icepack "$bitstream" "$packed" ;;
  *) echo "$bitstream: neither .asc nor .bin" >&2; exit 2 ;;
esac
iceunpack "$packed" "${out%.v}.unpacked.asc"
# A fixed hash seed makes Python's sets come in one order, so that a bitstream always gives one Verilog text.
PYTHONHASHSEED=0 icebox_vlog -s -c -n "$module" -p "$pcf" "${out%.v}.unpacked.asc" >"${out%.v}.raw.v"

# icebox_vlog declares each 1-bit port twice: in the module's head and as a wire, or a register
# with its first value. Here the declaration in the head is the one that stays.
awk -v module="$module" '
  function name_of(declaration) {
    sub(/^ */, "", declaration)
    sub(/ *= *[01] *$/, "", declaration)
    sub(/ *;? *$/, "", declaration)
    return declaration
  }
  FNR == NR && $1 == "module" && $2 == module {
    head = $0
    sub(/^[^(]*\(/, "", head)
    sub(/\); *$/, "", head)
    n_ports = split(head, ports, ",")
    for (i = 1; i <= n_ports; i++)
      if (ports[i] !~ /\[[0-9]+:0\]/) {
        sub(/^ */, "", ports[i])
        name = ports[i]
        sub(/^(input|output|inout) */, "", name)
        is_port[name_of(name)] = 1
      }
  }
  FNR == NR && /^reg [^[]/ && /;$/ {
    list = $0
    sub(/^reg /, "", list)
    sub(/; *$/, "", list)
    n = split(list, items, ",")
    for (i = 1; i <= n; i++)
      if (name_of(items[i]) in is_port) is_reg[name_of(items[i])] = items[i] ~ /= *1/
  }
  FNR == NR { next }
  $1 == "module" && $2 == module {
    line = "module " module " ("
    for (i = 1; i <= n_ports; i++) {
      sub(/^ */, "", ports[i])
      name = ports[i]
      sub(/^(input|output|inout) */, "", name)
      if (name_of(name) in is_reg) sub(/^output/, "output reg", ports[i])
      line = line (i > 1 ? ", " : "") ports[i]
    }
    print line ");"
    for (name in is_reg) print "initial " name " = " is_reg[name] ";"
    next
  }
  /^(wire|reg) / && /;$/ && !/^(wire|reg) *\[/ {
    kind = $1
    list = $0
    sub(/^[a-z]+ /, "", list)
    sub(/; *$/, "", list)
    n = split(list, items, ",")
    line = ""
    for (i = 1; i <= n; i++) {
      if (name_of(items[i]) in is_port) continue
      sub(/^ */, "", items[i])
      line = line (line == "" ? "" : ", ") items[i]
    }
    if (line != "") print kind " " line ";"
    next
  }
  { print }
' "${out%.v}.raw.v" "${out%.v}.raw.v" >"$out.tmp"
# Block RAMs are instances of Yosys' model.
if grep -q '^SB_' "$out.tmp"; then
  { echo '`define NO_ICE40_DEFAULT_ASSIGNMENTS'; cat "$cells"; } >>"$out.tmp"
fi
mv "$out.tmp" "$out"
