#!/usr/bin/env bash
# Writes the scenarios of `make backends`: small fabrics of one kind of switch, which every backend can be built for.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/backends/scenarios.sh DIR N    writes DIR/NN-NAME.yaml, prints their names
# The switch is hx8k-line of fpga/builds.txt. Fabric, program, load and seed repeat with different periods, so that the N
# scenarios differ.
set -eu
dir=$1 n=$2
mkdir -p "$dir"
programs=(uniform hotspot transpose bit-complement tornado neighbour barrier shuffle pingpong)
loads=(0.05 0.2 0.5 0.02)
for ((i = 0; i < n; i++)); do
  program=${programs[i % 9]}
  load=${loads[i / 9 % 4]}
  case $program in # a bitstream has one switch, and each switch takes a process
    uniform | hotspot | barrier | pingpong) size=$((4 + i % 5)) ;;
    shuffle) size=16 ;;
    tornado) size=9 ;; # at least a square of 3
    *) size=$((i % 8 ? 4 : 16)) ;;
  esac
  if ((i / 3 % 2)); then
    fabric="{topology: irregular, switches: $size, degree: 2, graph_seed: $i}"
    routing=up-down
  else
    fabric="{topology: mesh, dims: [$size], link_cycles: $((i % 3 + 1))}"
    routing=dimension-order
  fi
  case $program in
    barrier) parameters="rounds: 3, compute: 50, load: $load" ;;
    shuffle) parameters="sources: 6, destinations: 10, bytes: 64" ;;
    pingpong) parameters="rounds: 3, bytes: $((i + 1))" ;;
    *) parameters="load: $load, flits: $(((i + 2) % 5 + 1)), cycles: 300" ;;
  esac
  case $program in # software must end; traffic does not
    barrier | shuffle | pingpong) cycles=20000 ;;
    *) cycles=400 ;;
  esac
  name=$(printf '%02d-%s' "$i" "$program")
  cat >"$dir/$name.yaml" <<END
# Made by tests/backends/scenarios.sh.
# SPDX-License-Identifier: Apache-2.0
name: $name
fabric: $fabric
switch: {ports: 3, vcs: 2, data_bits: 16, depth_flits: 4, nodes: 16, barrier: any, groups: 2, switches: 16}
routing: {algorithm: $routing}
software:
  program: $program
  parameters: {$parameters}
seed: $((i + 1))
run: {cycles: $cycles}
END
  echo "$name"
done
