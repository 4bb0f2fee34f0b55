#!/bin/sh
# Makes a release of what `make dist` has built in this commit. Two runs for one commit make the same bytes.
#   packaging/release.sh OUTDIR               everything, by the Makefile's variables VERSION, KEY, OLD_KEY, RELEASE
#                                             and SERVER_PLATFORMS
#   packaging/release.sh OUTDIR PLATFORM...   only packages and images for these platforms; the server's only for
#                                             platforms in SERVER_PLATFORMS, too
set -eu
umask 022
export LC_ALL=C CGO_ENABLED=0
out=${1:?"usage: packaging/release.sh OUTDIR [PLATFORM...]"}
shift
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/.."
fail() { echo "flashdex: $1; $out is as it was. $2" >&2 && exit 1; }

# Without a tag, the version holds the number of the commit, so that a package manager sees which one is newer. Each
# format has its own way to say "after 0.0.0". Alpine's has no place for the hash, but the program prints it.
commits=$(git rev-list --count HEAD) hash=$(git rev-parse --short=8 HEAD)
tag=$(git tag --points-at HEAD | grep -E '^v[0-9]+\.[0-9]+\.[0-9]+$' | tail -n 1)
number=${tag#v}
deb_version=${number:-0.0.0+git$commits.$hash} # opkg compares as dpkg does
rpm_version=${number:-0.0.0^git$commits.$hash}
apk_version=${number:-0.0.0_git$commits}-r0
[ -n "$tag" ] || [ "$(git rev-parse --is-shallow-repository)" = false ] ||
	fail "this checkout has no complete history to count commits in" "Run git fetch --unshallow, or tag the commit."
[ ! -e "$out" ] || [ -e "$out/SHA256SUMS" ] || fail "this folder holds something else than a release" "Name another."
if [ $# = 0 ]; then
	git diff --quiet HEAD || fail "some files differ from the commit, from which others couldn't make this release again" \
		"Commit or stash the changes, and try again."
	changes=$(awk -v section="${number:-Unreleased}" '/^## / { on = $2 == section } on' CHANGELOG.md)
	[ "$changes" ] || fail "CHANGELOG.md has no section \"## $number\"" "Write it, and tag that commit."
fi

nfpm=$(sed -n 's/^NFPM *:= //p' Makefile)
if [ "$(cat var/tools/.nfpm 2>/dev/null)" != "$nfpm" ]; then
	GOBIN=$PWD/var/tools go install "$nfpm" ||
		fail "nfpm, which makes the packages, can't be fetched" "Connect to the network, and try again."
	echo "$nfpm" >var/tools/.nfpm
fi

command -v buildah >/dev/null || fail "buildah, which makes the images, is not installed" "Install it, and try again."

new=$out.new work=$(mktemp -d)
trap 'rm -rf "$work" "$new"' EXIT
rm -rf "$new" && mkdir -p "$new"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) && export SOURCE_DATE_EPOCH

# notices FOLDER PACKAGE prints our licence and the licences of all linked code, which ask for this.
notices() {
	cat LICENSE
	printf '\nParts are of Go:\n\n'
	cat "$(go env GOROOT)/LICENSE"
	(cd "$1" && go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' "$2") | sort -u |
		while read -r module dir; do
			printf '\nParts are of %s:\n\n' "$module"
			find "$dir" -maxdepth 1 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' -o -iname 'notice*' \) |
				sort | xargs cat
		done
}
notices . ./client >"$work/notices"

# The folders deb, rpm, apk, ipk and server of $work hold what a package installs. The folders client and server also
# hold the images.
for tree in deb/vendor-completions rpm/site-functions apk/site-functions; do
	share=$work/${tree%/*}/usr/share
	install -D -m 644 packaging/completions/flashdex.bash "$share/bash-completion/completions/flashdex"
	install -D -m 644 packaging/completions/_flashdex "$share/zsh/${tree#*/}/_flashdex"
	install -D -m 644 packaging/completions/flashdex.fish "$share/fish/vendor_completions.d/flashdex.fish"
	install -D -m 644 "$work/notices" "$share/doc/flashdex/copyright"
	mkdir -p "$share/man/man1"
	gzip -9n <packaging/flashdex.1 >"$share/man/man1/flashdex.1.gz"
	install -D -m 644 packaging/watch/watch.cron "$share/doc/flashdex/watch.cron"
done
# Alpine has no systemd. Nothing enables the timers.
for tree in deb rpm; do
	for unit in packaging/*/flashdex-*@.service packaging/*/flashdex-*@.timer; do
		install -D -m 644 "$unit" "$work/$tree/usr/lib/systemd/system/${unit##*/}"
	done
done
# An upgrade of OpenWrt keeps the results, and the secret with which their owner can delete them from the site.
mkdir -p "$work/ipk/lib/upgrade/keep.d"
echo /root/.local/share/flashdex/ >"$work/ipk/lib/upgrade/keep.d/flashdex"

# pack FORMAT TREE VERSION ARCH
pack() {
	[ "$4" != - ] || return 0
	name=flashdex summary='measures how fast flash modules (SD, microSD, CF, USB, eMMC) really are'
	[ "$2" != server ] || name=flashdex-server summary='serves an index of how fast flash modules really are'
	find "$work/$2" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
	TREE=$work/$2 NAME=$name SUMMARY=$summary PACKAGE=$3 ARCH=$4 \
		var/tools/nfpm package --config packaging/nfpm.yaml --packager "$1" --target "$new" >/dev/null ||
		fail "nfpm couldn't make a .$1" "It has said why."
}

storage() {
	buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@" >"$work/said" 2>&1 || {
		cat "$work/said" >&2
		fail "buildah couldn't make the image" "It has said why."
	}
}
# image client|server PLATFORM adds a platform. An image for several is a list, in the order in which they were added.
image() {
	[ "$2" != - ] || return 0
	cp /etc/ssl/certs/ca-certificates.crt "$work/$1/" ||
		fail "the image needs the certificate authorities of this machine" "Install ca-certificates, and try again."
	storage build --isolation chroot --identity-label=false --timestamp "$SOURCE_DATE_EPOCH" \
		--platform "linux/$2" --manifest "$1" --file "packaging/docker/$1.Dockerfile" "$work/$1"
}
# archive client|server NAME packs all its platforms.
archive() {
	storage manifest push --all "$1" "oci:$work/layout-$1:$2"
	tar --create --directory "$work/layout-$1" --format ustar --sort name --owner root:0 --group root:0 \
		--mode u=rwX,go=rX --mtime "@$SOURCE_DATE_EPOCH" --file "$new/$2_$deb_version.oci.tar" .
}
mkdir "$work/client"
cp "$work/notices" "$work/client/"

# server PLATFORM DEB RPM OCI makes packages from the tarball of make dist, and adds it to the image.
server() {
	dist=flashdex-$VERSION-linux-$1 tree=$work/server
	rm -rf "$tree"
	mkdir -p "$tree/usr/share/doc/flashdex-server" "$tree/empty" "$tree/root/var/lib" "$tree/root/tmp"
	chmod 1777 "$tree/root/tmp"
	tar -xzf "var/dist/$dist.tar.gz" -C "$tree"
	cp "var/dist/$dist.tar.gz" "$new/"
	cp "$tree/usr/share/doc/flashdex/sbom.cdx.json" "$new/$dist.cdx.json"
	(export GOARCH="$1" && notices . ./api && notices site/hugo github.com/gohugoio/hugo) \
		>"$tree/usr/share/doc/flashdex-server/copyright"
	pack deb server "$deb_version" "$2"
	pack rpm server "$rpm_version" "$3"
	image server "$4"
}

# Each platform as Debian, RPM, Alpine, OCI and OpenWrt 24.10 call it, or "-". OpenWrt has a name for each processor.
# Debian's armhf is our ARMv6, because Raspberry Pi OS also runs it on an ARMv6. There is no client for OpenWrt's
# arm_fa526 (an ARMv4) and i386_pentium-mmx (without SSE2).
while read -r platform deb rpm apk oci ipk; do
	case " $* " in "  " | *" $platform "*) ;; *) continue ;; esac
	for tree in deb rpm apk ipk; do
		install -D -m 755 "var/clients/flashdex-linux-$platform" "$work/$tree/usr/bin/flashdex"
	done
	pack deb deb "$deb_version" "$deb"
	pack rpm rpm "$rpm_version" "$rpm"
	pack apk apk "$apk_version" "$apk"
	for arch in $ipk; do pack ipk ipk "$deb_version" "$arch"; done
	cp "var/clients/flashdex-linux-$platform" "$work/client/"
	image client "$oci"
	case " ${SERVER_PLATFORMS-} " in *" $platform "*) server "$platform" "$deb" "$rpm" "$oci" ;; esac
