#!/usr/bin/env bash
# Tests an exported network with other tools: AXI sources and sinks of cocotbext-axi, and FuseSoC's flows.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/export/test.sh    cocotb, cocotbext-axi and fusesoc come from PyPI, once, into build/export. cocotb 2 does not
# take Debian's Verilator, so its bench runs on Icarus.
# shellcheck disable=SC2317 # expect calls the functions
set -u
cd "$(dirname "$0")/../.." || exit 2
packages="cocotb==2.1.0 cocotbext-axi==0.1.28 fusesoc==2.4.7"
venv=$PWD/build/export here=$PWD/tests/export
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}

for tool in python3 iverilog verilator; do
  command -v $tool >/dev/null && continue
  echo "SKIP an exported network in tools of others: $tool is missing, install the package $tool"
  skipped=1
  finish
done
if ! grep -qsx "$packages" "$venv/done"; then
  rm -rf "$venv"
  # shellcheck disable=SC2086
  if ! python3 -m venv "$venv" >"$work/log" 2>&1 || ! "$venv/bin/pip" -q install $packages >>"$work/log" 2>&1; then
    tail -n 2 "$work/log"
    echo "SKIP an exported network in tools of others: $packages cannot be installed; they need python3-venv and PyPI"
    skipped=1
    finish
  fi
  echo "$packages" >"$venv/done"
fi

# expect WHAT TEXT COMMAND...: the output of the command must contain the text.
expect() {
  local what=$1 text=$2
  shift 2
  if "$@" >"$work/log" 2>&1 </dev/null; grep -qE -- "$text" "$work/log"; then
    passed=$((passed + 1))
    echo "ok $what"
  else
    failed=$((failed + 1))
    echo "not ok $what: no '$text'"
    tail -n 10 "$work/log" | sed 's/^/  | /'
  fi
}

export_network() {
  build/opt/heddle export tests/scenarios/mesh-8x8-uniform.yaml "$1" --name noc --set 'fabric.dims=[2, 2]' --set software.parameters.load=0.4 --replay 300
}
frames() {
  (cd "$1" && PYTHONPATH=$here "$venv/bin/python" "$here/test_axi_frames.py" noc 4)
}
fusesoc() {
  (cd "$work/noc" && PATH=$venv/bin:$PATH "$venv/bin/fusesoc" --cores-root . run --target "$1" heddle:export:noc && echo "ended well")
}
expect "a network is exported" "4 nodes" export_network "$work/noc"
expect "200 frames of cocotbext-axi arrive as they were sent" "TESTS=1 PASS=1 FAIL=0" frames "$work/noc"
cp -r "$work/noc" "$work/bug"
sed -i 's/m_tlast_o <= kind\[0\]/m_tlast_o <= 1'"'"'b1/' "$work/bug/rtl/hd_export_depacketiser.v"
expect "frames that are cut are found" "TESTS=1 PASS=0 FAIL=1" frames "$work/bug"
expect "FuseSoC lints it" "ended well" fusesoc lint
expect "FuseSoC simulates the bench of random packets" "^PASS [0-9]+ packets" fusesoc sim
expect "FuseSoC simulates the model's run" "^PASS [0-9]+ cycles" fusesoc replay
finish
