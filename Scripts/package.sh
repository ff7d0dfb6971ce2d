#!/usr/bin/env bash
# Builds openstore with Swift's libraries inside, and makes a Debian package of it and an archive for
# other systems; both are in dist.
#
#   PROGRAM=FILE        a program that is built already, with openstore-downloads beside it
#   DEBFULLNAME, DEBEMAIL  who makes the package
#   SOURCE_DATE_EPOCH   the time that its files have; that of the last commit unless given
#
# Towards a reproducible build: names are sorted, times and owners fixed. Programs are not compared byte for byte.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/setup.sh package
program=${PROGRAM:-$(Scripts/build-release.sh)}
export SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$("$program" --version | sed -n 's/^openstore //p')
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-OpenStoreKit} <${DEBEMAIL:-openstorekit@users.noreply.github.com}>"
for name in openstore openstore-downloads; do
    strip --strip-unneeded --remove-section=.comment --remove-section=.note \
        -o "$work/$name" "$(dirname "$program")/$name"
done
if { readelf -d "$work/openstore" && readelf -d "$work/openstore-downloads"; } | grep -E 'NEEDED.*lib(swift|Foundation|dispatch|_Foundation)' >&2; then
    echo "package: the program wants Swift's libraries, as above; it has to have them inside" >&2
    exit 1
fi

# The Debian package. It depends on the libraries that the program is linked with.
root=$work/debian/openstore
Scripts/package-files.sh "$work/openstore" "$root/usr"
install -d "$root/DEBIAN"
printf 'Source: openstore\n\nPackage: openstore\nArchitecture: any\n' >"$work/debian/control"
libraries=$(cd "$work" && dpkg-shlibdeps -O debian/openstore/usr/bin/openstore | sed -n 's/^shlibs:Depends=//p')
documents=$root/usr/share/doc/openstore
install -m 0644 Deployment/debian/copyright "$documents/copyright"
gzip -9nc CHANGELOG.md >"$documents/changelog.gz"
gzip -9nc >"$documents/changelog.Debian.gz" <<END_OF_CHANGELOG
openstore ($version-1) unstable; urgency=medium

  * OpenStoreKit $version; changelog.gz says what is new.

 -- $maintainer  $(date -uRd "@$SOURCE_DATE_EPOCH")
END_OF_CHANGELOG
# For desktops without systemd: where the units are, the entry is passed over.
entry=etc/xdg/autostart/openstore-downloads.desktop
install -D -m 0644 Deployment/openstore-downloads.desktop "$root/$entry"
echo "/$entry" >"$root/DEBIAN/conffiles"
install -m 0755 Deployment/debian/{postinst,prerm,postrm} "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
size=$(du -k --apparent-size -s "$root/usr" | cut -f 1)
sed -e "s|@VERSION@|$version-1|; s|@ARCHITECTURE@|$architecture|; s|@MAINTAINER@|$maintainer|" \
    -e "s|@SIZE@|$size|; s|@LIBRARIES@|$libraries|" Deployment/debian/control >"$root/DEBIAN/control"
package=dist/openstore_$version-1_$architecture.deb
mkdir -p dist
dpkg-deb --root-owner-group -Zxz --build "$root" "$work/openstore.deb" >/dev/null
mv "$work/openstore.deb" "$package"

# The archive: the same files as they lie below /usr/local.
name=openstore-$version-linux-$(uname -m)
mv "$root/usr" "$work/$name"
install -D -m 0644 Deployment/openstore-downloads.desktop "$work/$name/$entry"
sed -i 's|/usr/lib/openstore|/usr/local/lib/openstore|' "$work/$name"/lib/systemd/user/*.service "$work/$name/$entry"
documents=$work/$name/share/doc/openstore
rm "$documents"/{copyright,changelog.Debian.gz,changelog.gz}
mv "$work/$name/share/zsh/vendor-completions" "$work/$name/share/zsh/site-functions"
cp LICENSE CHANGELOG.md "$documents"
sed -n '/^License: Unicode-3.0/,$ { s/^ \.\?//; p }' Deployment/debian/copyright | tail -n +3 >"$documents/LICENSE.ICU"
{
    sed "s|@NAME@|$name|g; s|@VERSION@|$version|g" Deployment/archive-readme.md
    echo
    readelf -d "$work/openstore" | sed -n 's/.*NEEDED.*\[\(.*\)\]/- \1/p'
    echo "- glibc $(objdump -T "$work/openstore" | grep -o 'GLIBC_2[.0-9]*' | sort -uV | tail -n 1 | cut -d _ -f 2) or newer"
} >"$work/$name/README.md"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=go-w \
    -C "$work" -cf - "$name" | gzip -9n >"$work/$name.tar.gz"
mv "$work/$name.tar.gz" dist

human() { stat -L -c %s "$1" | numfmt --to=si --suffix=B --format='%.1f'; }
echo "package: openstore $version for $architecture; the program has $(human "$work/openstore")"
echo "  $package, $(human "$package")"
echo "  dist/$name.tar.gz, $(human "dist/$name.tar.gz")"
