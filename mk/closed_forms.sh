#!/bin/sh
# The tables of docs/closed-forms.md as CSV: latency without load and most accepted load, beside closed forms.
# SPDX-License-Identifier: Apache-2.0
#
# usage: mk/closed_forms.sh HEDDLE DIR TABLES, from the top of the tree. Runs and their scenarios stay in DIR; TABLES gets
# fabrics.csv and one-switch.csv. Ends with 1
# where a latency is more than 1 % from its closed form, beyond its confidence interval, or more is accepted than links carry.
# shellcheck disable=SC2086 # channels, flits of each, flits of a packet are words
set -eu
heddle=$1 dir=$2 tables=$3
mkdir -p "$dir"

scenario() { # scenario NAME FABRIC ROUTING CHANNELS DEPTH FLITS
  cat <<END
name: $1
fabric: {$2}
routing: {algorithm: $3}
switch: {vcs: $4, depth_flits: $5, data_bits: 32}
software: {program: uniform, parameters: {load: 0.1, flits: $6}}
END
}

exec >"$tables/fabrics.csv"
echo '"fabric","routing","switches on a way, mean","latency without load: closed form","measured","links carry at most","accepted, 2 or 3 channels of 4 flits","accepted, 8 of 16","accepted, 8 of 64, packets of one flit"'
status=0
# name | fabric | routing | channels | switches on a way | most flits/node/cycle that links carry
while IFS='|' read -r name fabric routing vcs switches most; do
  for size in "$vcs 4 4" "8 16 4" "8 64 1"; do
    file=$dir/$name-$(echo "$size" | tr ' ' -).yaml
    scenario "$name" "$fabric" "$routing" $size >"$file"
    "$heddle" sweep "$file" --dut none --set software.parameters.load=0.004,1 --seeds 3 --phases 2000:20000:2000 \
      --out "${file%.yaml}" --no-html --quiet >/dev/null
  done
  awk -F, -v name="$fabric" -v routing="$routing" -v form="$switches" -v most="$most" '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; files++; next }
    files == 1 && $1 < 1 { latency = $column["latency_mean_mean"]; ci = $column["latency_mean_ci95"] }
    $1 == 1 { accepted[files] = $column["throughput_mean"]; if (accepted[files] > most) bad = 1 }
    function value(text,  part, n, v, i) { # products and quotients from left to right, as in 2*63/24*64/63
      n = split(text, part, /[*\/]/); v = part[1]
      for (i = 2; i <= n; i++) {
        text = substr(text, length(part[i - 1]) + 1)
        v = text ~ /^\*/ ? v * part[i] : v / part[i]
        text = substr(text, 2)
      }
      return v
    }
    END {
      n = split(form, term, /\+/)
      for (i = 1; i <= n; i++) s += value(term[i])
      l = 4 * s + 4
      off = latency - l; if (off < 0) off = -off
      if (off > 0.01 * l + ci) bad = 1
      printf "\"%s\",\"%s\",\"%.3f\",\"%.2f\",\"%.2f ± %.2f\",\"%.3f\",\"%.3f\",\"%.3f\",\"%.3f\"\n", name, routing, s, l, latency, ci, most, accepted[1], accepted[2], accepted[3]
      exit bad
    }' "$dir/$name-$vcs-4-4/points.csv" "$dir/$name-8-16-4/points.csv" "$dir/$name-8-64-1/points.csv" || status=1
done <<END
mesh|topology: mesh, dims: [8, 8]|dimension-order|2|1+2*63/24*64/63|0.492
torus|topology: torus, dims: [8, 8]|minimal|3|1+2*2*64/63|0.984
tree|topology: tree, k: 4, n: 3|d-mod-k|2|1+2*12/63+4*48/63|1.000
flattened-butterfly|topology: flattened-butterfly, k: 4, n: 3|minimal|2|1+2*3/4*64/63|0.984
dragonfly|topology: dragonfly, a: 4, p: 2, h: 2|minimal|3|1+6/71+64/71+2*48/71|1.000
END

# One switch alone accepts what queues do, whatever the number of channels: 3/4 of 3 nodes, at least 2 - sqrt(2) of many.
exec >"$tables/one-switch.csv"
echo '"nodes on one switch","accepted, 1 channel of 16 flits","accepted, 8 channels"'
for nodes in 3 4 8 16; do
  for vcs in 1 8; do
    name=one-$nodes-$vcs
    seq 0 $((nodes - 1)) | sed 's/.*/n&,s0/' >"$dir/$name.csv"
    scenario one "topology: graph, file: $name.csv" shortest $vcs 16 1 >"$dir/$name.yaml"
    "$heddle" sweep "$dir/$name.yaml" --dut none --set software.parameters.load=0.5,1 --seeds 3 \
      --phases 1000:20000:1000 --out "$dir/$name" --no-html --quiet >/dev/null
  done
  awk -F, -v nodes="$nodes" '
    FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; files++; next }
    $1 == 1 { accepted[files] = $column["throughput_mean"] }
    END {
      off = accepted[1] / accepted[2] - 1
      third = accepted[1] - 0.75
      printf "\"%d\",\"%.4f\",\"%.4f\"\n", nodes, accepted[1], accepted[2]
      exit off > 0.005 || off < -0.005 || accepted[1] < 0.585 || (nodes == 3 && (third > 0.0075 || third < -0.0075))
    }' "$dir/one-$nodes-1/points.csv" "$dir/one-$nodes-8/points.csv" || status=1
done
exit $status
