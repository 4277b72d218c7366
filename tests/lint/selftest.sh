#!/usr/bin/env bash
# Proves that each check of `make lint` can fail: plants one violation at a time in a small copy.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# A tree of a few real files, as git sees it. It is copied once; a repository beside it knows it and puts back
# what was changed, added or removed since. That of the tree itself is empty.
aside() { git --git-dir="$work/aside" --work-tree="$work/tree" "$@"; }
mkdir -p "$work/tree"
git ls-files -z -- cmodel sw bridge rtl docs/spec docs/reference tb/diagrams/README.md tb/formal.txt tb/formal_numbers.txt tb/instances.txt .clang-format .gitignore |
  xargs -0 cp -a --parents -t "$work/tree"
aside init -q . && aside add -A &&
  aside -c user.name=lint -c user.email=lint@localhost commit -q -m tree && git init -q "$work/tree" || exit 2
fresh() {
  cd "$work/tree" && aside reset -q --hard && aside clean -fdqx || exit 2
}

# seen NAME PATTERN COMMAND: COMMAND must fail and say PATTERN.
seen() {
  local out
  if out=$("${@:3}" 2>&1); then
    echo "not ok lint sees $1 (it passed)"
    status=1
  elif ! grep -q -- "$2" <<<"$out"; then
    echo "$out"
    echo "not ok lint sees $1 (it failed for another reason)"
    status=1
  else
    echo "ok lint sees $1"
  fi
}
# shellcheck disable=SC2317
tree() { "$root/tests/lint/tree.py" "$@"; }

fresh
if out=$(tree walls licences lengths leftovers strays links layouts 2>&1); then
  echo "ok lint passes a clean tree"
else
  echo "$out"
  echo "not ok lint passes a clean tree"
  status=1
fi

# Violations that are planted together, and for each the pattern of the message that must name it.
planted=() said=()
# wall FILE INCLUDE [PATTERN]: a line of its own
wall() {
  mkdir -p "$(dirname "$1")"
  [ -e "$1" ] || printf '/* x\n * SPDX-License-Identifier: Apache-2.0 */\n' >"$1"
  echo "#include $2" >>"$1"
  planted+=("$1 including $2")
  said+=("^[^:]*$1:$(wc -l <"$1"): ${3-}")
}
fresh
wall cmodel/error.c '"../bridge/dut.h"'
wall cmodel/error.c '"../sw/endpoint.h"'
wall cmodel/error.c '<unistd.h>'
wall cmodel/error.c 'HIDDEN'
wall cmodel/switch/new.c '"../topology/topology.h"'
wall bridge/dut.h '"../cmodel/switch/switch.h"'
wall bridge/backends/netlist/new.c '"../../../cmodel/switch/switch.h"'
wall bridge/backends/icarus/new.c '"../../../cmodel/fabric/fabric.h"'
wall bridge/backends/icarus/new.c '"../../scenario/scenario.h"'
wall bridge/backends/icarus/new.c '"../verilator/verilator_build.h"'
wall bridge/lockstep/new.c '"../backends/backend.h"'
wall bridge/lockstep/new.c '"../record/rundb.h"'
wall bridge/host/new.c '"../backends/rtl/dut_cache.h"'
wall bridge/report/new.c '"../run/run.h"'
wall sw/programs/new.c '"../../cmodel/fabric/fabric.h"'
wall sw/programs/new.c '"../runtime/world.h"'
wall sw/runtime/new.c '"../../bridge/dut.h"'
wall bridge/cli/new.c '<verilated.h>'
wall bridge/scenario/new.c '"verilated_fst_c.h"'
wall bridge/scenario/new.c '<sqlite3.h>'
wall bridge/record/new.c '<yaml.h>'
wall bridge/record/new.c '<jansson.h>'
wall bridge/record/new.c '"fstapi.h"'
wall bridge/record/new.c '<iostream>'
wall bridge/record/new.c '"Vhd_switch.h"'

