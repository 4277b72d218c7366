# Adds to an RTLIL netlist, for every register, the property that it keeps its value while GATE is 1.
# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v gate=WIRE -f hold.awk FLAT.il, all flip-flops being $dff. Registers of the properties
# themselves (f_*) are left out. Writes how many it found to stderr; finding none is an error.
/^  cell \$dff / { inside = 1; d = q = ""; width = 1 }
inside && /parameter \\WIDTH / { width = $3 }
inside && /connect \\D / { d = $0; sub(/^ *connect \\D /, "", d) }
inside && /connect \\Q / { q = $0; sub(/^ *connect \\Q /, "", q) }
{ print }
inside && /^  end/ {
  inside = 0
  if (q ~ /^[{ ]*\\(.*\.)?f_[A-Za-z0-9_]*[^.]*$/) next
  n++
  bits += width
  print "  wire $hold$" n
  print "  cell $eq $holdeq$" n
  print "    parameter \\A_SIGNED 0\n    parameter \\B_SIGNED 0"
  print "    parameter \\A_WIDTH " width "\n    parameter \\B_WIDTH " width "\n    parameter \\Y_WIDTH 1"
  print "    connect \\A " d "\n    connect \\B " q "\n    connect \\Y $hold$" n
  print "  end"
  print "  cell $assert $holdassert$" n
  print "    connect \\A $hold$" n "\n    connect \\EN \\" gate
  print "  end"
}
END {
  print n + 0 " registers of " bits + 0 " bits" > "/dev/stderr"
  if (!n) exit 1
}
