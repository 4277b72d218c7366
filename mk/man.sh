#!/bin/sh
# Makes the man pages from what the command says of itself: heddle.1, and heddle-COMMAND.1 for each command.
# SPDX-License-Identifier: Apache-2.0
#
# usage: mk/man.sh HEDDLE DIRECTORY
set -eu
heddle=$1 to=$2
mkdir -p "$to"
version=$("$heddle" --version)

# page NAME ABOUT: standard input is the help. Up to the options it is usage and description; what
# follows them is shown as it is laid out.
page() {
  awk -v name="$1" -v about="$2" -v version="$version" '
    function roff(s) {
      gsub(/\\/, "\\e", s)
      gsub(/-/, "\\-", s)
      return s ~ /^[.\x27]/ ? "\\&" s : s
    }
    function usage(s) {
      sub(/^(Usage:| *or:) */, "", s)
      print (used++ ? ".br\n" : ".SH SYNOPSIS\n") roff(s)
    }
    function option(s,  names, help) {
      names = s; sub(/^ +/, "", names); sub(/   *.*/, "", names)
      help = s; help = match(help, /[^ ]  +[^ ]/) ? substr(help, RSTART + 1) : ""
      sub(/^ +/, "", help)
      print (options++ ? "" : ".SH OPTIONS\n") ".TP\n.B " roff(names) (help == "" ? "" : "\n" roff(help))
    }
    BEGIN {
      upper = toupper(name)
      printf ".TH %s 1 \"\" \"%s\" \"Heddle\"\n.SH NAME\n%s \\- %s\n", roff(upper), version, roff(name), roff(about)
    }
    part == 0 && /^(Usage:| *or:)/ { usage($0); next }
    part == 0 { part = 1; print ".SH DESCRIPTION" }
    part == 1 && /^ +-/ { part = 2 }
    part == 1 && /^ /   { part = 3 }
    part == 1 { if ($0 == "") gap = 1; else { if (gap) print ".PP"; gap = 0; print roff($0) } next }
    part == 2 && /^ +-/ { option($0); next }
    part == 2 && $0 == "" { next }
    part == 2 && /^ [^ -].*:$/ { sub(/^ /, ""); sub(/:$/, ""); print ".SS " roff($0); next } # a group of options
    part == 2 && /^ /   { sub(/^ +/, ""); print roff($0); next }
    part == 2 { part = 3 }
    /^Mandatory or optional arguments/ { getline; next }
    shown || $0 != "" { if (!shown++) print ".SH MORE\n.nf"; print roff($0) }
    END { if (shown) print ".fi"; print ".SH SEE ALSO\n" see }
  ' see="$3" - >"$to/$1.1"
}

# The lines of the list of commands: name, arguments, two blanks or more, what it does.
commands=$("$heddle" --help | sed -n '/^Commands:/,/^`/s/^  \([a-z]*\) .*/\1/p')
[ -n "$commands" ]
others=
for command in $commands; do
  about=$("$heddle" --help | sed -n "/^Commands:/,/^\`/s/^  $command  *\(\[*[A-Z][][A-Z_ ]*\)*  *//p")
  "$heddle" "$command" --help | page "heddle-$command" "$about" '.BR heddle (1)'
  others="$others${others:+, }.BR heddle\\-$command (1)"
done
"$heddle" --help | page heddle "co-simulates RTL switches in whole fabrics against a cycle-exact model" \
  "$(echo "$others" | sed 's/, /,\\n/g')"
