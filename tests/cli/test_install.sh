#!/usr/bin/env bash
# Tests that an installed Heddle works without its source tree: backends, cache, headers, man pages, completion.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
unset MAKEFLAGS MAKELEVEL MFLAGS HD_ROOT
# Installs from a copy of the tree and removes the copy, so that nothing is found there.
tree="$work/a tree" stage="$work/a stage" digest=0x85e140e3d84ccefc
mkdir "$tree" "$work/home" "$work/elsewhere"
(cd "$root" && cp -r Makefile mk rtl cmodel bridge sw fpga "$tree" &&
  mkdir "$tree/tests" && cp -r tests/scenarios "$tree/tests" &&
  mkdir "$tree/tb" && cp -r tb/formal.txt tb/instances.txt tb/stress "$tree/tb")
mkdir -p "$tree/build/opt"
cp "$HEDDLE" "$(dirname "$HEDDLE")/libhd_watch.a" "$tree/build/opt"
exits 0 "make install" make -C "$tree" -o build/opt/heddle -o build/opt/libhd_watch.a install DESTDIR="$stage" PREFIX=/opt/heddle
rm -rf "$tree"
installed="$stage/opt/heddle"
cd "$work/elsewhere" || exit
cp "$installed/share/heddle/scenarios/shuffle-6-to-10.yaml" .
export HOME="$work/home"
unset XDG_CACHE_HOME

# built CACHE: the cache must have a backend.
built() {
  compgen -G "$1/*/key.txt" >/dev/null
}

exits 0 "the model" "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut model --out model
equal "$(sql model "SELECT digest FROM run")" "$digest" "model: digest"
exits 0 "a study" "$installed/bin/heddle" study coding --quick --hops-only --out study
check "has its statements" grep -q "^### own-channels: QUICK" study/report.md
for tool in verilator:verilator_bin icarus:iverilog; do
  dut=${tool%:*}
  if ! command -v "${tool#*:}" >/dev/null; then
    skip "$dut, installed" "${tool#*:} is missing, install the package of $dut"
    continue
  fi
  exits 0 "$dut" "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut "$dut" --out "$dut"
  equal "$(sql "$dut" "SELECT digest FROM run")" "$digest" "$dut: digest"
  says out "quiescent: proved" "$dut: this is the RTL that was proved"
done
if command -v iverilog >/dev/null; then
  verilog="$installed/share/heddle/rtl/hd_switch.v"
  cp "$verilog" kept.v
  echo '// edited in place' >>"$verilog"
  exits 0 "RTL that was edited in place" "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut icarus --out edited
  says out "quiescent: sampled" "is not what was proved"
  cp kept.v "$verilog"
  exits 0 "as it was before" "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut icarus --out undone
  says out "quiescent: proved" "it is"
fi
check "built backends are kept in the home directory" built "$HOME/.cache/heddle"
check "nothing is built where it is installed" test ! -e "$installed/share/heddle/build"

# Another directory for backends, and none.
XDG_CACHE_HOME="$work/xdg" exits 0 "XDG_CACHE_HOME" "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut icarus --out xdg
check "is where they are kept" built "$work/xdg/heddle"
exits 2 "no place is an error" env -u HOME "$installed/bin/heddle" run shuffle-6-to-10.yaml --dut icarus --out none
says err "--cache DIR" "says what would be right"

# A copy of the command without its other installed files.
cp "$installed/bin/heddle" lost
exits 2 "without its sources" ./lost run shuffle-6-to-10.yaml --dut icarus --out lost
says err "share/heddle/" "says where they were looked for"

# The files of every manifest are installed.
missing=0 files=0
while read -r name; do
  files=$((files + 1))
  [ -r "$installed/share/heddle/$name" ] || missing=$((missing + 1))
