#!/usr/bin/env bash
# package-files.sh PROGRAM FOLDER: lays out in FOLDER what a package of PROGRAM has below /usr: itself,
# openstore-downloads, which lies beside it, units of systemd, completions, man pages, documents, the shop of the demo.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."

put() { install -D -m 0644 "$1" "$folder/$2"; }

install -D -m 0755 "$program" "$folder/bin/openstore"
for unit in openstore.service openstore.socket openstore-backup.service openstore-backup.timer; do
    put "Deployment/$unit" "lib/systemd/system/$unit"
done
# Apps find it beside the folder of programs; systemd listens for it in each user's session.
install -D -m 0755 "$(dirname "$program")/openstore-downloads" "$folder/lib/openstore/openstore-downloads"
for unit in openstore-downloads.service openstore-downloads.socket openstore-downloads-resume.service; do
    put "Deployment/$unit" "lib/systemd/user/$unit"
done
# enable UNIT TARGET: for all users, as the unit's [Install] has it; who does not want it masks it.
enable() {
    install -d "$folder/lib/systemd/user/$2.wants"
    ln -s "../$1" "$folder/lib/systemd/user/$2.wants/$1"
}
enable openstore-downloads.socket sockets.target
enable openstore-downloads-resume.service default.target
put Deployment/openstore.sysusers lib/sysusers.d/openstore.conf
put Deployment/openstore.tmpfiles lib/tmpfiles.d/openstore.conf

# completion SHELL FILE
completion() {
    install -d "$folder/$(dirname "$2")"
    "$program" completion "$1" >"$folder/$2"
}
completion bash share/bash-completion/completions/openstore
completion zsh share/zsh/vendor-completions/_openstore
completion fish share/fish/vendor_completions.d/openstore.fish

Scripts/man-pages.py "$program" "$folder/share/man/man1"
gzip -9n "$folder"/share/man/man1/*

# What the demo sells.
find Examples/Bookshop -type f -not -name '*.py' -not -name '*.md' -print0 |
    while IFS= read -r -d '' file; do put "$file" "share/openstore/${file#Examples/}"; done

# Helps and messages name documents as they lie here.
documents=share/doc/openstore
find Documentation -name '*.md' -not -path 'Documentation/Contributors/*' -print0 |
    while IFS= read -r -d '' document; do put "$document" "$documents/$document"; done
put Deployment/nginx.conf "$documents/examples/nginx.conf"
# All settings, of which none is set but the folder that the units name.
env -i "$program" configuration --config /dev/null |
    sed 's|^#data = .*|data = /var/lib/openstore|' >"$folder/$documents/examples/openstore.conf"
find "$folder" -type d -exec chmod 0755 {} +
find "$folder" -type f -not -path "$folder/bin/*" -not -path "$folder/lib/openstore/*" -exec chmod 0644 {} +