# kept FILE INCLUDE: the room of the header keeps it to itself
kept() { wall "$1" "$2" '.*keeps to itself'; }
kept bridge/explain/new.c '"../lockstep/lockstep_internal.h"'
kept cmodel/topology/new.c '"../switch/switch_state.h"'
kept bridge/cli/new.c '"../../bridge/waves/fst.h"'
kept bridge/studies/barrier/new.c '"../../../bridge/record/rundb_internal.h"'

printf '/* x\n * SPDX-License-Identifier: Apache-2.0 */\n' >bridge/new.c
planted+=('a file in no room')
said+=('bridge/new.c:1: belongs to no room')
mkdir -p rtl
printf '// x\n// SPDX-License-Identifier: Apache-2.0\n`include "../tb/x.vh"\n' >rtl/x.v
planted+=('rtl including a test bench')
said+=('rtl/x.v:3')
out=$(tree walls 2>&1) && echo "not ok lint sees walls that are broken (it passed)" && status=1
for i in "${!planted[@]}"; do
  if grep -q -- "${said[i]}" <<<"$out"; then
    echo "ok lint sees ${planted[i]}"
  else
    echo "not ok lint sees ${planted[i]}: nothing says ${said[i]}"
    status=1
  fi
done

# table SED: the checks with the table of rooms changed
table() {
  fresh
  sed "$1" "$root/tests/lint/tree.py" >"$work/tree.py"
  cmp -s "$work/tree.py" "$root/tests/lint/tree.py" && echo "not ok the table of rooms has no such line: $1"
}
# shellcheck disable=SC2317 # called by seen
changed() { python3 "$work/tree.py" walls; }
table 's|"bridge/lockstep": (\(.*\), \[ERROR,|"bridge/lockstep": (\1, [ERROR, "bridge/explain",|'
seen 'rooms in a circle' 'a circle: bridge/lockstep -> bridge/explain -> bridge/lockstep' changed
table 's|"bridge/lockstep": (\(.*\), \[ERROR,|"bridge/lockstep": (\1, [ERROR, B + "rtl",|'
seen 'a room that sees two floors down' 'bridge/lockstep may include bridge/backends/rtl, which is two' changed
table 's|"bridge/lockstep": (\(.*\), \[ERROR,|"bridge/lockstep": (\1, [ERROR, "bridge/cellar",|'
seen 'a room that is not there' 'bridge/cellar, which is neither room nor door' changed

fresh
cp "$root/CONTRIBUTING.md" .
sed -i '/^| .bridge\/waves\//d' CONTRIBUTING.md
seen 'a room that CONTRIBUTING does not describe' 'no row for bridge/waves/' tree rooms
fresh
sed 's|^\(. .\)bridge/waves/|\1bridge/tides/|' "$root/CONTRIBUTING.md" >CONTRIBUTING.md
seen 'a room that is described and not there' 'bridge/tides/ is no room' tree rooms

fresh
sed -i '/SPDX/d' cmodel/error.c
seen 'a missing licence' 'cmodel/error.c:1: no SPDX' tree licences

fresh
yes '/* */' | head -800 >>cmodel/error.c
seen 'a long file without a reason' 'lines; above 800' tree lengths

fresh
echo "/* TO""DO: later */" >>cmodel/error.c
seen 'a left-over' 'cmodel/error.c:.*left-over' tree leftovers
fresh
: >cmodel/nothing.h
seen 'an empty file' 'cmodel/nothing.h: an empty file' tree strays
ln -s /tmp/nowhere cmodel/dangling
seen 'a link to nowhere' 'cmodel/dangling: a symbolic link' tree strays
echo x >stray.yaml
seen 'a stray file at the top level' 'stray.yaml: is not on the list' tree strays

fresh
echo '[gone](gone.md)' >>docs/spec/README.md
seen 'a dead link' 'gone.md' tree links
fresh
echo '[gone](2-switch.md#no-such-heading)' >>docs/spec/README.md
seen 'a link to no heading' 'no such heading' tree links

