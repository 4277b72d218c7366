#!/usr/bin/env bash
# Proves that a divergence opens in GTKWave: file, cycle, rows, flits as words, a picture.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/waves/run.sh
# A copy of the RTL whose vc_next (§2.5) never moves runs against the model. A packet leaves on the wrong virtual channel,
# some cycles after the pointer was wrong. KEEP=DIR keeps the run and the picture there.
set -u
cd "$(dirname "$0")/../.." || exit 2
heddle=$PWD/${HEDDLE:-build/opt/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 passed=0

ok() { # ok NAME STATUS
  if [ "$2" = 0 ]; then
    passed=$((passed + 1))
    echo "ok waves: $1"
  else
    failed=$((failed + 1))
    echo "not ok waves: $1"
  fi
}
finish() {
  [ -z "${KEEP:-}" ] || { mkdir -p "$KEEP" && cp -r "$work"/moved/run "$work"/*.png "$KEEP"; }
  echo "$passed passed, $failed failed, ${1:-0} skipped"
  [ "$failed" = 0 ]
  exit
}
has() { # has TOOL PACKAGE
  command -v "$1" >/dev/null || { echo "SKIP waves: install the package $2" && finish 1; }
}
has verilator verilator
has gtkwave gtkwave
has xvfb-run xvfb
has xauth xauth
has identify imagemagick
has xmllint libxml2-utils

# ── a divergence ──
cp -r rtl "$work/rtl"
sed -i "s/\.set_i(grant_o & starts_i)/.set_i(NOBODY)/" "$work/rtl/hd_output_port.v"
if cmp -s rtl/hd_output_port.v "$work/rtl/hd_output_port.v"; then
  ok "the copy can be broken (the line is not what this test knows)" 1
  finish
fi
rc=0
"$heddle" run tests/waves/divergence.yaml --dut verilator --rtl "$work/rtl" --out "$work/run" \
  >"$work/out" 2>&1 || rc=$?
[ "$rc" = 3 ]
ok "broken RTL ends the run with exit code 3" $?
if [ ! -s "$work/run/waves.fst" ] || [ ! -s "$work/run/waves.gtkw" ]; then
  cat "$work/out"
  ok "the run left waves" 1
  finish
fi
read -r cycle switch port < <(sed -n \
  's/.*differ first in cycle \([0-9]*\): switch \([0-9]*\), port \([0-9]*\).*/\1 \2 \3/p' \
  "$work/out" | head -n 1)
echo "# cycle ${cycle:-?}, switch ${switch:-?}, port ${port:-?}"
[ -n "${cycle:-}" ]
ok "the run says where it differs" $?

# ── the page shows both sides, and the place of the cause ──
page() { xmllint --xpath "$1" "$work/run/report.html" 2>/dev/null; } # page XPATH
state=$(page "string(//*[@class='first']/*[local-name()='code'])")
[[ $state == "out[$port].vc_next" ]]
ok "the page names the state that was wrong first: '$state'" $?
[ "$(page "count(//*[@id='timeline']/*[3]/*[*[1]='$state']/*[contains(@class, 'd') and *[@class='m'] and *[@class='r']])")" -ge 1 ]
ok "its timeline shows that state of both sides" $?
[ "$(page "string(//*[@id='timeline']//*[local-name()='th' and @class='at'])")" = "$cycle" ]
ok "and marks the cycle" $?

# ── GTKWave's view, after the run was moved to another directory ──
mkdir "$work/moved"
mv "$work/run" "$work/moved/run"
tests/waves/picture.sh "$work/moved/run" "$work/picture.png" >"$work/look"
ok "GTKWave opens the save file and makes a picture" $?
look() { sed -n "s/^LOOK $1 //p" "$work/look"; } # look WHAT: its values
value() { sed -n "s/^LOOK row $1 = //p" "$work/look" | head -n 1; } # value ROW: at the marker

[ "$(look dump)" = "$work/moved/run/waves.fst" ]
ok "the waves are found beside the save file after a move" $?
[ "$(look marker)" = "${cycle}000" ]
ok "the marker is at the divergence" $?
read -r from to < <(look window)
[ "$from" -le "${cycle}000" ] && [ "$to" -gt "${cycle}000" ] &&
  [ $(((to - from) / 1000)) -ge 30 ] && [ $(((to - from) / 1000)) -le 60 ]
ok "about 40 cycles around it are visible ($((from / 1000)) to $((to / 1000)))" $?
wanted=$(grep -c '^+{' "$work/moved/run/waves.gtkw") shown=$(look signal | wc -l)
[ "$shown" = "$wanted" ] && [ "$shown" -ge 100 ]
ok "every row of the save file is displayed ($shown of $wanted)" $?
look signal | grep -A 1 "^rtl\.port$port\.out_flit" | tail -n 1 | grep -q "^model\.port$port\.out_flit"
ok "RTL stands above model" $?
[ "$(look row | grep -m 1 '^port [0-9]*')" = "port $port: the first difference = " ]
ok "the divergent port comes first" $?
[ "$(value differs)" = 1 ] && [ "$(value "port$port differs")" = 1 ]
ok "differs is 1 at the marker" $?
rtl=$(value "rtl port$port out_flit") model=$(value "model port$port out_flit")
[[ $rtl =~ ^H[0-9]+\ vc0\ 0x[0-9a-f]{4}$ ]] && [ "$model" = "${rtl/vc0/vc1}" ]
ok "flits are words: rtl '$rtl', model '$model'" $?
grep -q "^LOOK row .*out\[$port\] *vc_next" "$work/look" &&
  grep -q "^\[markername\] Aout\[$port\]\.vc_next$" "$work/moved/run/waves.gtkw"
ok "marker A names the state that was wrong first" $?
look signal | grep -q '^rtl\.internal\..*clk'
ok "the RTL's own signals are there" $?
look signal | grep -q "^rtl\.in\[$port\]\.vc\[0\]\.occupancy"
ok "the RTL's state is there under the specification's names" $?

# ── with every group open: rows of closed groups have no values ──
cp -r "$work/moved/run" "$work/open"
sed -i 's/^@c00200/@800200/; s/^@1401200/@1000200/' "$work/open/waves.gtkw"
tests/waves/picture.sh "$work/open" "$work/open.png" >"$work/look-open"
states=$(grep -Ec '^LOOK row (rtl|model) in\[[0-9]*\] vc\[[0-9]*\] state = (idle|open|sink)$' "$work/look-open")
[ "$states" = $((2 * 5 * 2)) ] # sides, ports, channels
ok "states are words ($states)" $?
empty=$(grep -c '^LOOK row \(rtl\|model\) .* = $' "$work/look-open")
[ "$empty" = 0 ]
ok "no row of RTL or model is empty ($empty)" $?

# ── the picture ──
# pixels HEX PICTURE: prints the number of pixels of that colour.
pixels() {
  convert "$2" -depth 8 -format %c histogram:info:- |
    awk -v c="#$1" '$0 ~ c { n = $1; sub(/:/, "", n); all += n } END { print all + 0 }'
}
# drawn PICTURE: the picture must have the colours of RTL, model and difference, and many others.
drawn() {
  [ "$(identify -format %k "$1")" -ge 50 ] && [ "$(pixels FF7F00 "$1")" -ge 500 ] &&
    [ "$(pixels 00FF00 "$1")" -ge 500 ] && [ "$(pixels FF0000 "$1")" -ge 500 ] &&
    [ "$(pixels CD0000 "$1")" -ge 50 ]
}
drawn "$work/picture.png"
ok "the picture shows RTL, model and where flits differ" $?
(cd "$work" && env -u DISPLAY -u WAYLAND_DISPLAY "$heddle" wave --png wave.png moved/run) && drawn "$work/wave.png"
ok "heddle wave --png makes one without a display" $?
# at PICTURE X Y: prints the colour there. The first row is the title in red on white; waves are on black.
at() { convert "$1[1x1+$2+$3]" -depth 8 -format '%[hex:u.p{0,0}]' info:-; }
read -r wide high < <(identify -format '%w %h\n' "$work/wave.png")
[[ $(at "$work/wave.png" 0 2) =~ ^F[5F]F[5F]F[5F] ]] && [ "$(at "$work/wave.png" $((wide - 1)) 3)" = 000000 ] &&
  ! [[ $(at "$work/picture.png" 0 2) =~ ^F[5F]F[5F]F[5F] ]]
ok "it shows names and waves, and no window around them" $?
# Closed groups take one row. The last row is the last port.
rows=$(awk '/^@/ { flags = $1; next } /^[-+]/ && flags != "@1000200" {
  if (flags == "@1401200") closed--; else { if (!closed) n++; if (flags == "@c00200") closed++ } } END { print n }' "$work/moved/run/waves.gtkw")
[ "$high" -ge $((rows * 20)) ] && [ "$(convert "$work/wave.png" -gravity southwest -crop 300x18+0+0 +repage -colors 8 -format %k info:-)" -ge 3 ]
ok "all $rows rows, down to the last port, are in it" $?
# A cycle is as wide as its number, so a late divergence makes the picture wider.
cp -r "$work/moved/run" "$work/late"
sed -Ei "s/^(\*[-0-9.]+ )[0-9]+/\11234567890000/" "$work/late/waves.gtkw"
"$heddle" wave --png "$work/late.png" "$work/late" && [ "$(identify -format %w "$work/late.png")" -gt $((wide * 2)) ]
ok "whole cycle numbers are in sight" $?
convert "$work/picture.png" -fill black -colorize 100 "$work/empty.png"
! drawn "$work/empty.png"
ok "an empty picture is refused" $?
rm -f "$work/empty.png"

# ── with signals that Verilator removes by default ──
wires() { fst2vcd "$1" 2>/dev/null | grep -c '^.var .* starts '; } # wires FILE: of output ports
all=$("$heddle" wave --all-signals --print-command "$work/moved/run" 2>"$work/all-err") || cat "$work/all-err"
read -r _ waves save <<<"$all"
[[ $waves == "$work/moved/run/waves-switch-$switch-"*-all/waves.fst ]] && [ -s "$waves" ]
ok "heddle wave --all-signals makes waves of the switch that differs: $waves" $?
[ "$(wires "$work/moved/run/waves.fst")" = 0 ] && [ "$(wires "$waves")" -ge 1 ]
ok "they have wires that the others have not" $?
grep -qE "^\*[-0-9.]+ ${cycle}000 [0-9]+\$" "$save"
ok "the marker is at the divergence, and marker A is there" $?
rc=0
"$heddle" wave --all-signals --dut model -p "$work/moved/run" 2>"$work/all-err" || rc=$?
[ "$rc" = 2 ] && grep -q "only RTL in Verilator, Icarus or GHDL" "$work/all-err"
ok "a DUT that is no RTL is refused" $?

# ── the bug on a board: its ports are beside the model's, with the same names ──
mkdir "$work/two"
sed -e 's/dims: \[3, 3\]/dims: [2, 2]/' tests/waves/divergence.yaml >"$work/two.yaml"
for dut in "verilator --rtl $work/rtl" "board:virtual,rtl=$work/rtl"; do
  rc=0
  # shellcheck disable=SC2086
  "$heddle" run "$work/two.yaml" --dut $dut --out "$work/two/${dut%%[: ]*}" >"$work/out-${dut%%[: ]*}" 2>&1 || rc=$?
  [ "$rc" = 3 ]
  ok "broken RTL ends the run on ${dut%%[: ]*} with exit code 3" $?
done
where() { # where DUT: cycle, switch, port
  sed -n 's/.*differ first in cycle \([0-9]*\): switch \([0-9]*\), port \([0-9]*\).*/\1 \2 \3/p' "$work/out-$1"
}
read -r cycle switch port < <(where board)
[ -n "$cycle" ] && [ "$(where board)" = "$(where verilator)" ]
ok "a board differs where Verilator does: cycle ${cycle:-?}, switch ${switch:-?}, port ${port:-?}" $?
for dut in verilator board; do
  tests/waves/picture.sh "$work/two/$dut" "$work/$dut.png" >"$work/look-$dut"
  ok "GTKWave opens the waves of $dut" $?
done
cp "$work/look-board" "$work/look"
[ "$(look marker)" = "${cycle}000" ]
ok "the marker is at the board's divergence" $?
[ "$(look row | grep -m 1 '^port [0-9]*')" = "port $port: the first difference = " ] &&
  [ "$(value "port$port differs")" = 1 ]
ok "the board's divergent port comes first and is marked" $?
look row | grep -q '^the DUT shows its ports alone: state '
ok "what is the model's alone is said" $?
# GTKWave shows the same ports, of RTL and of the model, as with the Verilated RTL.
ports() { grep -E '^LOOK row (rtl|model) port[0-9]+ ' "$work/look-$1" | sort; }
[ "$(ports board | wc -l)" -ge 8 ] && [ "$(ports board)" = "$(ports verilator)" ]
ok "ports have the same names and values at the marker ($(ports board | wc -l) rows)" $?
drawn "$work/board.png"
ok "the picture shows board, model and where flits differ" $?
! look signal | grep -q '^rtl\.in\['
ok "no state of the board is made up" $?
[ "$failed" = 0 ] || { cat "$work/out"; grep -v "= $" "$work/look"; }
finish
