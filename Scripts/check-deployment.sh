#!/usr/bin/env bash
# Checks the files in Deployment: units of systemd with its own program; what the image copies with
# what the program and its package are made of; the names of packages with Debian's. Each where there is
# something to check with.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
folder=$(mktemp -d)
copy=$(mktemp -d)
trap 'rm -rf "$folder" "$copy"' EXIT
if command -v systemd-analyze >/dev/null; then
    for unit in openstore.service openstore-backup.service openstore-backup.timer openstore.socket \
        openstore-downloads.service openstore-downloads.socket openstore-downloads-resume.service; do
        # The program need not be installed where the units are checked.
        sed -E 's#^ExecStart=(openstore|/usr/lib/openstore/openstore-downloads)#ExecStart=/bin/true#' \
            "Deployment/$unit" >"$folder/$unit"
    done
    found=$(cd "$folder" && systemd-analyze verify --man=no ./*.service ./*.timer ./*.socket 2>&1 |
        grep -E "$folder|openstore" || true)
    if [ -n "$found" ]; then
        printf 'deployment: systemd refuses a unit\n%s\n' "$found" >&2
        failed=1
    fi
fi

if command -v desktop-file-validate >/dev/null; then
    if ! desktop-file-validate Deployment/openstore-downloads.desktop >&2; then
        echo "deployment: Deployment/openstore-downloads.desktop is no good desktop entry, as above" >&2
        failed=1
    fi
fi

# The proxy's configuration, by the proxy itself, and the manifest, by a reader of its language.
if command -v haproxy >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost \
        -keyout "$folder/key.pem" -out "$folder/certificate.pem" 2>/dev/null
    cat "$folder/certificate.pem" "$folder/key.pem" >"$folder/store.pem"
    sed "s|/etc/haproxy/store.pem|$folder/store.pem|" Deployment/haproxy.cfg >"$folder/haproxy.cfg"
    if ! said=$(haproxy -c -f "$folder/haproxy.cfg" 2>&1); then
        printf 'deployment: haproxy refuses Deployment/haproxy.cfg\n%s\n' "$said" >&2
        failed=1
    fi
fi
if python3 -c 'import yaml' 2>/dev/null; then
    python3 - Deployment/kubernetes.yaml <<'END' || failed=1
import sys, yaml
parts = {one["kind"]: one for one in yaml.safe_load_all(open(sys.argv[1], encoding="utf-8"))}
pod = parts["StatefulSet"]["spec"]["template"]
container = pod["spec"]["containers"][0]
for kind, labels in [("StatefulSet", parts["StatefulSet"]["spec"]["selector"]["matchLabels"]),
                     ("Service", parts["Service"]["spec"]["selector"])]:
    if labels != pod["metadata"]["labels"]:
        sys.exit(f"deployment: the {kind} of Deployment/kubernetes.yaml selects other pods than its own")
data = {one["name"]: one["value"] for one in container["env"]}["OPENSTORE_DATA"]
if not data.startswith(container["volumeMounts"][0]["mountPath"] + "/"):
    sys.exit("deployment: the store of Deployment/kubernetes.yaml is not in a folder of its own on the volume")
claim = pod["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"]
if claim != parts["PersistentVolumeClaim"]["metadata"]["name"]:
    sys.exit(f"deployment: Deployment/kubernetes.yaml claims no volume {claim}")
END
fi

# Whom the units run as is made by systemd-sysusers, user and group, and owns what tmpfiles makes.
mkdir -p "$folder/root/etc"
cp Deployment/openstore.sysusers "$folder/sysusers.conf"
made=$(sed -n 's/^u!\{0,1\} \([a-z-]*\) .*/\1/p' Deployment/openstore.sysusers)
while read -r name; do
    if ! grep -qxF -- "$name" <<<"$made"; then
        echo "deployment: Deployment/openstore.sysusers does not make $name, whom a unit names" >&2
        failed=1
    fi
done < <({
    sed -n 's/^\(User\|Group\)=//p' Deployment/*.service Deployment/*.socket
    awk '/^d/ { print $4; print $5 }' Deployment/openstore.tmpfiles
} | sort -u)
if command -v systemd-sysusers >/dev/null; then
    said=$(systemd-sysusers --root "$folder/root" "$folder/sysusers.conf" 2>&1) || true
    for name in $made; do
        for list in passwd group; do
            if ! grep -qs "^$name:" "$folder/root/etc/$list"; then
                printf 'deployment: systemd-sysusers makes no %s in %s\n%s\n' "$name" "$list" "$said" >&2
                failed=1
            fi
        done
    done
fi

# What the image is built of is what its file copies: the folders of the manifest's targets, the files
# that C sources embed, and what a package has beside the program.
while read -r -a words; do
    target=$copy/${words[-1]}
    for source in "${words[@]:1:${#words[@]}-2}"; do
        if [ -d "$source" ]; then
            mkdir -p "$target"
            cp -r "$source/." "$target"
        else
            # A name that ends with a slash is a folder.
            mkdir -p "$(dirname "${target}x")"
            cp "$source" "$target"
        fi
    done
done < <(grep -E '^COPY [^-]' Deployment/Dockerfile)
if ! said=$(swift package --package-path "$copy" describe --type json 2>&1 >/dev/null); then
    printf 'deployment: Deployment/Dockerfile copies no whole package\n%s\n' "$said" >&2
    failed=1
fi
while IFS= read -r file; do
    if ! said=$(clang -fsyntax-only -I "$(dirname "$file")/include" "$file" 2>&1); then
        printf 'deployment: Deployment/Dockerfile does not copy what %s embeds\n%s\n' \
            "${file#"$copy/"}" "$said" >&2
        failed=1
    fi
done < <(grep -rlE --include='*.c' '^ *#embed "' "$copy/Sources")
program=$PWD/.build/debug/openstore
if [ -x "$program" ] && [ -x "$program-downloads" ]; then
    if ! said=$("$copy/Scripts/package-files.sh" "$program" "$copy/usr" 2>&1); then
        printf 'deployment: a package can'"'"'t be made of what Deployment/Dockerfile copies\n%s\n' "$said" >&2
        failed=1
    fi
    # What runs in the sessions of users: units are enabled as they say, and what they and the entry for
    # desktops without systemd start is there.
    for unit in Deployment/openstore-downloads*.{service,socket}; do
        target=$(sed -n 's/^WantedBy=//p' "$unit")
        link=$copy/usr/lib/systemd/user/$target.wants/$(basename "$unit")
        if [ -n "$target" ] && [ ! -f "$link" ]; then
            echo "deployment: a package does not enable $unit for $target" >&2
            failed=1
        fi
    done
    while read -r started; do
        if [ ! -x "$copy$started" ]; then
            echo "deployment: a package has no $started, which a unit or desktop entry starts" >&2
            failed=1
        fi
    done < <(sed -n 's/^\(ExecStart\|Exec\|TryExec\)=\([^ ]*\).*/\2/p' Deployment/openstore-downloads*)
    # Man pages that say nothing wrong to those who show them.
    for page in "$copy"/usr/share/man/man1/*; do
        command -v man >/dev/null && [ -f "$page" ] || continue
        said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -Tutf8 -Z -l "$page" 2>&1 >/dev/null) || true
        if [ -n "$said" ]; then
            printf 'deployment: %s\n%s\n' "$(basename "$page")" "$said" >&2
            failed=1
        fi
    done
fi

# An app and a store need no PostgreSQL server on the machine that builds them.
for target in build demo package; do
    if ! said=$(make -n "$target") || grep -q 'setup.sh [a-z]' <<<"$said"; then
        printf 'deployment: make %s installs more than what the program is built of\n%s\n' "$target" "$said" >&2
        failed=1
    fi
done
if Scripts/setup.sh --list package | grep -E '^postgresql'; then
    echo "deployment: Scripts/setup.sh installs the server above for what builds the program" >&2
    failed=1
fi

# All packages that are named here are Debian's.
known=$(apt-cache pkgnames 2>/dev/null || true)
if grep -qx libc6 <<<"$known" && grep -q 'VERSION_CODENAME=bookworm' /etc/os-release; then
    while read -r package; do
        if ! grep -qxF -- "$package" <<<"$known"; then
            echo "deployment: Debian has no package $package" >&2
            failed=1
        fi
    done < <(
        Scripts/setup.sh --list tests bench api browser cluster package root
        sed -n '/apt-get install/,/&&/p' Deployment/Dockerfile | grep -v '&&' | tr -s ' ' '\n' |
            grep -xE '[a-z][a-z0-9+.-]+'
        sed -n 's/^\(Depends\|Recommends\|Suggests\): //p' Deployment/debian/control | tr ',|' '\n\n' |
            tr -d ' ' | grep -v '@'
    )
fi
exit $failed
