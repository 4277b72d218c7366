#!/bin/sh
# Proves the properties at the end of the RTL modules by induction, with Yosys alone.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tb/formal.sh [-n] [-o DIR] [-p K/N] [NAME ...]   the proofs of tb/formal.txt, by default all
#   -p  the K-th of N parts of them
#   -n  the other way round: each proof's bug is planted in a copy of the RTL, the proof must fail
#   -o  where copies and logs go (build/formal)
# A module that is proved alone assumes what its header demands of its surroundings (macro
# FORMAL_<module>); inside a larger proof that becomes something to prove. "hold" adds one
# property for every register: it keeps its value while f_quiescent_and_idle is 1 (§2.10).
# A proof without properties fails; so does one whose assumptions no run can meet.
set -u
plant=
part=1/1
out=build/formal
while getopts no:p: option; do
  case $option in
    n) plant=1 ;;
    o) out=$OPTARG ;;
    p) part=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
command -v yosys >/dev/null || { echo "SKIP formal: yosys is missing (package yosys)"; exit 0; }

# prove NAME MODULE HOLD PARAMETERS RTL: 0 proved, 1 refuted by a run from reset, 2 neither
prove() {
  log=$out/$1.log
  rm -f "$out/$1.aig" # of RTL before this
  sets=$(for p in $4; do printf ' -chparam %s %s' "${p%%=*}" "${p#*=}"; done)
  files=$(sed "/^\/\//d; s|^rtl/|$5/|" "$top/rtl/heddle.f" | tr '\n' ' ')
  # -defer: modules are made with their parameters alone, not with their defaults first.
  read="read_verilog -formal -defer -DFORMAL_$2 $files; hierarchy -check -top $2$sets; proc; flatten"
  simple="memory_map; async2sync; dffunmap; opt -nodffe -nosdff"
  # Can a run meet the assumptions? That hangs on what they look at alone.
  possible="select -assert-min 1 t:\$assert; tee -o $out/$1.count select -count t:\$assert; \
    delete -output o:*; design -save whole; \
    delete t:\$assert; opt_clean -purge; sat -set-assumes -seq 4 $2; design -load whole"
  # A whole switch, or a count of many bits, becomes gates, which abc proves in a tenth of the time. Their x
  # may be anything in each cycle. Other modules sat proves in less time than it takes to make gates of them.
  engine=sat
  case $2 in hd_switch | hd_packet_count) engine=abc ;; esac
  base="sat -tempinduct-baseonly -prove-asserts -set-assumes -verify -maxsteps 6 $2"
  case $engine in
    abc)
      way="write_rtlil $out/$1.il; simplemap; techmap; setundef -anyseq; aigmap; write_aiger -zinit $out/$1.aig"
      ;;
    sat) way="sat -tempinduct -prove-asserts -set-assumes -verify -maxsteps 6 $2" ;;
  esac
  if [ "$3" = hold ]; then
    # keep: a register and a copy that a property has of it stay two until both are to hold
    yosys -q -l "$log.read" -p "$read; setattr -set keep 1 t:\$*ff*; $simple; setattr -unset keep t:\$*ff*; \
      opt_clean; write_rtlil $out/$1.read.il" >/dev/null 2>&1 || return 2
    awk -v gate=f_quiescent_and_idle -f "$top/tb/hold.awk" "$out/$1.read.il" >"$out/$1.hold.il" \
      2>"$out/$1.registers" || return 2
    read="read_rtlil $out/$1.hold.il; hierarchy -top $2"
    simple="opt -nodffe -nosdff"
  else
    rm -f "$out/$1.registers"
  fi
  yosys -l "$log" -p "$read; $simple; $possible; $way" >/dev/null 2>&1
  grep -q 'SAT solving finished - model found' "$log" || return 2
  if [ $engine = abc ]; then
    # fold: assumptions become part of the properties; orpos: all properties become one
    yosys-abc -c "read_aiger $out/$1.aig; fold; orpos; dc2; bmc3 -F 4; ind -F 4" >"$log.abc" 2>&1
    if grep -q '^No output asserted in 4 frames' "$log.abc" && grep -q '^Networks are equivalent' "$log.abc"; then
      return 0
    fi
    # A fault may need a whole barrier message before it shows.
    yosys-abc -c "read_aiger $out/$1.aig; fold; orpos; dc2; bmc3 -F 16 -T 200" >>"$log.abc" 2>&1
    if grep -q 'was asserted in frame' "$log.abc"; then
      # the run, for people, if it is short
      [ -n "$plant" ] || yosys -l "$log" -p "read_rtlil $out/$1.il; $base" >/dev/null 2>&1
      return 1
    fi
    return 2
  elif grep -q 'Induction step proven: SUCCESS' "$log"; then
    return 0
  fi
  if grep -q 'model found for base case: FAIL' "$log"; then return 1; fi
  return 2
}

listed=0
ran=0
bad=0
while IFS='|' read -r name module parameters bug; do
  case $name in '' | '#'*) continue ;; esac
  name=${name%% *}
  module=${module# }
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  listed=$((listed + 1))
  [ $((listed % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
  ran=$((ran + 1))
  set_of_bug=${bug#* }
  file=${set_of_bug%% *}
  edit=${set_of_bug#* }
  start=$(date +%s%N)
  rtl=$top/rtl
  label=$name
  if [ -n "$plant" ]; then
    rtl=$out/$name.rtl
    label=$name-bug
    rm -rf "$rtl"
    cp -r "$top/rtl" "$rtl"
    sed -i "$edit" "$rtl/$file"
    if cmp -s "$rtl/$file" "$top/rtl/$file"; then
      echo "not ok formal $label: the edit of $file changes nothing"
      bad=$((bad + 1))
      continue
    fi
  fi
  hold=
  case $module in *" hold "*) hold=hold ;; esac
  module=${module%% *}
  parameters=${parameters# }
  parameters=${parameters% }
  prove "$label" "$module" "$hold" "$parameters" "$rtl"
  rc=$?
  ms=$((($(date +%s%N) - start) / 1000000))
  detail="$(sed 's/ objects.*//' "$out/$label.count" 2>/dev/null | tr -d '\n') properties"
  [ ! -s "$out/$label.registers" ] || detail="$detail, $(cat "$out/$label.registers") hold"
  case $plant$rc in
    0) echo "ok formal $label: $module $parameters: proved, $detail, $ms ms" ;;
    11) echo "ok formal $label: $file $edit: refuted, $ms ms" ;;
    *)
      case $rc in
        0) why="a planted bug was proved" ;;
        1) why="refuted" ;;
        *) why="neither proved nor refuted" ;;
      esac
      echo "not ok formal $label: $why, see $out/$label.log"
      bad=$((bad + 1))
      ;;
  esac
done <"$top/tb/formal.txt"
[ $ran != 0 ] || { echo "not ok formal: no such proof"; exit 1; }
[ $bad = 0 ]
