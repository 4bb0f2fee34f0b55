#!/bin/sh
# Builds the client for every platform that we offer. After each platform, SHA256SUMS lists the clients in OUTDIR and
# the clients still to come, so that a server can hand out the finished ones meanwhile.
#   client/build.sh OUTDIR [VERSION]
set -eu

out=${1:?"usage: client/build.sh OUTDIR [VERSION]"}
version=${2:-$(git describe --tags --always --dirty 2>/dev/null || echo 0.0.0)}
platforms='amd64 386 armv5 armv6 armv7 arm64 mips mipsle mips64 mips64le ppc64le riscv64 s390x loong64'

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
cp client/flashdex.sh "$out/"
rm -f "$out"/flashdex-linux-* # from other sources: the downloads page would show their checksums until its next change

# list PLATFORM... writes SHA256SUMS.
list() {
  (
    cd "$out"
    for platform; do
      file=flashdex-linux-$platform
      if [ -e "$file" ]; then sha256sum "$file"; else echo "# to come $file"; fi
    done >.sums
    mv .sums SHA256SUMS
  )
}

# This machine's client comes first, since whoever starts a server tries that one first.
native=$(go env GOARCH) own='' others=''
for platform in $platforms; do
  case $platform in
    "$native" | "$native"v[567]) own="$own $platform" ;;
    *) others="$others $platform" ;;
  esac
done

# Routers often have no floating-point unit. HTTP/2 would be a tenth of the size and is no use for an upload.
# Each client is 5 to 13 % smaller without inlining and with the garbage collector of Go 1.25. Inlining saves a call
# nanoseconds, where a module takes microseconds.
# In all clients, client/idna replaces Go's package for names of hosts in all scripts. In small ones, client/nistec
# replaces the curve P-521.
export CGO_ENABLED=0 GOOS=linux GOMIPS=softfloat GOMIPS64=softfloat GOEXPERIMENT=nogreenteagc
overlay=$out/.overlay
{
  replaced=$(go env GOROOT)/src/vendor/golang.org/x/net/idna
  printf '{"Replace": {"%s/flashdex.go": "%s/client/idna/idna.go"' "$replaced" "$PWD"
  for file in "$replaced"/*.go; do printf ', "%s": ""' "$file"; done
  printf '}}\n'
} >"$overlay"
curve=$(go env GOROOT)/src/crypto/internal/fips140/nistec/p521.go
sed 's|}}$|, "'"$curve"'": "'"$PWD"'/client/nistec/p521.go"}}|' "$overlay" >"$overlay-small"
# shellcheck disable=SC2086 # the lists are of words
set -- $own $others
list "$@"
total=$#
number=0
for platform; do
  number=$((number + 1))
  case $platform in
    armv*) GOARCH=arm GOARM=${platform#armv} ;;
    *) GOARCH=$platform GOARM= ;;
  esac
  export GOARCH GOARM
  # The client must fit into a router's memory. MIPS and s390x have the largest code. Go begins each segment at a
  # multiple of 64 KiB. MIPS kernels have pages of 4 or 16 KiB, so 16 KiB is enough. On amd64, each function begins at a
  # multiple of 32 bytes; that would take a seventieth of the size.
  tags='' layout='' overlaid=$overlay
  case $platform in
    mips*) tags=,small layout='-R 16384' overlaid=$overlay-small ;;
    s390x) tags=,small overlaid=$overlay-small ;;
    amd64) layout='-funcalign 16' ;;
  esac
  file=$out/flashdex-linux-$platform
  go build -overlay "$overlaid" -tags nethttpomithttp2$tags -trimpath -buildvcs=false -gcflags all=-l \
    -ldflags "-s -w $layout -X main.version=$version" -o "$out/.new" ./client
  size=$(wc -c <"$out/.new")
  printf '%2d/%d  %-9s %9d bytes\n' "$number" "$total" "$platform" "$size"
  if [ "$size" -gt 7000000 ]; then
    echo "client/build.sh: $file is larger than 7000000 bytes" >&2
    exit 1
  fi
  mv "$out/.new" "$file"
  list "$@"
done
# A release has the same bytes, whichever machine makes it.
# shellcheck disable=SC2086 # a list of words
list $platforms
rm "$overlay" "$overlay-small"
