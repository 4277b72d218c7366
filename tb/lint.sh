#!/bin/sh
# Lints the RTL with Verilator, Icarus and Yosys, without a warning or a waiver.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tb/lint.sh [-o DIR]    logs go to DIR (build/lint)
# Every parameter set of tb/lint.txt must pass, and every one of tb/illegal.txt must be refused
# with a message that names the parameter, in all three tools.
set -u
out=build/lint
[ "${1-}" != -o ] || out=$2
cd "$(dirname "$0")/.." && mkdir -p "$out" || exit 2
bad=0
files=$(grep -hv '^//' rtl/heddle.f fpga/link/link.f tb/stress/stress.f | tr '\n' ' ')fpga/hx8k/hx8k_top.v
files="$files fpga/ulx3s/ulx3s_top.v tb/bench/flat_mesh.v"
log=$out/log
for tool in verilator iverilog yosys; do
  command -v $tool >/dev/null && continue
  echo "SKIP lint-rtl $tool: missing (package $tool)"
done

# run TOOL MODULE SET: the tool's exit code, output in $log
run() {
  options=
  case $1 in
    verilator)
      for p in $3; do options="$options -G$p"; done
      # shellcheck disable=SC2086
      verilator --lint-only -Wall $files --top-module "$2" $options >"$log" 2>&1
      ;;
    iverilog)
      for p in $3; do options="$options -P$2.$p"; done
      # shellcheck disable=SC2086
      iverilog -g2005 -Wall -s "$2" $options -o "$out/elaborated" $files >"$log" 2>&1
      ;;
    yosys)
      # -defer: modules are made with their parameters alone, not with their defaults first.
      for p in $3; do options="$options -chparam ${p%%=*} ${p#*=}"; done
      yosys -q -p "read_verilog -defer $files; hierarchy -check -top $2$options; proc; check -assert" >"$log" 2>&1
      ;;
  esac
}

# verdict WHAT GOOD
verdict() {
  if [ "$2" = 1 ]; then
    echo "ok lint-rtl $1"
  else
    echo "not ok lint-rtl $1"
    head -5 "$log"
    bad=1
  fi
}

# The 16-port, 64-bit set takes Yosys minutes; its width rules are those of the others.
for tool in verilator iverilog yosys; do
  command -v $tool >/dev/null || continue
  while read -r set; do
    case $set in '' | '#'*) continue ;; esac
    [ $tool != yosys ] || case $set in PORTS=16*) continue ;; esac
    run $tool hd_switch "$set" && [ ! -s "$log" ] && good=1 || good=0
    verdict "$tool hd_switch $set" "$good"
  done <tb/lint.txt
  for set in LINK=1 LINK=4; do
    run $tool hd_link $set && [ ! -s "$log" ] && good=1 || good=0
    verdict "$tool hd_link $set" "$good"
  done
  for set in SWITCHES_ON_BOARD=1 'SWITCHES_ON_BOARD=3 DATA_W=64 VCS=1 BARRIER=1' 'PORTS=16 VCS=8 IN_WORDS=256' \
    'PORTS=3 BARRIER=1 CLOCKS_PER_BIT=4' 'SWITCHES_ON_BOARD=4 PORTS=5 BARRIER=1 GROUPS=2 SWITCHES=4 IN_WORDS=4096 OUT_WORDS=4096 CLOCKS_PER_BIT=25'; do
    [ $tool != yosys ] || case $set in PORTS=16*) continue ;; esac
    run $tool hd_board "$set" && [ ! -s "$log" ] && good=1 || good=0
    verdict "$tool hd_board $set" "$good"
  done
  for top in hx8k_top ulx3s_top; do
    run $tool $top '' && [ ! -s "$log" ] && good=1 || good=0
    verdict "$tool $top" "$good"
  done
  run $tool flat_mesh SIDE=2 && [ ! -s "$log" ] && good=1 || good=0
  verdict "$tool flat_mesh SIDE=2, of make bench" "$good"
  for set in 'PORTS=2 VCS=1 NODES=2 BARRIER=1 CODE_PLACES=1' 'PORTS=8 VCS=5 DATA_W=64 BARRIER=2' \
    'PORTS=4 VCS=3 NODES=20 FOREIGN=1' 'VCS=3 DATA_W=32 NODES=20 BARRIER=3 CODE_PLACES=256 SOURCE_TABLE=1 ADAPTIVE=2' \
    'PORTS=16 VCS=8 DATA_W=64 DEPTH=64 NODES=2048 SOURCE_TABLE=1 ADAPTIVE=2 BARRIER=5'; do
    [ $tool != yosys ] || case $set in PORTS=16*) continue ;; esac
    run $tool hd_stress "$set" && [ ! -s "$log" ] && good=1 || good=0
    verdict "$tool hd_stress $set" "$good"
  done
  refused=0 sets=0
  while read -r set; do
    case $set in '' | '#'*) continue ;; esac
    sets=$((sets + 1)) module=hd_switch
    case $set in hd_board\ *) module=hd_board set=${set#* } ;; esac
    name=${set%%=*}
    [ "$name" != NODES ] || [ "${set#* }" = "$set" ] || name=DATA_W
    # the module that is missing says it: hd_switch_VCS_must_be_1_to_8
    if ! run $tool $module "$set" && grep -oE "${module}_\w*_(must|is)_\w*" "$log" | grep -qE "_${name}(_|$)"; then
      refused=$((refused + 1))
    else
      echo "$tool does not refuse $module $set by name"
    fi
  done <tb/illegal.txt
  [ $refused = $sets ] && good=1 || good=0
  verdict "$tool refuses $refused of $sets illegal parameter sets" "$good"
done
[ $bad = 0 ]
