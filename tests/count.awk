# Counts what a test's output says: prints PASSED FAILED SKIPPED.
# SPDX-License-Identifier: Apache-2.0
#
# A line "N passed, N failed[, N skipped]" is a sum already: where there is one, only such lines
# count. Otherwise cmocka's closing lines do, and where there are none, lines that begin with ok,
# not ok, SKIP.
/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { sums = 1; sp += $1; sf += $3; ss += $5 }
/^\[  PASSED  \] [0-9]+ test/ { cmocka = 1; cp += $4 }
/^\[  FAILED  \] [0-9]+ test/ { cmocka = 1; cf += $4 }
/^\[  SKIPPED \] [0-9]+ test/ { cmocka = 1; cs += $4 }
/^ok([ :-]|$)/ { p++ }
/^not ok([ :-]|$)/ { f++ }
/^SKIP([ :-]|$)/ { s++ }
END {
  if (sums) print sp + 0, sf + 0, ss + 0
  else if (cmocka) print cp + 0, cf + 0, cs + 0
  else print p + 0, f + 0, s + 0
}
