#!/usr/bin/env bash
# A run records its RTL, by hash and by Git; a replay reports what has changed.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# result RUN KEY
result() {
  sql "$1" "SELECT value FROM results WHERE key = '$2'"
}

scenario model.yaml
exits 0 "a run without RTL" "$HEDDLE" run model.yaml --out model
equal "$(sql model 'SELECT count(*) FROM rtl')|$(result model rtl_hash)|$(result model rtl_version)" "0||" "names none"
version=$("$HEDDLE" --version | cut -d' ' -f2)
check "its Heddle has a version" grep -qE "^$version( \([0-9a-zA-Z.-]+\))?$" <<<"$(result model heddle)"
equal "$(sql model "SELECT version FROM tools WHERE name = 'heddle'")" "$(result model heddle)" "tools have the same"

# Every key of the scenario that has a value, in database and report.
scenario faults.yaml 'switch: {vcs: 2, data_bits: 16, depth_flits: 4, barrier: any}' \
  'software: {program: barrier, parameters: {rounds: 3}}' 'faults: [{cycle: 700, link: s5:1}, {after_barrier: 2, switch: 15}]' \
  'budgets: {latency_cycles: 100000}' 'energy: {buffer: 1, crossbar: 1, link: 1, head: 1, clock: 1}' 'trace: {wave_cycles: 9}' 'seed: 18446744073709551615'
"$HEDDLE" run faults.yaml --threads 2 --out faults >out 2>err
# shellcheck disable=SC2016 # backticks of Markdown
missing=$("$HEDDLE" scenario --markdown | sed -n 's/^| `\([a-z_.]*\)`.*/\1/p' |
  grep -vxE 'fabric\.(k|n|m|r|pods|nodes|edge_nodes|p|a|h|file|switches|degree|graph_seed|global_link_cycles|inside)|software\.parameters|faults|budgets\.(blocked_flit|barrier)_cycles' |
  while read -r key; do
    [ "$(sql faults "SELECT count(*) FROM parameters WHERE key = '$key' OR key LIKE '$key.%'")" != 0 ] || echo "$key"
  done)
equal "$missing" "" "the database has every parameter"
equal "$(sql faults 'SELECT group_concat(value) FROM (SELECT value FROM parameters
  WHERE key IN ("seed", "run.threads", "trace.wave_cycles", "budgets.latency_cycles") OR key LIKE "faults.%" ORDER BY key)')" \
  "100000,700,s5:1,2,15,2,18446744073709551615,9" "as it ran"
equal "$(sqlite3 :memory: "SELECT count(*) FROM json_each(readfile('faults/report.json'), '\$.parameters')")" \
  "$(sql faults 'SELECT count(*) FROM parameters')" "the report has as many"
equal "$(sqlite3 faults/run.db "SELECT group_concat(p.key) FROM parameters p LEFT JOIN
  json_each(readfile('faults/report.json'), '\$.parameters') j ON j.key = p.key WHERE j.value IS NOT p.value")" "" "and the same"

if ! command -v vvp >/dev/null; then
  skip "RTL" "vvp is missing, install the package iverilog"
  summary
  exit
fi
scenario small.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'run: {cycles: 200, dut: icarus}'
cp -r "$root/rtl" rtl
exits 0 "a run of RTL" "$HEDDLE" run small.yaml --rtl rtl --out first
equal "$(sql first 'SELECT group_concat(name, " ") FROM (SELECT name FROM rtl ORDER BY name)')" \
  "$(find rtl -name '*.v' -printf '%P\n' -o -name '*.vh' -printf '%P\n' | LC_ALL=C sort | xargs)" "has each of its files"
