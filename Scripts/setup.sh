#!/usr/bin/env bash
# Installs the Debian packages that the project builds on. Quiet when all are there.
# `setup.sh bench` adds what the measurements need, `setup.sh browser` a browser under remote
# control, with a font that desktops show its pages in, `setup.sh api` what Python's packages need,
# `setup.sh cluster` what stands in front of several processes.
set -euo pipefail

packages=(pkg-config libsqlite3-dev libssl-dev libarchive-dev zlib1g-dev libzstd-dev
    libmicrohttpd-dev libcurl4-openssl-dev libexpat1-dev libgd-dev libpq-dev postgresql
    libarchive-tools openssl sqlite3 python3)
if [ "${1:-}" = bench ]; then
    packages+=(wrk nginx-light curl zsync casync time)
fi
if [ "${1:-}" = api ]; then packages+=(python3-venv); fi
if [ "${1:-}" = cluster ]; then packages+=(nginx-light); fi
if [ "${1:-}" = browser ]; then
    packages+=(chromium chromium-driver fonts-inter fonts-droid-fallback python3 python3-venv)
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
