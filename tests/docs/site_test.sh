#!/usr/bin/env bash
# The site: every link leads somewhere, every table is made, drawings are those of their sources; and each check can fail.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/docs/site_test.sh HEDDLE
# shellcheck disable=SC2317 # check calls the functions
set -u
cd "$(dirname "$0")/../.." || exit 2
heddle=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# check WHAT COMMAND...
check() {
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok $what"
  else
    tail -n 20 "$work/out" | sed 's/^/    | /'
    echo "not ok $what"
    status=1
  fi
}

# refused TEXT COMMAND...: it fails, and says so.
refused() {
  local text=$1
  shift
  ! "$@" >"$work/refused" 2>&1 && grep -F -- "$text" "$work/refused"
}

check "every page is in the nav, every table has one place" docs/site/site.py "$heddle" "$work/pages" --pages
check "tables of the command are in pages" grep -q '^| .fabric.topology. ' "$work/pages.pages/docs/scenario.md"
check "tables of data are in pages" grep -q '^| formula-1-as-printed | .* | \*\*disagrees\*\* | 0 of 4 |$' \
  "$work/pages.pages/docs/reproduction-barrier.md"

# A copy of what pages are made of.
tree=$work/tree
mkdir "$tree"
git ls-files -coz --exclude-standard |
  xargs -0 cp -a --parents -t "$tree"
git -C "$tree" init -q .
spoilt() { # spoilt TEXT FILE LINE: a line more in a page is refused
  cp "$tree/$2" "$work/kept"
  echo "$3" >>"$tree/$2"
  (cd "$tree" && refused "$1" docs/site/site.py "$heddle" "$work/spoilt" --pages)
  local rc=$?
  cp "$work/kept" "$tree/$2"
  return "$rc"
}
check "a table that there is not is refused" spoilt "there is no table scenario nowhere" docs/scenario.md '<!-- keys: scenario nowhere -->'
check "a table in two places is refused" spoilt "the table scenario fabric is in" docs/sweep.md '<!-- keys: scenario fabric -->'
check "a link to a file that is not there is refused" spoilt "docs/sweep.md:" docs/sweep.md '[gone](../bridge/gone.h)'
sed -i /soak.md/d "$tree/docs/site/mkdocs.yml"
check "a page that the nav lacks is refused" spoilt "the nav lacks docs/soak.md" docs/sweep.md ''

for tool in mkdocs doxygen; do
  if ! command -v $tool >/dev/null; then
    echo "SKIP the site: $tool is missing; install the package $tool"
    exit $status
  fi
done
check "the site is made" docs/site/site.py "$heddle" "$work/site"
check "every link leads somewhere, without a network" tests/docs/site_links.py "$work/site"
check "it says the version" grep -q "Heddle $("$heddle" --version | cut -d' ' -f2)" "$work/site/index.html"
check "the API has the DUT contract" grep -q hd__dut__ops "$work/site/api/dut_8h.html"
check "search knows a heading of the specification" grep -q 'Deadlock rule' "$work/site/search/search_index.json"
if command -v chromium >/dev/null; then
  found() { # found WORD: the page of results, opened as a file, has a link to the specification
    chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=20000 --dump-dom \
      "file://$work/site/search.html?q=$1" 2>/dev/null | grep -o '<article>.*docs/spec/[0-9a-z-]*.html'
  }
  missed() {
    ! found "$1"
  }
  check "a page that is opened as a file can search" found cyclically
  check "it does not find what is not there" missed qwertyuiop
else
  echo "SKIP search in a browser: chromium is missing; install the package chromium"
fi
echo '<p><a href="docs/gone.html">x</a></p>' >>"$work/site/docs/sweep.html"
check "a link to nowhere is found" refused "link to docs/gone.html, which is not there" tests/docs/site_links.py "$work/site"
echo '<a href="check.html#nowhere">x</a><script src="https://example.org/x.js"></script>' >>"$work/site/docs/sweep.html"
check "so is one to no heading" refused "check.html#nowhere: there is no such place" tests/docs/site_links.py "$work/site"
check "and what comes from a network" refused "script comes from the network" tests/docs/site_links.py "$work/site"
if command -v dot >/dev/null; then
  for drawing in docs/*.dot; do
    docs/site/drawing.sh "$drawing" >"$work/drawing.svg"
    check "${drawing%dot}svg is made of $drawing; if not: make drawings" cmp "$work/drawing.svg" "${drawing%dot}svg"
  done
else
  echo "SKIP drawings: dot is missing; install the package graphviz"
fi
exit $status