done < <(grep -oh 'X("[^"]*")' "$root"/bridge/backends/*/manifest.h | cut -d'"' -f2)
check "$files files of manifests, all there" test "$missing" = 0 -a "$files" -gt 40

# A backend and a program of a user.
sed 's|"../../bridge/dut.h"|<heddle/bridge/dut.h>|' "$root/docs/examples/shared_memory.c" >mine.c
exits 0 "a backend from the headers" gcc -std=c11 -O2 -fPIC -shared -I"$installed/include" -o mine.so mine.c
cp "$installed/share/heddle/scenarios/foreign-switch.yaml" .
exits 0 "runs" "$installed/bin/heddle" run foreign-switch.yaml --dut ./mine.so --out mine
sed 's|"../../sw/endpoint.h"|<heddle/sw/endpoint.h>|' "$root/docs/examples/token_ring.c" >program.c
exits 0 "a program from the headers" gcc -std=c11 -O2 -fPIC -shared -I"$installed/include" -o token_ring.so program.c
cp "$root/docs/examples/token_ring.yaml" .
exits 0 "runs as a shared object" "$installed/bin/heddle" run token_ring.yaml --dut model --out ring
sed 's|"../../|<heddle/|; s|\.h"$|.h>|' "$root/docs/examples/port_watch.c" >bench.c
route="P7 route in cycle 3 at switch 0, port 0: single to node 1 left by port 0, the table says port 1"
for language in c++ c; do
  exits 0 "a bench with the rules at ports in $language" \
    gcc -x $language -I"$installed/include" -o bench bench.c -x none "$installed/lib/libhd_watch.a"
  equal "$(./bench)" "$route" "$language: the rule that is broken"
done
echo '#include <heddle/bridge/watch/monitor.h>' >monitor.cpp
exits 0 "the monitor's header in C++" g++ -Wall -Wextra -Werror -pedantic -I"$installed/include" -fsyntax-only monitor.cpp
cat >monitor.py <<'END'
from hd_monitor import RuleBroken, Rules
rules = Rules(2, 40, nodes=2)
rules.route(1, [1])
rules.flit(0, 0, 0, 1, 1, 1, 5)
rules.flit(1, 0, 0, 1, 1, 1, 5)
try:
    rules.cycle(3, 3)
except RuleBroken as broken:
    print(broken.rule)
try:
    Rules(99, 40)
except ValueError as refused:
    print(refused)
END
exits 0 "the monitor for Python finds its library" env PYTHONPATH="$installed/share/heddle/monitors" python3 monitor.py
equal "$(cat out)" "P7
ports is 99; it must be 2 to 16" "names a broken rule, and refuses what cannot be"
check "the monitor for SystemVerilog" test -s "$installed/share/heddle/monitors/hd_monitor.sv"
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH="$installed/share/pkgconfig"
  for package in heddle-dut:mine.c heddle-endpoint:program.c heddle-watch:bench.c; do
    exits 0 "pkg-config knows ${package%:*}" pkg-config --cflags "${package%:*}"
    exits 0 "${package%:*}: its flags find the headers" \
      sh -c "eval gcc -std=c11 -fsyntax-only \$(pkg-config --cflags ${package%:*}) ${package#*:}"
    equal "heddle $(pkg-config --modversion "${package%:*}")" "$("$installed/bin/heddle" --version)" "${package%:*}: its version"
  done
  exits 0 "heddle-watch: its flags find the library" \
    sh -c "eval gcc -std=c11 -o bench bench.c \$(pkg-config --cflags --libs heddle-watch)"
else
  skip "pkg-config files" "pkg-config is missing, package pkg-config"
fi

# Man pages: one for each command, with all its options. man itself must print no warning.
commands=$("$installed/bin/heddle" --help | sed -n '/^Commands:/,/^`/s/^  \([a-z]*\) .*/\1/p')
check "there are commands" test "$(wc -w <<<"$commands")" -ge 11
for command in '' $commands; do
  name=heddle${command:+-$command}
  page=$installed/share/man/man1/$name.1
  check "$name has a man page" grep -q "^${name//-/\\\\-} \\\\- ." "$page"
  missing=
  for option in $("$installed/bin/heddle" ${command:+"$command"} --help | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'); do
    sed 's/\\-/-/g' "$page" | grep -qE "^\.B .*$option" || missing="$missing $option"
  done
  equal "$missing" "" "$name: every option is there"
  if command -v groff >/dev/null; then
    equal "$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null | head -n 3)" "" "$name: is set without a warning"
  fi
done

# Completion: the contents of COMPREPLY for a line whose last word is incomplete.
completes() { # completes WORD...
  PATH="$installed/bin:$PATH" bash -c '. "$0"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _heddle
    printf "%s\n" "${COMPREPLY[@]}"' "$installed/share/bash-completion/completions/heddle" "$@" | tr '\n' ' '
}
equal "$(completes heddle r)" "run replay report record results " "completion: commands"
equal "$(completes heddle run --th)" "--threads= " "completion: options"
equal "$(completes heddle replay --f)" "--force " "completion: options without a value"
equal "$(completes heddle run x.yaml --dut netl)" "netlist " "completion: backends"
equal "$(completes heddle run x.yaml --dut = netl)" "netlist " "completion: backends after ="
equal "$(completes heddle scenario fabric.d)" "fabric.degree fabric.dims " "completion: keys of scenarios"
equal "$(completes heddle programs barrier-c)" "barrier-cs-tree " "completion: programs"
equal "$(completes heddle backends ica)" "icarus " "completion: one backend"
equal "$(completes heddle board fl)" "flash " "completion: what boards can be asked"
equal "$(completes heddle run shuffle-6)" "shuffle-6-to-10.yaml " "completion: files"
equal "$(completes heddle run --out fore)" " " "completion: directories only"
summary
