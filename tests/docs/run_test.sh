#!/usr/bin/env bash
# Proves that tests/docs/run.sh runs what it should and sees what fails.
# SPDX-License-Identifier: Apache-2.0
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# run.sh works in a copy of its tree. A tree of these few files is copied at once.
mkdir "$work/small"
cp --parents README.md tests/docs/run.sh "$work/small"
git init -q "$work/small"

# says NAME EXIT-CODE PATTERN: the page on standard input makes run.sh end so and say so.
says() {
  cat >"$work/page.md"
  local out rc=0
  out=$("$work/small/tests/docs/run.sh" "$work/page.md" 2>&1) || rc=$?
  if [ "$rc" = "$2" ] && grep -q -- "$3" <<<"$out"; then
    echo "ok docs: $1"
  else
    awk '{ print "    | " $0 }' <<<"$out"
    echo "not ok docs: $1 (exit code $rc)"
    status=1
  fi
}
says 'a block that works' 0 '^ok .*page.md:1 ' <<'P'
```sh
test -f README.md
```
P
says 'a first command that fails' 1 '^not ok .*page.md:3 ended with exit code 1, not 0' <<'P'
text

```sh
false
true
```
P
says 'a pipe that fails' 1 '^not ok' <<'P'
```sh
false | cat
```
P
says 'an exit code that is asked for' 0 '^ok .*page.md:2 ' <<'P'
<!-- exits 3 -->
```sh
exit 3
```
P
says 'an exit code that does not come' 1 'exit code 0, not 3' <<'P'
<!-- exits 3 -->
```sh
true
```
P
says 'variables and directories that carry over' 0 '^ok .*page.md:5 ' <<'P'
```sh
export HD_X=7; mkdir -p build/deep; cd build/deep
```
between
```sh
test "$HD_X" = 7; test "$(basename "$PWD")" = deep
```
P
says 'a block marked as not run' 0 '^SKIP .*page.md:6: not run: needs a display' <<'P'
```sh
true
```

<!-- not run: needs a display -->
```sh
false
```
P
says 'a mark that belongs to another block' 1 '^not ok .*page.md:4 ' <<'P'
<!-- not run: the paragraph takes it -->
A paragraph.

```sh
false
```
P
says 'commands under another name' 1 'fence commands as sh' <<'P'
```sh
true
```
```bash
true
```
P
says 'commands under no name' 1 'page.md:5: fence commands as sh' <<'P'
```sh
true
```
```
make everything
```
P
says 'a drawing under no name' 0 '^ok .*page.md:4 ' <<'P'
```
maker --> user
```
```sh
true
```
P
says 'a page without commands' 1 'no command found' <<'P'
nothing
P

# Parts: of the pages that take long each is in one part, all others are in every part.
(
  cd "$work/small" || exit
  mkdir docs
  # shellcheck disable=SC2016 # no command: a block of a page
  for page in README docs/page docs/{systemc,backends,mutation,performance,coverage}; do printf '```sh\ntrue\n```\n' >"$page.md"; done
)
for part in 1 2; do "$work/small/tests/docs/run.sh" --part $part/2; done | sed -n 's/^ok \(.*\).md:1 .*/\1/p' >"$work/pages"
if [ "$(sort "$work/pages" | uniq -c | awk '{ printf "%s %s, ", $1, $2 }')" = "2 README, 1 docs/backends, 1 docs/coverage, 1 docs/mutation, 2 docs/page, 1 docs/performance, 1 docs/systemc, " ] &&
  grep -qx docs/systemc <(head -n 6 "$work/pages"); then
  echo "ok docs: parts share the long pages"
else
  echo "not ok docs: parts share the long pages: $(tr '\n' ' ' <"$work/pages")"
  status=1
fi
exit $status
