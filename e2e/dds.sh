#!/bin/sh
# Fetches implementations of dd that are older and newer than this machine's, to test how they treat direct I/O.
# OUTDIR/RELEASE/dd runs the dd of that Debian release. Releases that the machine's mirror doesn't have are left out.
#   e2e/dds.sh OUTDIR
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=e2e/apt.sh
. "$here/apt.sh"

out=${1:?"usage: e2e/dds.sh OUTDIR"}
mkdir -p "$out"
out=$(cd "$out" && pwd)

fetch() { # fetch RELEASE PACKAGE
	[ -d "$out/$1" ] && return
	work=$(mktemp -d "$out/.$1.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	trap 'exit 1' HUP INT TERM
	# A separate shell, because -e has no effect in a condition.
	if sh -euc '. "$1/apt.sh"
		private_apt "$2" "$(dpkg --print-architecture)" "$3"
		# Only with the libraries that it needs.
		apt-get -qq -y install --download-only --no-install-recommends "$4" >&2
		for package in "$2"/cache/archives/*.deb; do dpkg-deb -x "$package" "$2/root"; done' \
		fetch "$here" "$work" "$1" "$2"; then
		cat >"$work/root/dd" <<-'END'
			#!/bin/sh
			# Use the fetched libraries, not the machine's.
			here=${0%/*}
			for loader in "$here"/usr/lib/*/ld-linux*.so.* "$here"/lib/*/ld-linux*.so.*; do
				[ -e "$here/usr/bin/coreutils" ] && [ -e "$loader" ] || continue
				machine=${loader%/*}
				machine=${machine##*/}
				exec "$loader" --argv0 coreutils --library-path "$here/lib/$machine:$here/usr/lib/$machine" \
					"$here/usr/bin/coreutils" dd "$@"
			done
			exec "$here/bin/busybox" dd "$@"
		END
		chmod +x "$work/root/dd"
		mv "$work/root" "$out/$1"
	else
		echo "flashdex: can't fetch $2 of Debian $1; the tests that need it are skipped" >&2
	fi
	rm -rf "$work"
}
fetch bullseye busybox-static # 1.30, whose dd knows no direct I/O
fetch bookworm rust-coreutils # 0.0.17
fetch trixie rust-coreutils   # 0.0.30
fetch sid rust-coreutils      # accepts direct I/O and ignores it
