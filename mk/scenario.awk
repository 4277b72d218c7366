# Puts made tables into a page: awk -f scenario.awk TABLES PAGE. Both have them between lines
# `<!-- keys: NAME -->` and `<!-- end of keys -->`.
# SPDX-License-Identifier: Apache-2.0
FNR == 1 { name = "" }
/^<!-- keys: .* -->$/ { name = $3 }
NR == FNR { table[name] = table[name] $0 "\n"; next }
name == "" { print }
/^<!-- end of keys -->$/ {
  if (!(name in table)) {
    print FILENAME ":" FNR ": there is no table " name >"/dev/stderr"
    exit 1
  }
  printf "%s", table[name]
  name = ""
}
