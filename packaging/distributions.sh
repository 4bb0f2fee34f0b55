#!/bin/sh
# Installs a release's packages with the package managers of distributions, runs their programs, and removes them. For
# each, prints a row of the table in README.md. It needs root on Debian, debootstrap and the network, and keeps the
# systems in var/roots for the next time.
#   packaging/distributions.sh DIR [SYSTEM...]
# DIR is a folder that release.sh made. A system has a name such as trixie/arm64; the kernel must know qemu-user for
# another architecture. The system "empty" is an empty root. There, Debian's copies of other distributions' package
# managers run, and the managers that APK and OPKG name in trixie's system.
set -eu
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
release=$(cd "${1:?"usage: packaging/distributions.sh DIR [SYSTEM...]"}" && pwd)
shift
cd "$(dirname "$0")/.."
native=$(dpkg --print-architecture) machine=$(uname -m) work=$(mktemp -d) status=0
tools=$PWD/var/roots/trixie-$native
trap 'rm -rf "$work"' EXIT

# inside ROOT COMMAND... When the command ends, its mounts go with its namespaces.
inside() { unshare --mount --pid --fork --kill-child --mount-proc="$1/proc" chroot "$@"; }

# system SUITE ARCH makes a minimal system in $root. It has the file .ready when it is complete.
system() {
	root=$PWD/var/roots/$1-$2
	[ ! -e "$root/.ready" ] || return 0
	rm -rf --one-file-system "$root"
	set -- "$1" "$2" /usr/share/keyrings/debian http://deb.debian.org/debian sid
	case $1 in jammy | noble | resolute) # a Debian package has Ubuntu's keys
		set -- "$1" "$2" "$tools/usr/share/keyrings/ubuntu" http://archive.ubuntu.com/ubuntu gutsy ;;
	esac
	debootstrap --variant=minbase --arch="$2" --keyring="$3-archive-keyring.gpg" "$1" "$root" "$4" "$5" >&2
	[ "$root" != "$tools" ] || inside "$root" sh -c 'apt-get -qq update &&
		apt-get -qq -y --no-install-recommends install ubuntu-keyring rpm dnf zypper' >&2
	touch "$root/.ready"
}

# files lists the installed files in $root, with modes and owners, but without the package managers' own records.
files() {
	find "$root" -xdev -regex "$root/\(var\|proc\|dev\|run\|tmp\|srv\|etc/apk\|lib/apk\|usr/lib/opkg\)" -prune -o \
		-printf '%M %u:%g %p\n' | sort >"$work/$1"
}
# new LIST prints the files that are new since before. In an empty root, folders stay that other packages would have.
new() { comm -13 "$work/before" "$work/$1" | awk '!/^d/ || /flashdex/'; }
run() { for program in $programs; do chroot "$root" "$program" version || return; done; }

# try SYSTEM HOST FILE ADD REMOVE installs FILE in $root by a program in HOST. It looks for no user, since packages run
# nothing, and systemd makes the server's user when it starts.
try() {
	package=$(basename "$3") name=flashdex programs=/usr/bin/flashdex
	manager="$(basename "${4%% *}") $(inside "$2" "${4%% *}" --version | grep -o '[0-9][0-9.-]*' | head -n 1)"
	expected='usr/share/doc/flashdex/copyright usr/share/man/man1/flashdex.1.gz usr/share/zsh/*/_flashdex
		usr/share/bash-completion/completions/flashdex usr/share/fish/vendor_completions.d/flashdex.fish'
	case $package in
		*.ipk) expected=lib/upgrade/keep.d/flashdex ;;
		flashdex-server*)
			name=flashdex-server programs='/usr/lib/flashdex/api /usr/lib/flashdex/hugo'
			expected='usr/lib/systemd/system/flashdex.service usr/lib/flashdex/site/hugo.toml
				usr/lib/flashdex/clients/SHA256SUMS usr/share/doc/flashdex/operations.md' ;;
	esac
	row="| $1 | $manager | $package" && cp "$3" "$2/tmp/$package" && files before
	# shellcheck disable=SC2086 # lists of words
	{
		inside "$2" $4 "/tmp/$package" && files with && (cd "$root" && ls -d $expected) &&
			{ comm -23 "$work/before" "$work/with" | { ! grep .; }; } && # as before, with the same modes
			row="$row | $(new with | grep -vc '^d') files" && run && row="$row | yes" &&
			inside "$2" $5 "$name" && files after && { new after | { ! grep .; }; } && row="$row | yes |"
	} >"$work/said" 2>&1 || {
		row="$row | FAILED |" status=1
		cat "$work/said" >&2
	}
	rm "$2/tmp/$package" && echo "$row"
}
# empty FILE ADD REMOVE [BESIDE] tries a package in an empty root, or beside one that rpm installs.
empty() {
	root=$tools/srv/root
	rm -rf --one-file-system "$root"
	mkdir -p "$root/usr/bin" "$root/lib/upgrade" "$root/var/lock" "$root/tmp"
	if [ "${4-}" ]; then
		cp "$4" "$root/tmp/beside.rpm"
		inside "$tools" rpm --root /srv/root -i /srv/root/tmp/beside.rpm
	fi
	try "an empty root, $native" "$tools" "$1" "$2" "$3"
}

printf '| %s | %s | %s | %s | %s | %s |\n' system 'package manager' package installed run removed - - - - - -
system trixie "$native"
[ $# != 0 ] || set -- bullseye bookworm trixie sid jammy noble resolute empty
for system; do
	[ "$system" != empty ] || continue
	arch=${system#*/} && [ "$arch" != "$system" ] || arch=$native
	system "${system%/*}" "$arch"
	for file in "$release"/flashdex*_"$arch.deb"; do
		try "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' "$root/etc/os-release"), $arch" "$root" "$file" \
			'apt-get -qq -y install' 'apt-get -qq -y purge'
	done
done
case " $* " in *" empty "*) ;; *) exit $status ;; esac
dnf='dnf -q -y --installroot=/srv/root --releasever=0' zypper='zypper --root /srv/root -n'
for file in "$release"/flashdex*".$machine.rpm"; do
	empty "$file" 'rpm --root /srv/root -i' 'rpm --root /srv/root -e'
	empty "$file" "$dnf install" "$dnf remove"
	for beside in "$release"/flashdex*".$machine.rpm"; do # because zypper reads no empty database
		[ "$beside" = "$file" ] || empty "$file" "$zypper install --allow-unsigned-rpm" "$zypper remove" "$beside"
	done
done
apk="${APK-} --root /srv/root --no-network"
opkg="${OPKG-} --offline-root /srv/root --add-arch $machine:1 --add-dest root:/"
for file in ${APK:+"$release"/flashdex*"_$machine.apk"}; do
	empty "$file" "$apk --initdb --arch $machine --allow-untrusted add" "$apk del"
done
for file in ${OPKG:+"$release"/flashdex*"_$machine.ipk"}; do
	empty "$file" "$opkg install" "$opkg remove"
done
exit $status
