#!/usr/bin/env bash
# A diagram that lies is found: planted in the documentation, in a stimulus, in the RTL.
# SPDX-License-Identifier: Apache-2.0
# usage: tests/diagrams/selftest.sh TOOL OUT
set -u
cd "$(dirname "$0")/../.." || exit 2
tool=$1 out=$2/selftest
status=0
rm -rf "$out"
mkdir -p "$out/spec"
docs=$out/spec/diagrams
one=tb/diagrams/contention.txt

# Copies the files of the documentation that the test reads for one diagram.
fresh() {
  rm -rf "$docs"
  mkdir -p "$docs"
  cp docs/spec/diagrams/contention.* "$docs"
  echo '![x](diagrams/contention.svg)' >"$out/spec/1-x.md"
}

# seen NAME PATTERN ARGUMENTS: the tool must fail and say PATTERN.
seen() {
  local text
  if text=$("$tool" --docs "$docs" --out "$out" "${@:3}" 2>&1); then
    echo "not ok diagrams see $1 (passed)"
    status=1
  elif ! grep -q -- "$2" <<<"$text"; then
    echo "$text"
    echo "not ok diagrams see $1 (failed for another reason)"
    status=1
  else
    echo "ok diagrams see $1"
  fi
}

fresh
if text=$("$tool" --docs "$docs" --out "$out" "$one"); then
  echo "ok diagrams pass what is true"
else
  echo "$text"
  echo "not ok diagrams pass what is true"
  status=1
fi

fresh
sed -i '0,/"CS"/s//"ES"/' "$docs/contention.json"
seen 'a changed cell' 'contention.json does not show what the switch does' "$one"
fresh
sed -i '0,/>CS</s//>ES</' "$docs/contention.svg"
seen 'a changed picture' 'contention.svg does not show what the switch does' "$one"
fresh
rm "$docs/contention.svg"
seen 'a missing picture' 'contention.svg is not there' "$one"
fresh
echo x >"$docs/drawn-by-hand.svg"
seen 'a picture without stimulus' 'drawn-by-hand.svg has no stimulus' "$one"
fresh
echo nothing >"$out/spec/1-x.md"
seen 'a picture that nobody shows' 'contention.svg is shown by no chapter' "$one"

fresh
sed 's/^packet C 0.0 at=1/packet C 0.0 at=2/; s/^packet E 0.0 at=2/packet E 0.0 at=1/' "$one" >"$out/contention.txt"
seen 'a changed stimulus' 'does not show what the switch does' "$out/contention.txt"
sed 's/^row out .*/row owt 0.2/' "$one" >"$out/contention.txt"
seen 'a row that does not exist' 'contention.txt:[0-9]*: .*owt' "$out/contention.txt"
sed 's/out\[2\].next/out[2].nest/' "$one" >"$out/contention.txt"
seen 'a state that does not exist' "has no state 'out\[2\].nest'" "$out/contention.txt"
seen 'nothing to compare' '^not ok diagrams: 0 played'

# the tie-break of output ports, in a copy of the RTL
cp -r rtl "$out/broken"
sed -i 's/\.advance_i(granted)/.advance_i(1'"'"'b0)/' "$out/broken/hd_output_port.v"
if cmp -s rtl/hd_output_port.v "$out/broken/hd_output_port.v"; then
  echo "not ok the planted bug no longer applies"
  status=1
fi
fresh
seen 'a wrong tie-break in the RTL' "cycle 3, row 'out_next': RTL shows '0', model '1'" --rtl "$out/broken" "$one"

for f in docs/spec/diagrams/*.json; do
  if ! python3 -m json.tool "$f" >"$out/json" 2>&1; then
    echo "not ok $f is no JSON: $(cat "$out/json")"
    status=1
  fi
done
exit $status
