# Functions for tests of pages, beside those of lib.sh: elements of a page, and a browser.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154

# have_xmllint WHAT: ends the test with a SKIP of WHAT if there is no xmllint.
have_xmllint() {
  command -v xmllint >/dev/null && return
  skip "$1" "xmllint is missing, package libxml2-utils"
  summary
  exit
}

# xpath FILE EXPRESSION
xpath() {
  xmllint --xpath "$2" "$1" 2>/dev/null
}

# has FILE ID WHAT: ok if there is exactly one such element.
has() {
  equal "$(xpath "$1" "count(//*[@id='$2'])")" 1 "$3"
}

# have_browser WHAT: ends the test with a SKIP of WHAT if there is no browser.
have_browser() {
  command -v chromium >/dev/null && return
  skip "$1" "chromium is missing, package chromium"
  summary
  exit
}

# browse OPTION... PAGE: starts the browser, without a sandbox, which root cannot have, and with virtual time, so that a
# slow machine shows the same page.
browse() {
  HOME=$work timeout -k 5 120 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run \
    --user-data-dir="$work/profile" --virtual-time-budget=2000 --window-size=1200,1600 --hide-scrollbars \
    --enable-logging=stderr --log-level=0 "$@" 2>browser.log
}

# colours PICTURE: prints the number of colours.
colours() {
  identify -format %k "$1" 2>/dev/null || echo 0
}

# opens DIR BUTTONS: a browser opens DIR/report.html. The script must make that number of buttons, and the picture must have
# many colours. Leaves DIR.dom and DIR.png.
opens() {
  local run=$1
  browse --dump-dom "file://$work/$run/report.html" >"$run.dom"
  check "a browser opens the page of $run" test -s "$run.dom"
  check "its script ran to its end" grep -q 'data-script="ran"' "$run.dom"
  check "without an error" bash -c '! grep -E "CONSOLE.*(Error|Refused|violates)" browser.log'
  check "tables can be sorted" test "$(grep -o '<button type="button"' "$run.dom" | wc -l)" -ge "$2"
  check "a picture is made" browse --screenshot="$work/$run.png" "file://$work/$run/report.html"
  if command -v identify >/dev/null; then
    check "which is not empty: $(colours "$run.png") colours" test "$(colours "$run.png")" -ge 60
  else
    skip "the picture of $run" "identify is missing, package imagemagick"
  fi
}