done <<END
amd64    amd64    x86_64      x86_64      amd64    x86_64
386      i386     i386        x86         386      i386_pentium4
armv5    armel    armv5tel    -           arm/v5   arm_arm926ej-s arm_cortex-a7 arm_cortex-a9 arm_xscale
armv6    armhf    armv6hl     armhf       arm/v6   arm_arm1176jzf-s_vfp
armv7    -        armv7hl     armv7       arm/v7   arm_cortex-a5_vfpv4 arm_cortex-a7_neon-vfpv4 arm_cortex-a7_vfpv4 \
                                                   arm_cortex-a8_vfpv3 arm_cortex-a9_neon arm_cortex-a9_vfpv3-d16 \
                                                   arm_cortex-a15_neon-vfpv4
arm64    arm64    aarch64     aarch64     arm64    aarch64_cortex-a53 aarch64_cortex-a72 aarch64_cortex-a76 \
                                                   aarch64_generic
mips     mips     mips        -           -        mips_24kc mips_4kec mips_mips32
mipsle   mipsel   mipsel      -           -        mipsel_24kc mipsel_24kc_24kf mipsel_74kc mipsel_mips32
mips64   mips64   mips64      -           -        mips64_octeonplus
mips64le mips64el mips64el    -           mips64le -
ppc64le  ppc64el  ppc64le     ppc64le     ppc64le  -
riscv64  riscv64  riscv64     riscv64     riscv64  riscv64_riscv64
s390x    s390x    s390x       s390x       s390x    -
loong64  loong64  loongarch64 loongarch64 loong64  loongarch64_generic
END

archive client flashdex
[ ! -e "$work/server" ] || archive server flashdex-server
signed=''
if [ $# = 0 ]; then
	cp var/clients/flashdex-linux-* client/flashdex.sh "$new/"
	echo "$changes" >"$new/CHANGELOG"
	signed='It is not signed: make release KEY=FILE signs it. docs/operations.md tells how to make a key.'
fi
(cd "$new" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS)
if [ $# = 0 ] && [ "${KEY-}" ]; then
	go run ./client/sign -key "$KEY" -old-key "${OLD_KEY-}" -release "${RELEASE-}" "$new" >/dev/null
	signed="It is signed with the key $(sed -n 2p "$new/flashdex.pub")."
fi
rm -rf "$out"
mv "$new" "$out"
echo "flashdex: $out has $(grep -c '^[0-9a-f]\{64\} ' "$out/SHA256SUMS") files and their sums. $signed"
