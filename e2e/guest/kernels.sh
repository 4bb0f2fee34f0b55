#!/bin/sh
# Fetches a Debian kernel and a static BusyBox for guests into OUTDIR/ARCH, with apt but without installing anything and
# without touching the machine's own apt. Needs no root.
#   e2e/guest/kernels.sh OUTDIR ARCH...     ARCH is amd64, arm64 or armhf
set -eu

out=${1:?"usage: e2e/guest/kernels.sh OUTDIR ARCH..."}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)

for arch; do
	[ -d "$out/$arch" ] && continue
	case $arch in
	amd64 | arm64) meta=linux-image-$arch ;;
	armhf) meta=linux-image-armmp ;;
	*) echo "kernels.sh: no kernel is known for $arch" >&2 && exit 2 ;;
	esac
	work=$(mktemp -d "$out/.$arch.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root"
	: >"$work/state/status"
	cat >"$work/apt.conf" <<-END
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "";
		Dir::State "$work/state";
		Dir::State::status "$work/state/status";
		Dir::Cache "$work/cache";
	END
	export APT_CONFIG="$work/apt.conf"
	echo "flashdex: fetching a kernel for $arch guests" >&2
	# A list that could not be renewed is no failure: the download below tells.
	apt-get -qq update >&2 || true
	kernel=$(apt-cache depends "$meta" | awk '/Depends: linux-image/ { print $2; exit }')
	cd "$work"
	apt-get -qq download "$kernel" busybox-static >&2
	for package in *.deb; do dpkg-deb -x "$package" root; done
	version=$(ls root/lib/modules)
	PATH=$PATH:/usr/sbin:/sbin depmod -b root "$version"
	ln -s "vmlinuz-$version" root/boot/vmlinuz
	mv root "$out/$arch"
	cd "$out"
	rm -rf "$work"
done
