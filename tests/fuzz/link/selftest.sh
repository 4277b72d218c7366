#!/usr/bin/env bash
# Proves that the link's fuzzer finds bugs planted in the board's RTL, each in 20,000 executions.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/fuzz/link/selftest.sh (make fuzz-link-selftest)
set -u
cd "$(dirname "$0")/../../.." || exit 2
make=${MAKE:-make}
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
if ! command -v verilator_bin >/dev/null || ! command -v clang >/dev/null; then
  echo "SKIP fuzz-link-selftest: install the packages verilator, clang and libclang-rt-14-dev"
  exit 0
fi
git ls-files -co --exclude-standard -z -- Makefile mk rtl fpga/link tests/fuzz tests/unit bridge cmodel sw .clang-format |
  xargs -0 cp --parents -t "$work"

# plant WHAT FILE SED: the fuzzer must stop because of another answer, or of none.
plant() {
  local rc=0
  cp "$root/$2" "$work/$2"
  sed -i "$3" "$work/$2"
  if cmp -s "$root/$2" "$work/$2"; then
    echo "not ok fuzz-link-selftest: $1: the line is not what this test knows"
    failed=$((failed + 1))
    return
  fi
  (cd "$work" && "$make" -s fuzz-link N=20000 FUZZ_SEED=1) >"$work/log" 2>&1 || rc=$?
  cp "$root/$2" "$work/$2"
  if [ "$rc" != 0 ] && grep -q -E 'another answer|the board hangs|does not end|was not carried out' "$work/log"; then
    passed=$((passed + 1))
    echo "ok fuzz-link-selftest: $1: found after $(sed -n 's/.*exit code [0-9]* after \([0-9]*\) executions.*/\1/p' "$work/log") executions"
  else
    failed=$((failed + 1))
    tail -n 20 "$work/log"
    echo "not ok fuzz-link-selftest: $1: not found"
  fi
}

plant "a request of another epoch is carried out" fpga/link/hd_requests.v \
  's/(op_q != ECHO) \&\& (asked_q != epoch_q)/(op_q != ECHO) \&\& (asked_q[7:0] != epoch_q[7:0])/'
plant "an ill escaped byte passes" fpga/link/hd_frame_rx.v "s/if (ill_escaped || lost_i) wrong_q/if (lost_i) wrong_q/"
plant "a refused request counts as the last one" fpga/link/hd_requests.v \
  's/end else if (code != 8.d0) state_q <= REFUSE;/end else if (code != 8'"'"'d0) begin state_q <= REFUSE; last_seq_q <= seq_q; end/'
plant "an answer is sent again as another one" fpga/link/hd_requests.v 's/total_q <= last_total_q;/total_q <= last_total_q - 9'"'"'d1;/'
plant "a step of credits forgets one" fpga/link/hd_player.v 's/after_port = last_port/after_port = (port_q == 4'"'"'d1)/'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
