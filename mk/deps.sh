#!/bin/sh
# Installs the Debian packages of mk/packages.txt that are missing; no network when none is.
# SPDX-License-Identifier: Apache-2.0
#
# Plain sh without make, so that it is the first thing that can run on a fresh system.
# As root, or through sudo. `mk/deps.sh --list` only prints what is missing. `--run`, before it: only
# what building Heddle and `make run` need.
set -eu
only=
if [ "${1-}" = --run ]; then
  only=run:
  shift
fi
list=$(dirname "$0")/packages.txt

# present PACKAGE PROBE
present() {
  if command -v dpkg-query >/dev/null; then
    # shellcheck disable=SC2016 # the braces are dpkg-query's
    case " $(dpkg-query -W -f '${db:Status-Status} ' "$1" 2>/dev/null || true)" in
      *" installed "*) return 0 ;;
    esac
  fi
  case $2 in
    -) return 1 ;;
    *.h | *.hpp) [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] ;;
    *) command -v "$2" >/dev/null ;;
  esac
}

missing=
while read -r package probe use _; do
  case $package in '' | '#'*) continue ;; esac
  [ -z "$only" ] || [ "$use" = "$only" ] || continue
  present "$package" "$probe" || missing="$missing $package"
done <"$list"
[ -n "$missing" ] || exit 0
echo "missing packages:$missing"
[ "${1-}" != --list ] || exit 1

if ! command -v apt-get >/dev/null; then
  echo "mk/deps.sh: this is no Debian system (no apt-get): install the above by its own means" >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then
  as_root=
elif command -v sudo >/dev/null; then
  as_root=sudo
else
  echo "mk/deps.sh: neither root nor sudo: have an administrator run" >&2
  echo "  apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Use-Pty=0 "$@"
}
apt update
# shellcheck disable=SC2086 # one word a package
apt install --no-install-recommends $missing
