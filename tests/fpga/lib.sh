# Functions for tests of one board of fpga/builds.txt; tests/fpga/ulx3s.sh and xor.sh source this file.
# SPDX-License-Identifier: Apache-2.0
#
# HEDDLE names the command. $work is a directory for the test, $bad becomes 1 when something fails.
# shellcheck shell=bash disable=SC2034 # bad is for who sources this
set -u
cd "$(dirname "$0")/../.." || exit 2
test=$(basename "$0" .sh)
HEDDLE=${HEDDLE:-build/opt/heddle}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# verdict WHAT GOOD: with GOOD 1 it holds; otherwise $work/log says why not
verdict() {
  if [ "$2" = 1 ]; then
    echo "ok $test: $1"
  else
    echo "not ok $test: $1"
    sed 's/^/  | /' "$work/log" | tail -8
    bad=1
  fi
}

# agrees WHAT DUT SCENARIO: and has the model's digest; the runs are $work/model and $work/run
agrees() {
  rm -rf "$work/run" "$work/model"
  local good=0 digest
  "$HEDDLE" run "$3" --dut model --out "$work/model" >"$work/log" 2>&1 </dev/null
  digest=$(field model digest)
  "$HEDDLE" run "$3" --dut "$2" --out "$work/run" >"$work/log" 2>&1 </dev/null &&
    [ -n "$digest" ] && [ "$(field run digest)" = "$digest" ] && good=1
  verdict "$1: $digest" $good
}

# field RUN NAME: a value of its report
field() {
  sed -nE "s/^  \"$2\": \"?([^\",]*)\"?,?\$/\1/p" "$work/$1/report.json"
}

# as_built NAME: a virtual board was made with all parameters that fpga/builds.txt gives NAME
as_built() {
  local row key line parameter all found=0
  row=$(grep "^$1 " fpga/builds.txt | cut -d'|' -f8-)
  for key in build/dut/*/key.txt; do
    all=1
    for parameter in $row; do
      case $parameter in
        SWITCHES_ON_BOARD=*) line="switches ${parameter#*=}" ;;
        IN_WORDS=* | OUT_WORDS=*) continue ;;
        *) line="parameter $parameter" ;;
      esac
      grep -qx "$line" "$key" || all=0
    done
    [ $all = 0 ] || found=1
  done
  echo "no key in build/dut has all of:$row" >"$work/log"
  [ -n "$row" ] || found=0
  verdict "with the parameters of fpga/builds.txt" $found
}