equal "$(sql first 'SELECT sum(bytes) FROM rtl')" "$(cat rtl/*.v rtl/*.vh 2>/dev/null | wc -c)" "and their bytes"
hash=$(result first rtl_hash)
check "and a hash ($hash)" grep -qx '0x[0-9a-f]\{16\}' <<<"$hash"
says first/results.xml "<property name=\"rtl_hash\" value=\"$hash\"/>" "in JUnit, too"
equal "$(result first rtl_version)" "" "without a repository it has no version"
exits 0 "the same RTL elsewhere" "$HEDDLE" run small.yaml --out installed
equal "$(result installed rtl_hash)" "$hash" "has the same hash"
exits 0 "a replay" "$HEDDLE" replay first --out same
check "finds the RTL as it was" test "$(grep -c 'other RTL' out)" = 0

echo '// changed' >>rtl/hd_rr_arbiter.v
echo '// new' >rtl/new.v
exits 0 "a replay of other RTL" "$HEDDLE" replay first --out other
says out "other RTL than in the first run: hd_rr_arbiter.v has changed, new.v is new" "says what changed"
says out "same digest" "and goes on"
check "its hash is another" test "$(result other rtl_hash)" != "$hash"
exits 0 "and back" "$HEDDLE" replay other --rtl "$root/rtl" --out back
says out "hd_rr_arbiter.v has changed, new.v is gone" "says what is gone"

if ! command -v git >/dev/null; then
  skip "RTL in a repository" "git is missing"
  summary
  exit
fi
git() { command git -c user.name=n -c user.email=e "$@"; }
git init -q rtl && git -C rtl add . && git -C rtl commit -q -m one
head=$(git -C rtl describe --always)
exits 0 "RTL in a repository" "$HEDDLE" run small.yaml --rtl rtl --out clean
equal "$(result clean rtl_version)|$(sql clean "SELECT version FROM tools WHERE name = 'rtl'")" "$head|$head" \
  "has its version"
# Git would run filters of somebody else's repository when it compares a changed file.
printf '#!/bin/sh\ntouch "%s/has-run"\ncat\n' "$PWD" >evil
chmod +x evil
echo '* filter=evil' >rtl/.git/info/attributes
echo '*.v filter=wicked' >rtl/.gitattributes
git -C rtl config filter.evil.clean "$PWD/evil"
git -C rtl config filter.wicked.process "$PWD/evil"
cp rtl/.git/index index
touch -d '2 days ago' rtl/*.v
exits 0 "RTL in a repository with filters" "$HEDDLE" run small.yaml --rtl rtl --out filtered
equal "$(result filtered rtl_version)" "$head" "has its version, though touched"
check "no filter of the repository was run" test ! -e has-run
check "and its index is as it was" cmp -s index rtl/.git/index
rm rtl/.git/info/attributes
exits 0 "the same with a filter that is a process" "$HEDDLE" run small.yaml --rtl rtl --out filtered_2
equal "$(result filtered_2 rtl_version)" "$head" "has its version"
check "nor was this one run" test ! -e has-run
rm rtl/.gitattributes
# In a partial clone that lacks a commit, no command of the clone fetches it.
cp -r rtl lacking
rm "$(git -C lacking rev-parse HEAD | sed 's|^..|lacking/.git/objects/&/|')"
git -C lacking config extensions.partialClone origin
git -C lacking config remote.origin.promisor true
git -C lacking config protocol.ext.allow always
git -C lacking config remote.origin.url "ext::touch $PWD/has-fetched"
exits 0 "RTL of which a commit is not there" "$HEDDLE" run small.yaml --rtl lacking --out lacking_one
check "nothing was fetched" test ! -e has-fetched
echo '// more' >>rtl/new.v
git -C rtl config core.fsmonitor "touch $PWD/ran; false"
exits 0 "RTL that is changed there" "$HEDDLE" run small.yaml --rtl rtl --out dirty
equal "$(result dirty rtl_version)" "$head-dirty" "is called dirty"
check "no command of the repository was run" test ! -e ran
cp -r "$root/rtl" rtl/copy
exits 0 "a copy that the repository does not track" "$HEDDLE" run small.yaml --rtl rtl/copy --out copy
equal "$(result copy rtl_version)" "" "has no version"
summary
