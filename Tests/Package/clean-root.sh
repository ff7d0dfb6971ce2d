#!/bin/bash
# What a package of openstore has to hold, in a root that has its dependencies and no network:
# Scripts/test-package.sh runs it there. It prints a line for each rule, and ends with 1 where one is broken.
set -uo pipefail

failed=0
# holds RULE COMMAND...: the command ends well.
holds() {
    local rule=$1 said
    shift
    if said=$("$@" 2>&1); then
        echo "  ✔ $rule"
    else
        echo "  ✘ $rule"
        printf '%s\n' "$said" | tail -n 15 | sed 's/^/      /'
        failed=1
    fi
}
# The files that there are, without those that each package leaves its traces in.
files() {
    find / \( -path /proc -o -path /dev -o -path /run -o -path /tmp -o -path /var/log -o -path /var/cache \
        -o -path /var/lib/dpkg \) -prune -o -print | sort
}
as_user=(setpriv --reuid=openstore --regid=openstore --init-groups)

ip link set lo up
files >/tmp/before
version=$(dpkg-deb --field /openstore.deb Version)

# Installed.
holds 'it installs' dpkg --install /openstore.deb
holds 'dpkg finds nothing missing' dpkg --verify openstore
holds 'its version is that of the program' test "openstore ${version%-*}" = "$(openstore --version)"
holds 'the program finds its libraries' bash -c '! ldd /usr/bin/openstore | grep "not found"'
holds 'Swift is inside of the program' bash -c '! ldd /usr/bin/openstore | grep -iE "swift|foundation|dispatch"'
holds 'the download agent finds its libraries, and has Swift inside' bash -c '
    ! ldd /usr/lib/openstore/openstore-downloads | grep -iE "not found|swift|foundation|dispatch"'
holds 'the session of a user listens for apps that download' \
    grep -q downloads.socket /usr/lib/systemd/user/sockets.target.wants/openstore-downloads.socket
holds 'a login goes on with unfinished downloads' \
    grep -q -- --resume /usr/lib/systemd/user/default.target.wants/openstore-downloads-resume.service
holds 'so does one without systemd' \
    grep -qx 'Exec=/usr/lib/openstore/openstore-downloads --resume' /etc/xdg/autostart/openstore-downloads.desktop
holds 'a login without unfinished downloads starts nothing that stays' timeout 9 env -i HOME=/tmp \
    XDG_RUNTIME_DIR=/tmp /usr/lib/openstore/openstore-downloads --resume
holds 'systemd takes the units of users' bash -c '
    said=$(XDG_RUNTIME_DIR=/tmp systemd-analyze --user verify --man=no /usr/lib/systemd/user/openstore*.* 2>&1) || { echo "$said"; exit 1; }
    ! grep -i openstore <<<"$said"'
holds 'the service has a user' test "$(getent passwd openstore | cut -d : -f 6-)" = /var/lib/openstore:/usr/sbin/nologin
for folder in /var/lib/openstore /var/backups/openstore; do
    holds "only that user looks into $folder" test "$(stat -c '%U:%G %a' $folder)" = 'openstore:openstore 700'
done
holds 'no unit is enabled' bash -c '! find /etc/systemd/system -name "openstore*" | grep .'
holds 'systemd takes the units' bash -c '
    said=$(systemd-analyze verify --man=yes /usr/lib/systemd/system/openstore* 2>&1) || { echo "$said"; exit 1; }
    ! grep -i openstore <<<"$said"'

# What belongs to a command.
holds 'there is a man page of it, and one of each noun' bash -c '
    man --where openstore openstore-serve openstore-product >/dev/null &&
    test "$(find /usr/share/man/man1 -name "openstore-*.1.gz" | wc -l)" -gt 30'
holds 'man has no warning of any' bash -c '
    for page in /usr/share/man/man1/openstore*; do man --warnings --local-file "$page" 2>&1 >/dev/null; done |
    { ! grep .; }'
holds 'bash completes its commands' bash -c '
    source /usr/share/bash-completion/completions/openstore && complete -p openstore'
for file in /usr/share/zsh/vendor-completions/_openstore /usr/share/fish/vendor_completions.d/openstore.fish; do
    holds "$file is there" grep -q openstore $file
done
holds 'copyright and changes are there' bash -c '
    cd /usr/share/doc/openstore && grep -q Apache copyright && zgrep -q "^openstore (" changelog.Debian.gz'

# Used: by anybody, and as a service.
mkdir -m 0777 /tmp/anybody
demo() {
    setpriv --reuid=1234 --regid=1234 --clear-groups env HOME=/tmp/anybody TMPDIR=/tmp/anybody bash -c '
        cd && "$0" demo --yes >demo.txt && grep -q "verified by the app" demo.txt || { cat demo.txt; exit 1; }' "$1"
}
holds 'anybody sees the demo' demo openstore
export OPENSTORE_DATA=/var/lib/openstore
cd /var/lib/openstore || exit 1
"${as_user[@]}" openstore serve --listen 127.0.0.1:0 >/tmp/banner 2>&1 &
store=$!
until grep -qs 'http://' /tmp/banner || ! kill -0 $store; do sleep 0.1; done
holds 'its user runs a store' grep 'http://' /tmp/banner
kill $store
wait $store
holds 'the store ends when it is told to' test $? = 0
holds 'the store is sound' "${as_user[@]}" openstore doctor
files | grep ^/var/lib/openstore/ >/tmp/sold
cd /

# Installed over itself, taken away, purged.
holds 'systemd enables it' systemctl enable openstore.service openstore.socket openstore-backup.timer
holds 'it installs over itself' dpkg --install /openstore.deb
holds 'it stays enabled' test -L /etc/systemd/system/multi-user.target.wants/openstore.service
holds 'it is removed' dpkg --remove openstore
holds 'it is purged' dpkg --purge openstore
holds 'what was sold stays' bash -c 'test -s /tmp/sold && xargs -d "\n" ls -d </tmp/sold'
files >/tmp/after
holds 'nothing else stays' bash -c '
    ! diff /tmp/before /tmp/after | grep "^[<>]" |
        grep -vE "^> (/var/(lib|backups)/openstore(/.*)?|/etc/(passwd|group|shadow|gshadow)-)$"'

# The archive, on a system without the package.
mkdir /tmp/archive && tar -C /tmp/archive --strip-components=1 -xzf /openstore.tar.gz
holds 'the archive shows the demo where it was unpacked' demo /tmp/archive/bin/openstore
cp -r /tmp/archive/bin /tmp/archive/lib /tmp/archive/share /usr/local/
hash -r
holds 'the program of the archive runs' test "openstore ${version%-*}" = "$(/usr/local/bin/openstore --version)"
holds 'systemd takes the units of the archive' bash -c '
    said=$(systemd-analyze verify --man=yes /usr/local/lib/systemd/system/openstore* 2>&1) || { echo "$said"; exit 1; }
    ! grep -i openstore <<<"$said"'
holds 'its man pages are found' man --where openstore-serve
exit $failed
