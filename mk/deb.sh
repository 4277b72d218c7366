#!/bin/sh
# Makes a Debian package of an installed tree, without debhelper, and holds it against Debian's policy.
# SPDX-License-Identifier: Apache-2.0
#
# usage: mk/deb.sh DIR VERSION, from the top of the tree. DIR/root is what `make install` made with PREFIX=/usr; the
# package is put into DIR. Whose it is, is asked of DEBFULLNAME and DEBEMAIL, then of git. Libraries are those that the
# programs are linked with (dpkg-shlibdeps); what Heddle calls to build switches is listed here.
set -eu
dir=$1 version=$2
root=$dir/root
for tool in dpkg-deb dpkg-shlibdeps strip; do
  if ! command -v $tool >/dev/null; then
    echo "SKIP make deb: $tool is missing; install the packages dpkg-dev and binutils"
    exit 0
  fi
done
name=${DEBFULLNAME:-$(git log -1 --format=%an 2>/dev/null || echo "Heddle developers")}
mail=${DEBEMAIL:-$(git log -1 --format=%ae 2>/dev/null || echo "$(id -un)@$(uname -n)")}
day=$(sed -n "s/^## $version [^0-9]*\([0-9-]*\)$/\1/p" CHANGELOG.md)
[ -n "$day" ] || { echo "CHANGELOG.md: no release $version with a date" >&2; exit 1; }
SOURCE_DATE_EPOCH=$(date -u -d "$day 12:00" +%s)
export SOURCE_DATE_EPOCH

doc=$root/usr/share/doc/heddle
mkdir -p "$doc" "$root/DEBIAN" "$dir/debian"
for file in "$root"/usr/bin/heddle "$root"/usr/lib/heddle/*.so; do
  strip --strip-unneeded --remove-section=.comment --remove-section=.note "$file"
done
gzip -9n "$root"/usr/share/man/man1/*.1
{
  printf 'heddle (%s) unstable; urgency=medium\n\n' "$version"
  printf '  * Release %s; CHANGELOG.md.gz beside this file says what is in it.\n\n' "$version"
  printf ' -- %s <%s>  %s\n' "$name" "$mail" "$(LC_ALL=C date -u -d "@$SOURCE_DATE_EPOCH" '+%a, %d %b %Y %H:%M:%S +0000')"
} | gzip -9n >"$doc/changelog.gz"
gzip -9nc CHANGELOG.md >"$doc/CHANGELOG.md.gz"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Heddle
Upstream-Contact: $name <$mail>
Source: this package's files, and make deb in a checkout of Heddle

Files: *
Copyright: $(date -u -d "$day" +%Y) the authors of Heddle
License: Apache-2.0
 On Debian systems, the Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.
END

# dpkg-shlibdeps finds the libraries that the programs need. It refuses to run without a control file.
printf 'Source: heddle\n\nPackage: heddle\nArchitecture: any\n' >"$dir/debian/control"
libraries() { # libraries FIELD FILE: "libc6 (>= 2.34), …"
  (cd "$dir" && dpkg-shlibdeps --ignore-missing-info -O "-d$1" "root/$2" 2>/dev/null) | sed -n "s/^shlibs:$1=//p"
}
depends=$(libraries Depends usr/bin/heddle)
# Shared objects without which the command works.
plugins=
for so in hd_mpi hd_igraph hd_cgraph; do # hd_record.so uses what hd_mpi.so does
  [ ! -e "$root/usr/lib/heddle/$so.so" ] || plugins="$plugins, $(libraries Recommends "usr/lib/heddle/$so.so" | sed "s/libc6[^,]*, //")"
done
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: heddle
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $name <$mail>
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f1)
Depends: $depends, g++, make, verilator, zlib1g-dev
Recommends: iverilog, yosys, gtkwave$plugins
Suggests: fpga-icestorm, ghdl, gnuplot-nox, libsystemc-dev, nextpnr-ice40, sqlite3, xvfb
Section: electronics
Priority: optional
Description: co-simulates RTL switches of interconnection networks
 Heddle checks RTL switches of interconnection networks. It co-simulates them
 in whole fabrics (meshes, fat trees, any graph) against a cycle-exact model,
 with C endpoint software that drives both, on Verilator, Icarus, SystemC,
 netlists, decompiled bitstreams and boards.
 .
 If the RTL is not the switch that the specification describes, it says in
 which cycle, switch and port it first differs, and writes a waveform of both
 sides around that cycle.
END
chmod -R u=rwX,go=rX "$root"
package=$dir/heddle_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
if command -v lintian >/dev/null; then
  lintian --fail-on error "$package"
else
  echo "SKIP Debian's policy: lintian is missing; install the package lintian"
fi
echo "$package"