fresh
sed -i 's/RECORD_COUNT = 5/RECORD_COUNT = 6/' rtl/hd_barrier_unit.v
seen 'modules that disagree on a layout' 'RECORD_COUNT is 6, and 5 in rtl/hd_barrier_decide.v' tree layouts

# pinned FILE SED: the tree with FILE changed, for pins.py
pinned() {
  fresh
  (cd "$root" && git ls-files -z -- tests rtl tb fpga CONTRIBUTING.md | xargs -0 cp -a --parents -t "$work/tree")
  [ $# -eq 0 ] || sed -i "$2" "$1"
}
# shellcheck disable=SC2317 # called by seen
pins() { "$root/tests/lint/pins.py"; }
pinned
if out=$(pins); then echo "ok lint passes named tests"; else
  echo "$out"
  echo "not ok lint passes named tests"
  status=1
fi
pinned docs/spec/tests/2-switch.csv '/^§2.10,/s/quiescent_switches/quiet_switches/'
seen 'a unit test that does not exist' 'among the unit tests: quiet_switches' pins
pinned tests/unit/backends/test_backend.c 's/^TEST(registers_read_as_specified)/static void no_test(void)/'
seen 'a unit test that is not run' 'among the unit tests: registers_read_as_specified' pins
pinned tb/benches.txt '/^tb_link/d'
seen 'a bench that is not run' 'among the benches: tb_link' pins
pinned tb/formal.txt '/^quiescent-out/d'
seen 'a proof that is gone' 'among the proofs: quiescent-out' pins
pinned tests/faults/faults.txt 's/^fault quiet-never/fault quiet-ever/'
seen 'a planted bug that is gone' 'among the planted bugs: quiet-never' pins
pinned
rm tb/diagrams/pipeline.txt
seen 'a diagram that is gone' 'among the others: pipeline' pins
pinned tests/groups.txt '/^soak-1000/s/full/always/'
seen 'a group of tests in another tier' "the table of tiers lacks soak-1000 in the row 'always'" pins
pinned docs/spec/tests/2-switch.csv '/^§2.6,/d'
seen 'a section without tests' '§2.6 has no row' pins
pinned docs/spec/tests/2-switch.csv '/^§2.6,/s/`//g'
seen 'a row without tests' '§2.6 is held by no test' pins
pinned docs/spec/1-flits.md '/^## 1.6/d'
seen 'a chapter without tests' "the last section must be" pins
pinned
rm rtl/hd_link.v
seen 'a module that is gone' 'module hd_link is not in rtl/' pins

# text FILE SED: the tree with FILE changed, for planted.py
text() {
  fresh
  (cd "$root" && git ls-files -z -- tests rtl tb fpga docs | xargs -0 cp -a --parents -t "$work/tree")
  [ $# -eq 0 ] || sed -i "$2" "$1"
}
# shellcheck disable=SC2317 # called by seen
texts() { "$root/tests/lint/planted.py"; }
text
if out=$(texts); then echo "ok lint passes planted texts"; else
  echo "$out"
  echo "not ok lint passes planted texts"
  status=1
fi
text rtl/hd_rr_arbiter.v 's/pick_o = req_i & ~beaten/pick_o = ~beaten \& req_i/'
seen 'a text that a list plants' 'tests/faults/faults.txt:[0-9]* plants a text that rtl/hd_rr_arbiter.v has not: pick_o = req_i & ~beaten;' texts
seen 'a text that a proof plants' 'tb/formal.txt:[0-9]* plants a text .*NOBODY' texts
seen 'a text that a unit test plants' 'tests/unit/check/test_equal.c:[0-9]* plants a text .*: pick_o' texts
text rtl/hd_output_port.v 's/ owned_q ^ turned/ turned ^ owned_q/'
seen 'a text that a function of a script plants' 'tests/cli/test_stress.sh:[0-9]* plants a text .*s/owned_q ^ turned/' texts
text rtl/hd_output_port.v 's/\.set_i(grant_o & starts_i)/.set_i(starts_i \& grant_o)/'
seen 'a text that sed plants' 'tests/waves/run.sh:[0-9]* plants a text that rtl/hd_output_port.v has not: s/' texts
seen 'a text that a page plants' 'docs/reading-a-divergence.md:[0-9]* plants a text' texts
text tests/cli/speed/bugs.txt '/^[0-9]/s/s\/[a-z_]*/&_no_more/'
seen 'a text that a table plants' 'tests/cli/speed/bugs.txt:[0-9]* plants a text' texts

# listed FILE SED: the tree with FILE changed, for lists.py
listed() {
  fresh
  (cd "$root" && git ls-files -z -- README.md docs fpga tests/barrier heddle.core | xargs -0 cp -a --parents -t "$work/tree")
  [ $# -eq 0 ] || sed -i "$2" "$1"
}
# shellcheck disable=SC2317 # called by seen
lists() { "$root/tests/lint/lists.py"; }
listed
if out=$(lists); then echo "ok lint passes equal lists"; else
  echo "$out"
  echo "not ok lint passes equal lists"
  status=1
fi
listed cmodel/switch/params.h 's/HD_MAX_VCS = 8/HD_MAX_VCS = 4/'
seen 'a range of another parameter' 'rtl/hd_switch.v: VCS is 1-8, and 1-4' lists
listed rtl/hd_switch.v '/parameter CUT_FLITS/d'
seen 'a parameter that the RTL lacks' 'rtl/hd_switch.v: parameters: without CUT_FLITS' lists
listed heddle.core '/^  ARB_CYCLES: /d'
seen 'a parameter that FuseSoC lacks' 'heddle.core: parameters: without ARB_CYCLES' lists
listed docs/spec/7-preemption.md '/^| .GROUPS. |/s/1–32/1–16/'
seen 'a range of another specification' 'GROUPS is 1-16, and 1-32' lists
listed rtl/hd_barrier_unit.v "s/REG_CLOSE = 5'd16/REG_CLOSE = 5'd17/"
seen 'a register at another address' 'rtl: registers: without CLOSE 16' lists
listed docs/spec/8-barrier.md '/^| 9 | .IDLE. /s/read, write/read/'
seen 'a register of other access' 'register IDLE is read, and BOTH' lists
listed docs/spec/2-switch.md 's/^| 3 | \*nested\*/| 3 | *inside*/'
seen 'an error of another name' 'without 3 nested and with 3 inside' lists
listed docs/spec/6-observation.md '/^| .in\[p\].next. /s/3/4/'
seen 'a state of another width' 'in\[p\].next has 4 bits, and 3' lists
listed rtl/hd_switch.v 's/wire \[4:0\] rest;/wire [4:0] resting;/'
seen 'a state that the RTL lacks' 'observed states: without rest' lists
listed tests/barrier/latency.py 's/"queued", //'
seen 'a kind of barrier that is left out' 'KINDS: without queued' lists
listed rtl/hd_barrier_out.v 's/BARRIER_QUEUED = 4/BARRIER_QUEUED = 5/'
seen 'a kind of barrier under another number' 'hd_barrier_out.v: BARRIER_QUEUED is 5, and 4' lists
listed docs/spec/8-barrier.md 's/^| 8–4 | group/| 9–5 | group/'
seen 'a field of messages at another place' 'MESSAGE_GROUP is 4, and 5' lists
listed rtl/hd_switch.v 's/wire \[4:0\] rest;/wire [5:0] rest;/'
seen 'a state of another width in the RTL' 'out.o..rest has 6 bits, and 5' lists
listed docs/user-guide.md '/^| 12 | a rule of the spec/d'
seen 'an exit code that the guide lacks' 'docs/user-guide.md: exit codes: without 12' lists
listed docs/user-guide.md 's/^| 5 | deadlock or livelock/| 5 | deadlock/'
seen 'an exit code with another meaning' 'exit code 5 is .deadlock: ' lists
listed docs/bisect.md 's/^| 130 | interrupted/| 131 | interrupted/'
seen 'an exit code that there is not' 'exit code 131' lists

fresh
printf 'int   f( void ){return 1;}\n' >>cmodel/error.c
seen 'wrong layout' 'error.c:' clang-format --dry-run -Werror cmodel/error.c

fresh
printf '#!/bin/sh\nrm -rf %s/x\n' "\$1" >x.sh
seen 'a bug in a shell script' SC2086 shellcheck x.sh

# library NAME SOURCE: libraries of which NAME is made of SOURCE.
library() {
  rm -rf "${work:?}/lib"
  mkdir -p "$work/lib"
  for l in hd_cmodel hd_bridge hd_sw hd_watch; do
    if [ "$l" = "$1" ]; then echo "$2"; else echo 'int f(void); int f(void) { return 1; }'; fi >"$work/lib/$l.c"
    gcc -fPIC -c "$work/lib/$l.c" -o "$work/lib/$l.o" && ar rcs "$work/lib/lib$l.a" "$work/lib/$l.o"
  done
}
# shellcheck disable=SC2317 # called by seen
symbols() { "$root/tests/lint/symbols.sh" "$work/lib" "$@"; }
library hd_sw 'int counter = 3;'
seen 'a global in a library' 'the global counter' symbols
library hd_bridge 'static int n; int f(void); int f(void) { return n++; }'
seen 'a hidden global in a library' 'the global n' symbols
library hd_cmodel '#include <stdio.h>
int f(void); int f(void) { return puts("x"); }'
seen 'a model that prints' 'needs puts' symbols
library hd_cmodel 'int hd_dut(void); int f(void); int f(void) { return hd_dut(); }'
seen 'a model that calls the bridge' 'needs hd_dut' symbols
library hd_watch 'int hd_fabric(void); int f(void); int f(void) { return hd_fabric(); }'
seen 'rules at ports that call the fabric' 'libhd_watch.a needs hd_fabric' symbols
library hd_sw 'unsigned below(unsigned n); unsigned below(unsigned n) { return n / 2; }'
seen 'a name without hd_' 'has below, which does not begin with hd_' symbols
# command_of SOURCE: a heddle that shows all of it.
command_of() {
  echo "$1 int main(void) { return 0; }" | gcc -rdynamic -xc - -o "$work/lib/heddle"
}
command_of 'int hd_fail; int hd_status_text; int hd_count; int hd_other;'
seen 'a command that shows more than its API' 'heddle shows hd_other, which no header of the API declares' \
  symbols cmodel/error.h
command_of 'int hd_fail; int hd_count;'
seen 'a command that shows less than its API' 'hd_status_text is declared in a header of the API, but' symbols cmodel/error.h

# RTL that is not what was proved.
fresh
echo '// edited' >>rtl/hd_link.v
seen 'RTL that nobody has proved' 'make formal-record proves it' "$root/tb/proved.py"
fresh
sed -i '/^quiescent-queued /d' tb/formal.txt
seen 'a kind of switch that no proof has' 'has other kinds of switches than tb/formal.txt' "$root/tb/proved.py"
fresh
sed -i 's/assign busy_o = slot_q/assign busy_o = (VCS < 3) \&\& slot_q/' rtl/hd_barrier_out.v
seen 'RTL that asks for a number' 'rtl/hd_barrier_out.v: VCS < 3 is in the RTL and not here' "$root/tb/proved.py"

# An end of a parameter with which nothing is proved equal.
fresh
sed -i '/^hd_switch .*DEPTH=64/d' tb/instances.txt
seen 'an end of a parameter without a proof' 'no line of hd_switch has DEPTH=64' "$root/tb/instances.py"

# A figure that nobody measured.
fresh
mkdir fpga
sed '/^| .plain. /s/[0-9.]* (/99.9 (/' "$root/fpga/README.md" >fpga/README.md
seen 'a figure of timing that is not the record' 'the table of timing is not that of' "$root/tb/timing/record.py" check

# A header that does not stand alone.
fresh
echo 'struct s { hd_unknown_t x; };' >cmodel/alone.h
seen 'a header that does not stand alone' 'hd_unknown_t' \
  gcc -std=c11 -D_GNU_SOURCE -fsyntax-only -x c cmodel/alone.h

exit $status
