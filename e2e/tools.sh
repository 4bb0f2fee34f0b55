#!/bin/sh
# Installs what the tests and checks need, or says what is missing. Debian package names, tested by the programs in them.
set -eu
cd "$(dirname "$0")"

missing=
need() { # need PACKAGE PROGRAM...
	package=$1
	shift
	for program in "$@"; do
		if command -v "$program" >/dev/null 2>&1 || [ -x "/usr/sbin/$program" ]; then return; fi
	done
	missing="$missing $package"
}
need shellcheck shellcheck
need dash dash
need bash bash
need mksh mksh
need busybox-static busybox
need chromium chromium
need e2fsprogs mkfs.ext4
need dosfstools mkfs.vfat
need exfatprogs mkfs.exfat
need f2fs-tools mkfs.f2fs
need xfsprogs mkfs.xfs
need lvm2 lvm
need dmsetup dmsetup
need mdadm mdadm
need cryptsetup-bin cryptsetup
need bindfs bindfs
need mount losetup
need strace strace
need curl curl
need wget wget
need rsync rsync
need fio fio
need qemu-system-x86 qemu-system-x86_64
need qemu-system-arm qemu-system-aarch64
need qemu-user-static qemu-aarch64-static
need qemu-utils qemu-io
need kmod modprobe
need nodejs node
need npm npm
need python3-venv python3
need sqlite3 sqlite3
need r-base-core Rscript
need default-jre-headless java
need prometheus promtool
need pgbouncer pgbouncer
need systemd systemd-analyze
need docker.io dockerd
need docker-compose docker-compose
need debootstrap debootstrap
need iptables iptables
set -- /usr/lib/postgresql/*/bin/initdb
[ -x "$1" ] || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"

if [ -n "$missing" ]; then
	if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
		echo "flashdex: installing what the tests need:$missing"
		apt-get -qq update
		# shellcheck disable=SC2086 # a list of names
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null
	else
		echo "flashdex: the tests need these Debian packages or their like:$missing" >&2
		echo "flashdex: install them, or run this as root on Debian" >&2
		exit 1
	fi
fi

if ! cmp -s package-lock.json node_modules/.installed; then
	echo "flashdex: fetching the browser driver and the checkers of accessibility and markup"
	npm ci --silent --ignore-scripts --no-audit --no-fund
	cp package-lock.json node_modules/.installed
fi

# Without the network, or on another system, the tests that need these are skipped.
if [ -x /usr/bin/apt-get ]; then sh dds.sh ../var/dds; fi

# What our figures are compared with. Its licence forbids changed copies, so Debian has it beside the system.
if [ -x /usr/bin/apt-get ] && [ ! -x ../var/tools/iozone ]; then
	mkdir -p ../var/tools
	work=$(mktemp -d ../var/tools/.iozone.XXXXXX)
	work=$(cd "$work" && pwd)
	# shellcheck disable=SC2016 # the other shell's
	if sh -euc '. ./apt.sh
		private_apt "$1" "$(dpkg --print-architecture)" bookworm non-free
		cd "$1" && apt-get -qq download iozone3 >&2 && dpkg-deb -x iozone3_*.deb root' fetch "$work" && mv "$work/root/usr/bin/iozone" ../var/tools/iozone; then :; else
		echo "flashdex: WARNING: nothing will be compared with iozone: it can't be fetched" >&2
	fi
	rm -rf "$work"
fi

# What others read the data set with. Without the network the test that needs it is skipped.
if ! cmp -s requirements.txt ../var/python/.installed; then
	echo "flashdex: fetching the programs that others read the data set with"
	if rm -rf ../var/python && python3 -m venv ../var/python && ../var/python/bin/pip install --quiet --disable-pip-version-check -r requirements.txt; then
		cp requirements.txt ../var/python/.installed
	else
		echo "flashdex: WARNING: the data set's files will not be read with other programs: these packages can't be fetched" >&2
		rm -rf ../var/python
	fi
fi

# A real object store, in a folder. Without the network the test that needs it is skipped.
versitygw=github.com/versity/versitygw/cmd/versitygw@v1.8.0
if [ "$(cat ../var/tools/.versitygw 2>/dev/null)" != "$versitygw" ]; then
	echo "flashdex: building the object store that publishing is tested with (the first time it takes a few minutes)"
	mkdir -p ../var/tools
	tools=$(cd ../var/tools && pwd)
	if GOBIN=$tools CGO_ENABLED=0 go install "$versitygw"; then
		echo "$versitygw" >"$tools/.versitygw"
	else
		echo "flashdex: WARNING: publishing to an object store will not be tested: it can't be fetched" >&2
	fi
fi
