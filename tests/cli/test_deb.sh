#!/usr/bin/env bash
# make deb: the package has the version and all installed files, follows Debian's policy, and runs when it is unpacked.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
unset MAKEFLAGS MAKELEVEL MFLAGS HD_ROOT
if ! command -v dpkg-shlibdeps >/dev/null; then
  skip "make deb" "dpkg-shlibdeps is missing, install the package dpkg-dev"
  summary
  exit
fi
mkdir tree
(cd "$root" && cp -r --parents -t "$work/tree" Makefile CHANGELOG.md mk rtl cmodel bridge sw fpga tests/scenarios tb/formal.txt \
  tb/instances.txt tb/stress)
mkdir -p tree/build/opt
cp "$HEDDLE" tree/build/opt/heddle
export DEBFULLNAME="A Developer" DEBEMAIL=developer@debian.org
exits 1 "a release that CHANGELOG does not date" env -C tree mk/deb.sh build/deb 0.9.1
says err "CHANGELOG.md: no release 0.9.1" "is refused"
rest
exits 0 "make deb" make -s --no-print-directory -C tree -o build/opt/heddle deb
check "it is the last line" test -f "tree/$(tail -n 1 out)"
deb=tree/$(tail -n 1 out)
equal "heddle $(dpkg-deb -f "$deb" Version)" "$("$HEDDLE" --version)" "its version"
check "it needs what it is linked with" grep -q 'libyaml-0-2.*verilator' <<<"$(dpkg-deb -f "$deb" Depends)"
equal "$(dpkg-deb -f "$deb" Maintainer)" "A Developer <developer@debian.org>" "whose it is"
command -v lintian >/dev/null || skip "Debian's policy" "lintian is missing, install the package lintian"
dpkg-deb -x "$deb" there
rm -rf tree/bridge tree/rtl
cp there/usr/share/heddle/scenarios/shuffle-6-to-10.yaml .
exits 0 "it runs where it is unpacked" there/usr/bin/heddle run shuffle-6-to-10.yaml --dut model --out model
equal "$(sql model "SELECT digest FROM run")" 0x85e140e3d84ccefc "with the digest"
check "it has man pages" test -s there/usr/share/man/man1/heddle-run.1.gz
summary
