#!/usr/bin/env bash
# Draws how long the ranks of replayed programs compute, are in collectives, wait and do other things: a bar for each run.
# SPDX-License-Identifier: Apache-2.0
#
# usage: docs/examples/times.sh OUT.svg RUN...; OUT.csv and OUT.gp, which draw it again, are written beside it
set -eu
out=${1%.svg}
shift
{
  echo "run,computing,collectives,waiting,other,finish"
  for run in "$@"; do
    sqlite3 -csv "$run/run.db" "SELECT name, printf('%.0f', c), printf('%.0f', l), printf('%.0f', w), printf('%.0f', f - c - l - w), f FROM
      (SELECT name FROM run),
      (SELECT avg(value) AS c FROM statistics WHERE name = 'computing of ranks'),
      (SELECT avg(value) AS l FROM statistics WHERE name = 'collective of ranks'),
      (SELECT avg(value) AS w FROM statistics WHERE name = 'waiting of ranks'),
      (SELECT max(value) AS f FROM statistics WHERE name = 'finish of ranks')"
  done
} >"$out.csv"
cat >"$out.gp" <<END
set datafile separator ","
set terminal svg size 800,480 font "sans-serif,14" background "white"
set output "$out.svg"
set style data histograms
set style histogram rowstacked
set style fill solid 0.8 border -1
set boxwidth 0.6
set ylabel "cycles until the last rank has finished"
set yrange [0:*]
set key outside top center horizontal
set xtics rotate by -20
plot for [i=2:5] "$out.csv" using i:xtic(1) title columnheader(i)
END
gnuplot "$out.gp"
