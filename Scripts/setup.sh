#!/usr/bin/env bash
# setup.sh [--list] [PURPOSE...]: installs the Debian packages that the project builds on, and those of
# each purpose. Quiet when all are there. --list prints their names instead.
#
#   tests    what tests and other scripts use: a PostgreSQL server, programs to compare with, Python
#   bench    what measurements need as well
#   browser  a browser under remote control, with a font that desktops show its pages in
#   api      what Python's packages need
#   cluster  what stands in front of several processes
#   package  what makes packages
#   root     what makes the clean root in which a package is tried
set -euo pipefail

tests=(postgresql libarchive-tools openssl sqlite3 python3 curl jq xxd gettext)
packages=(pkg-config libsqlite3-dev libssl-dev libarchive-dev zlib1g-dev libzstd-dev
    libmicrohttpd-dev libcurl4-openssl-dev libexpat1-dev libgd-dev libpq-dev)
list=
for purpose in "$@"; do
    case $purpose in
    --list) list=yes ;;
    tests) packages+=("${tests[@]}") ;;
    bench) packages+=("${tests[@]}" wrk nginx-light curl zsync casync time) ;;
    api) packages+=("${tests[@]}" python3-venv) ;;
    cluster) packages+=("${tests[@]}" nginx-light) ;;
    browser)
        packages+=("${tests[@]}" chromium chromium-driver fonts-inter fonts-droid-fallback
            python3-venv)
        ;;
    package) packages+=(dpkg-dev binutils python3) ;;
    root) packages+=(debootstrap) ;;
    *)
        echo "setup: unknown purpose \"$purpose\"; $0 says at its top which there are" >&2
        exit 64
        ;;
    esac
done
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | sort -u)
if [ -n "$list" ]; then
    printf '%s\n' "${packages[@]}"
    exit
fi

missing=()
for package in "${packages[@]}"; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing+=("$package")
done

if [ ${#missing[@]} -gt 0 ]; then
    if ! command -v apt-get >/dev/null; then
        echo "These Debian packages, or what they are called here, are needed: ${missing[*]}" >&2
        exit 1
    fi
    sudo=
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
            sudo=sudo
        else
            echo "Some Debian packages are missing. Install them, then run make again:" >&2
            echo "  sudo apt-get install -y ${missing[*]}" >&2
            exit 1
        fi
    fi
    echo "Installing ${missing[*]}"
    if ! { $sudo apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends \
            "${missing[@]}" >/dev/null; }; then
        echo "setup: these Debian packages are needed, and apt-get could not install them, as it says" >&2
        echo "  above: ${missing[*]}" >&2
        echo "  again: ${sudo:+sudo }apt-get install -y ${missing[*]}" >&2
        exit 1
    fi
fi

if ! command -v swift >/dev/null; then
    echo "Swift 6.2 or newer is needed: https://www.swift.org/install/linux" >&2
    exit 1
fi
