#!/bin/sh
# Installs the programs that tests and checks need. It names the programs that it can't install, and goes on: the tests
# that need them are skipped and say so. A Debian package counts as installed if one of its programs is there.
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
need zsh zsh
need fish fish
need mandoc mandoc
need rpm rpm
need busybox-static busybox
need minisign minisign
need signify-openbsd signify-openbsd
need openssl openssl
need chromium chromium
need e2fsprogs mkfs.ext4
need dosfstools mkfs.vfat
need exfatprogs mkfs.exfat
need f2fs-tools mkfs.f2fs
need xfsprogs mkfs.xfs
need btrfs-progs mkfs.btrfs
need ntfs-3g mkfs.ntfs
need udftools mkfs.udf
need nilfs-tools mkfs.nilfs2
need jfsutils mkfs.jfs
need reiserfsprogs mkreiserfs
need reiser4progs mkfs.reiser4
need gfs2-utils mkfs.gfs2
need ocfs2-tools mkfs.ocfs2
need erofs-utils mkfs.erofs
need squashfs-tools mksquashfs
need xorriso xorriso
need apfsprogs mkapfs
need hfsutils hformat
need bcache-tools make-bcache
need fdisk sfdisk
need parted parted
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
need flashbench flashbench
need f3 f3probe
need zbar-tools zbarimg
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
need prometheus-node-exporter prometheus-node-exporter
need pgbouncer pgbouncer
need systemd systemd-analyze
need docker.io dockerd
need docker-compose docker-compose
need buildah buildah
need skopeo skopeo
need debootstrap debootstrap
need iptables iptables
set -- /usr/lib/postgresql/*/bin/initdb
[ -x "$1" ] || command -v initdb >/dev/null 2>&1 || missing="$missing postgresql"

if [ -n "$missing" ] && { [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; }; then
	cat >&2 <<-END
		flashdex: WARNING: these Debian packages are missing, and only root on Debian can install them:$missing
		flashdex: The tests that need them are skipped. To run those, too, install them, or the same programs from
		flashdex: elsewhere, or run this as root on Debian.
	END
	missing=
fi

versitygw=github.com/versity/versitygw/cmd/versitygw@v1.8.0
nfpm=$(sed -n 's/^NFPM *:= //p' ../Makefile)
debian='' browser='' python='' store='' packager=''
[ ! -x /usr/bin/apt-get ] || debian=1
cmp -s package-lock.json node_modules/.installed || browser=1
cmp -s requirements.txt ../var/python/.installed || python=1
[ "$(cat ../var/tools/.versitygw 2>/dev/null)" = "$versitygw" ] || store=1
[ "$(cat ../var/tools/.nfpm 2>/dev/null)" = "$nfpm" ] || packager=1

# Everything is announced before anything is done.
announce() {
	[ -z "$missing" ] || echo "  Debian packages:$missing"
	[ -z "$browser" ] || echo "  the browser driver and the checkers for accessibility and markup (npm)"
	if [ -n "$debian" ]; then
		[ -d ../var/dds ] || echo "  other versions of dd"
		[ -x ../var/tools/iozone ] || echo "  iozone"
		[ -d ../var/tools/blkid ] || echo "  images of file systems from the tests of blkid"
	fi
	[ -z "$python" ] || echo "  Python packages that read the data set"
	[ -z "$store" ] || echo "  an object store, which is built"
	[ -z "$packager" ] || echo "  nfpm, which makes the packages of a release, and is built"
}
announced=$(announce)
[ -z "$announced" ] || cat <<END
flashdex: the tests need what is not here yet. It is fetched now, which takes about five minutes and asks nothing.
flashdex: all but Debian packages stays in this folder:
$announced
END

if [ -n "$missing" ]; then
	# shellcheck disable=SC2086 # a list of names
	{ apt-get -qq update &&
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >/dev/null; } ||
		echo "flashdex: WARNING: can't install all Debian packages, so the tests that need the rest are skipped" >&2
fi

if [ -n "$browser" ]; then
	if npm ci --silent --ignore-scripts --no-audit --no-fund; then
		cp package-lock.json node_modules/.installed
	else
		echo "flashdex: WARNING: can't fetch these with npm, so the tests won't start a browser" >&2
	fi
fi

# Without the network, or on another system, the tests that need other implementations of dd are skipped.
if [ -n "$debian" ]; then sh dds.sh ../var/dds; fi

# Tests compare our figures with iozone's. Its licence forbids changed copies, so it is in Debian's non-free.
if [ -n "$debian" ] && [ ! -x ../var/tools/iozone ]; then
	mkdir -p ../var/tools
	work=$(mktemp -d ../var/tools/.iozone.XXXXXX)
	work=$(cd "$work" && pwd)
	# shellcheck disable=SC2016 # the other shell expands these
	sh -euc '. ./apt.sh
		private_apt "$1" "$(dpkg --print-architecture)" bookworm non-free
		cd "$1" && apt-get -qq download iozone3 >&2 && dpkg-deb -x iozone3_*.deb root' fetch "$work" &&
		mv "$work/root/usr/bin/iozone" ../var/tools/iozone ||
		echo "flashdex: WARNING: can't fetch iozone, so the tests won't compare with it" >&2
	rm -rf "$work"
fi

# Tests compare what the client says about a disk with blkid's answer. The sources of util-linux hold images of nearly
# all formats that blkid knows, from real tools and controllers. mkfs.hfsplus is in non-free, and ZFS in contrib.
# Without these, the tests are skipped.
if [ -n "$debian" ] && [ ! -d ../var/tools/blkid ]; then
	mkdir -p ../var/tools
	work=$(mktemp -d ../var/tools/.blkid.XXXXXX)
	work=$(cd "$work" && pwd)
	# shellcheck disable=SC2016 # the other shell expands these
	sh -euc '. ./apt.sh
		private_apt "$1" "$(dpkg --print-architecture)" bookworm "main contrib non-free"
		sed "s/^deb /deb-src /" "$1/sources.list" >"$1/sources"
		cat "$1/sources" >>"$1/sources.list"
		cd "$1"
		apt-get -qq update >&2
		apt-get -qq source --download-only util-linux >&2
		apt-get -qq download hfsprogs zfs-test zfsutils-linux libzpool5linux libnvpair3linux libuutil3linux libzfs4linux >&2
		mkdir -p kept/zfs kept/hfs
		tar -xJf util-linux_*.orig.tar.xz -C kept --strip-components=4 --wildcards "*/tests/ts/blkid/images-*"
		dpkg-deb -x hfsprogs_*.deb kept/hfs
		for package in zfs*.deb lib*.deb; do dpkg-deb -x "$package" kept/zfs; done
		rm -rf kept/zfs/usr' fetch "$work" &&
		mv "$work/kept" ../var/tools/blkid ||
		echo "flashdex: WARNING: can't fetch the images of blkid, so the tests won't compare with them" >&2
	rm -rf "$work"
fi

# Tests read the data set with the programs that other people use, and check the bill of materials. Without the network
# they are skipped. requirements.txt is made from requirements.in:
#   pip-compile --generate-hashes --strip-extras --no-header --annotation-style line requirements.in
if [ -n "$python" ]; then
	if rm -rf ../var/python && python3 -m venv ../var/python &&
		../var/python/bin/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt; then
		cp requirements.txt ../var/python/.installed
	else
		echo "flashdex: WARNING: can't fetch these packages, so the tests won't read the data set with them" >&2
		rm -rf ../var/python
	fi
fi

# This is a real object store that keeps its objects in a folder, and the program that makes packages. Without the
# network, the tests that need them are skipped.
build() { # build NAME MODULE@VERSION SO
	mkdir -p ../var/tools
	tools=$(cd ../var/tools && pwd)
	if GOBIN=$tools CGO_ENABLED=0 go install "$2"; then
		echo "$2" >"$tools/.$1"
	else
		echo "flashdex: WARNING: can't fetch $1, so the tests won't $3" >&2
	fi
}
[ -z "$store" ] || build versitygw "$versitygw" "publish to an object store"
[ -z "$packager" ] || build nfpm "$nfpm" "make packages"
