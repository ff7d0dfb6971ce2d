#!/usr/bin/env bash
# Checks the files in Deployment: units of systemd with its own program; what the image copies with
# what the package is built of; the libraries that the image has with those that the built program
# wants. Each where there is something to check with.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
folder=$(mktemp -d)
copy=$(mktemp -d)
trap 'rm -rf "$folder" "$copy"' EXIT
if command -v systemd-analyze >/dev/null; then
    for unit in openstore.service openstore-backup.service openstore-backup.timer openstore.socket; do
        # The program need not be installed where the units are checked.
        sed 's|/usr/local/bin/openstore|/bin/true|' "Deployment/$unit" >"$folder/$unit"
    done
    found=$(cd "$folder" && systemd-analyze verify --man=no ./*.service ./*.timer ./*.socket 2>&1 |
        grep -E "$folder|openstore" || true)
    if [ -n "$found" ]; then
        printf 'deployment: systemd refuses a unit\n%s\n' "$found" >&2
        failed=1
    fi
fi

# What the image is built of is what its file copies: the folders of the manifest's targets, and the
# files that C sources embed.
while read -r _ source target; do
    if [ -d "$source" ]; then
        mkdir -p "$copy/$target"
        cp -r "$source/." "$copy/$target"
    else
        [[ $target == */ ]] || target=$(dirname "$target")
        mkdir -p "$copy/$target"
        cp "$source" "$copy/$target"
    fi
done < <(grep -E '^COPY [^-]' Deployment/Dockerfile)
if ! said=$(swift package --package-path "$copy" describe --type json 2>&1 >/dev/null); then
    printf 'deployment: Deployment/Dockerfile copies no whole package\n%s\n' "$said" >&2
    failed=1
fi
while IFS=: read -r file text; do
    name=$(sed -E 's/^ *#embed "([^"]+)".*/\1/' <<<"$text")
    if [ ! -f "$(dirname "$file")/$name" ]; then
        echo "deployment: Deployment/Dockerfile does not copy $name, which ${file#"$copy/"} embeds" >&2
        failed=1
    fi
done < <(grep -rE --include='*.c' '^ *#embed "' "$copy/Sources")

# The packages of the image that runs: the lines behind its FROM.
image=$(sed -n '/^FROM debian/,$p' Deployment/Dockerfile)
program=.build/debug/openstore
if [ -x "$program" ] && command -v readelf dpkg-query >/dev/null; then
    libraries=$(readelf -d "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/*\/\1/p')
    # Swift's own libraries come with the program, and are no package's. One look for all of them:
    # each takes half a second.
    # shellcheck disable=SC2086
    owners=$(set -f; { dpkg-query -S $libraries 2>/dev/null || true; } | sed 's/[:,].*: / /' | sort -u)
    while read -r package library; do
        case $package in
        "" | libc6) continue ;;
        esac
        if ! grep -qw -- "$package" <<<"$image"; then
            echo "deployment: Deployment/Dockerfile lacks $package, which has $library" >&2
            failed=1
        fi
    done <<<"$owners"
fi
known=$(apt-cache pkgnames 2>/dev/null || true)
if grep -qx libc6 <<<"$known" && grep -q 'VERSION_CODENAME=bookworm' /etc/os-release; then
    for package in $(grep -oE '\b(lib[a-z0-9+.-]+|zlib1g[a-z-]*|tzdata|ca-certificates|pkg-config)\b' \
        Deployment/Dockerfile | sort -u); do
        # What is no package: names of folders and files.
        case $package in lib | *.so | *.a) continue ;; esac
        if ! grep -qxF -- "$package" <<<"$known"; then
            echo "deployment: Debian has no package $package, which Deployment/Dockerfile names" >&2
            failed=1
        fi
    done
fi
exit $failed
