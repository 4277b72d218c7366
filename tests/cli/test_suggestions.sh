#!/usr/bin/env bash
# For a mistyped name, the message suggests the intended one; for a name that is like none, it suggests none.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# suggests GIVEN WANTED COMMAND...: the command must be refused and suggest WANTED; "": no suggestion.
suggests() {
  local given=$1 wanted=$2
  shift 2
  "$@" >out 2>err </dev/null && not_ok "$given" "was not refused"
  if [ -n "$wanted" ]; then
    says err "; did you mean $wanted?" "$given: $wanted"
  else
    check "$given: nothing is like it" test "$(grep -c 'did you mean' err)" = 0
  fi
}

suggests rnu run "$HEDDLE" rnu
suggests repaly replay "$HEDDLE" repaly
suggests xyz "" "$HEDDLE" xyz
scenario good.yaml
suggests verliator verilator "$HEDDLE" run good.yaml --dut verliator
suggests icarsu:every-cycle icarus "$HEDDLE" run good.yaml --dut icarsu:every-cycle
suggests modelsim "" "$HEDDLE" run good.yaml --dut questasim
scenario key.yaml 'fabric: {topology: mesh, dim: [4, 4]}'
suggests fabric.dim fabric.dims "$HEDDLE" run key.yaml
scenario section.yaml 'swtich: {vcs: 2}'
suggests swtich switch "$HEDDLE" run section.yaml
scenario other.yaml 'fabric: {topology: mesh, dims: [4, 4], colour: red}'
suggests fabric.colour "" "$HEDDLE" run other.yaml
scenario topology.yaml 'fabric: {topology: mehs, dims: [4, 4]}'
suggests mehs mesh "$HEDDLE" run topology.yaml
scenario routing.yaml 'routing: {algorithm: dimension-oder}'
suggests dimension-oder dimension-order "$HEDDLE" run routing.yaml
scenario program.yaml 'software: {program: unifrom}'
suggests unifrom uniform "$HEDDLE" run program.yaml
scenario parameter.yaml 'software: {program: uniform, parameters: {laod: 0.1}}'
suggests laod load "$HEDDLE" run parameter.yaml
suggests netlist:ice04 ice40 "$HEDDLE" run good.yaml --dut netlist:ice04
for names in barier:barrier:study unifrom:uniform:programs alreduce:allreduce:collectives \
  verliator:verilator:backends fabric.toplogy:fabric.topology:scenario flsh:flash:board; do
  IFS=: read -r given wanted command <<<"$names"
  suggests "$given" "$wanted" "$HEDDLE" "$command" "$given"
  suggests xyzzy "" "$HEDDLE" "$command" xyzzy
done
suggests all-to-al-broadcast all-to-all-broadcast "$HEDDLE" schedule good.yaml all-to-al-broadcast
suggests elaboraton elaboration "$HEDDLE" check --require elaboraton
summary
