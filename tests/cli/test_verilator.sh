#!/usr/bin/env bash
# --verilator PATH: another Verilator than the one in PATH is used, and a message names the newer version that RTL needs.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
here=$root/tests/cli/wrap
exits 2 "a Verilator that is not there" "$HEDDLE" wrap "$here/ready.yaml" --verilator none
says err "--verilator none: No such file or directory; give verilator_bin or its directory" "is refused"
if ! command -v verilator_bin >/dev/null; then
  skip "another Verilator" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
mkdir newer older
printf '#!/bin/sh\necho used >>"%s/newer/used"\nexec "%s" "$@"\n' "$work" "$(command -v verilator_bin)" >newer/verilator_bin
cat >older/verilator_bin <<'END'
#!/bin/sh
[ "$1" = --version ] && echo "Verilator 4.000" && exit
echo "%Error-UNSUPPORTED: hd_switch.v:3: Unsupported: arrays of interfaces"
exit 1
END
chmod +x newer/verilator_bin older/verilator_bin
scenario one.yaml 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' 'run: {cycles: 200, mode: closed, compare: packets, dut: verilator}'
exits 0 "another Verilator is asked by wrap" "$HEDDLE" wrap "$here/ready.yaml" --verilator newer
check "it alone" test "$(wc -l <newer/used)" = 1
exits 0 "another Verilator builds" "$HEDDLE" run one.yaml --rtl "$here/ready.yaml" --verilator newer/verilator_bin --cache cache --out newer-run
check "what runs" test "$(wc -l <newer/used)" -gt 2
exits 0 "one that is too old" "$HEDDLE" wrap "$here/ready.yaml" --verilator older
says out "this Verilator may be too old for the RTL; --verilator PATH takes a newer one" "is said to be"
exits 7 "it builds nothing" "$HEDDLE" run one.yaml --rtl "$here/ready.yaml" --verilator older --out older-run
says err "this Verilator may be too old for the RTL; --verilator PATH takes a newer one" "and a run says so, too"
summary
