#!/usr/bin/env bash
# Try the README's two commands on a fresh Debian: tests/platforms/debian.sh SUITE FOLDER [SESSION...]
#
# As root: `tests/platforms/debian.sh trixie /var/tmp/trixie conform tests`. FOLDER becomes a root made by debootstrap,
# with Python and nothing else of what the harness needs; the checkout's last commit is cloned into it, and what lies
# beside it in ../shared comes along. Mirrors, certificates and pip's configuration are this machine's own.
set -euo pipefail

suite=${1:?usage: debian.sh SUITE FOLDER [SESSION...]}
root=$(realpath -m "${2:?usage: debian.sh SUITE FOLDER [SESSION...]}")
shift 2
sessions=("${@:-conform}")
checkout=$(cd "$(dirname "$0")/../.." && pwd)

[ "$(id -u)" = 0 ] || { echo "error: root is needed, to make a root and to enter it" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "error: no debootstrap: apt-get install debootstrap" >&2; exit 3; }

# The mirror that apt here uses for Debian itself, in either form of its lists.
mirror=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep -E '/debian/?$' | sort | uniq -c | sort -rn |
    awk 'NR == 1 { print $2 }')
: "${mirror:?apt names no mirror of Debian here}"

if [ ! -e "$root/etc/debian_version" ]; then
    # A suite that is newer than the debootstrap here is made as the unstable one is.
    steps=/usr/share/debootstrap/scripts/$suite
    [ -e "$steps" ] || steps=/usr/share/debootstrap/scripts/sid
    debootstrap --include=python3,python3-venv,ca-certificates,git "$suite" "$root" "$mirror" "$steps"
    for item in /etc/apt/apt.conf.d/*artifact* /etc/apt/apt.conf.d/*prox* /etc/pip.conf /etc/resolv.conf /etc/hosts \
        "$HOME/.config/pip" /usr/local/share/ca-certificates; do
        if [ -e "$item" ]; then mkdir -p "$root/$(dirname "$item")" && cp -aL "$item" "$root/$(dirname "$item")/"; fi
    done
fi
rm -rf "$root/root/harness" "$root/root/shared"
git clone --quiet "$checkout" "$root/root/harness"
if [ -d "$checkout/../shared" ]; then cp -aL "$checkout/../shared" "$root/root/shared"; fi

# Folders that pip is told to look into; the files of an index lie beside its folder `simple`.
mapfile -t folders < <(python3 -m pip config list 2>/dev/null | sed 's#file://##g' | grep -oE '(^|[^:/[:alnum:]])/[[:alnum:]_./-]+' |
    grep -oE '/.*' |
    while read -r path; do while [ -n "$path" ] && [ ! -d "$path" ]; do path=${path%/*}; done; echo "${path%/simple}"; done |
    grep -vE '^(|/|/etc.*)$' | sort -u)

enter() {
    unshare --mount --pid --fork --propagation private bash -c '
        root=$1 command=$2
        shift 2
        mount --bind "$root" "$root"
        mkdir -p "$root/.old"
        for folder in "$@"; do mkdir -p "$root/$folder" && mount --bind -o ro "$folder" "$root/$folder"; done
        mount --rbind /dev "$root/dev"
        mount --rbind /sys "$root/sys"
        mount -t proc proc "$root/proc"
        mount -t tmpfs tmpfs "$root/tmp"
        cd "$root" && pivot_root . .old && cd / && umount -l /.old
        exec env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -ec "$command"
    ' enter "$root" "$1" "${folders[@]}"
}

enter 'update-ca-certificates >/dev/null; apt-get -qq update; python3 --version; cat /etc/debian_version'
code=0
for session in "${sessions[@]}"; do
    enter "cd /root/harness && python3 bootstrap.py $session" || code=$?
    echo "$suite: python3 bootstrap.py $session ended with $code"
    [ "$code" = 0 ] || exit "$code"
done
