#!/bin/sh
# Fetches a Debian kernel and a static BusyBox for guests. OUTDIR/ARCH gets vmlinuz, busybox, lib/modules and the device
# trees of the Raspberry Pis.
#   e2e/guest/kernels.sh OUTDIR ARCH...     ARCH is amd64, arm64 or armhf
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=e2e/apt.sh
. "$here/../apt.sh"

out=${1:?"usage: e2e/guest/kernels.sh OUTDIR ARCH..."}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)

for arch; do
	[ -d "$out/$arch" ] && continue
	case $arch in
	amd64 | arm64) meta=linux-image-$arch ;;
	armhf) meta=linux-image-armmp ;;
	*) echo "flashdex: kernels.sh knows no kernel for $arch" >&2 && exit 2 ;;
	esac
	work=$(mktemp -d "$out/.$arch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	mkdir "$work/root"
	echo "flashdex: fetching a kernel for $arch guests" >&2
	private_apt "$work" "$arch"
	kernel=$(apt-cache depends "$meta" | awk '/Depends: linux-image/ { print $2; exit }')
	cd "$work"
	apt-get -qq download "$kernel" busybox-static >&2
	for package in *.deb; do dpkg-deb -x "$package" root; done
	# Paths within packages differ between releases.
	mkdir -p kept/lib
	find root -path '*/boot/vmlinuz-*' -exec mv {} kept/vmlinuz \;
	find root -path '*/bin/busybox' -exec mv {} kept/busybox \;
	find root \( -name bcm2836-rpi-2-b.dtb -o -name bcm2837-rpi-3-b.dtb \) -exec mv {} kept/ \;
	find root -path '*/lib/modules' -prune -exec mv {} kept/lib/ \;
	PATH=$PATH:/usr/sbin:/sbin depmod -b kept "$(ls kept/lib/modules)"
	[ -s kept/vmlinuz ] && [ -s kept/busybox ]
	mv kept "$out/$arch"
	cd "$out"
	rm -rf "$work"
done
