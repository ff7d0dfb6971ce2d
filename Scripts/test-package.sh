#!/usr/bin/env bash
# test-package.sh [PACKAGE.deb ARCHIVE.tar.gz]: installs the package into a clean root, which has what it
# depends on and no network, uses it there, and takes it away again; then the archive. They are those that
# `make package` made last unless they are given.
#
# debootstrap makes the root, which takes two minutes and needs Debian's mirror; .build/package-root keeps
# it for the next run. The steps in the root are in Tests/Package/clean-root.sh.
#
#   MIRROR=URL   where packages are fetched from; where apt fetches them on this machine unless given
#
# Exit codes: 0 all of it holds, 1 some does not, 77 it could not be tried here.
set -euo pipefail
cd "$(dirname "$0")/.."

cannot() {
    echo "test-package: could not be tried: $1" >&2
    shift
    if [ $# -gt 0 ]; then printf '  %s\n' "$@" >&2; fi
    exit 77
}

newest() { { find dist -maxdepth 1 -name "$1" -printf '%T@ %p\n' 2>/dev/null || true; } | sort -rn | sed -n '1s/[^ ]* //p'; }
package=${1:-$(newest 'openstore_*.deb')}
archive=${2:-$(newest 'openstore-*.tar.gz')}
[ -f "$package" ] && [ -f "$archive" ] || cannot "there is no package in dist" "first: make package"

Scripts/setup.sh root
if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || cannot "only root can install into a root of its own" \
        "again: sudo $0 $package $archive"
    exec sudo -n MIRROR="${MIRROR:-}" "$0" "$package" "$archive"
fi
unshare --mount --net --pid --fork true 2>/dev/null ||
    cannot "this machine gives nobody namespaces of their own (unshare), as containers do"

# What the package depends on, the first of each choice; and what looks at it: units, network, man pages.
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
names=$(dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/|[^,]*//g; s/[[:space:]]//g')
names=$names,systemd,iproute2,man-db
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
    sed -n "s/ $suite\$//p" | head -n 1)}
[ -n "$mirror" ] || cannot "apt knows no mirror of $suite" "again: MIRROR=URL $0"
proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy)
key=$(printf '%s' "$suite $names" | sha256sum | cut -c 1-12)
kept=.build/package-root
base=$kept/$suite-$(dpkg --print-architecture)-$key
mkdir -p "$kept"
if [ ! -d "$base" ]; then
    echo "test-package: making a root of $suite from $mirror"
    rm -rf --one-file-system "$kept/new"
    if ! http_proxy=${http_proxy:-$proxy} debootstrap --variant=minbase --include="$names" \
        "$suite" "$kept/new" "$mirror" >"$kept/debootstrap.log" 2>&1; then
        cannot "debootstrap made no root of $suite from $mirror; its last lines, of $kept/debootstrap.log:" \
            "$(tail -n 5 "$kept/debootstrap.log")"
    fi
    rm -f "$kept"/new/var/cache/apt/archives/*.deb
    mv "$kept/new" "$base"
fi

# A fresh copy each time.
root=$kept/trial
rm -rf --one-file-system "$root"
cp -a --reflink=auto "$base" "$root"
trap 'rm -rf --one-file-system "$root"' EXIT
cp "$package" "$root/openstore.deb"
cp "$archive" "$root/openstore.tar.gz"
cp Tests/Package/clean-root.sh "$root/clean-root.sh"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    unshare --mount --net --pid --fork --kill-child --root="$root" --mount-proc \
    /bin/bash /clean-root.sh </dev/null || {
    code=$?
    echo "test-package: $package does not hold what it should" >&2
    exit $((code == 77 ? 77 : 1))
}
echo "test-package: $package works in a clean root without a network"
