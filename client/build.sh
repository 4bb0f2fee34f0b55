#!/bin/sh
# Builds the client for every platform that it is offered for. After each one, SHA256SUMS lists the clients that are in
# OUTDIR, and those still to come, so that a server hands them out meanwhile.
#   client/build.sh OUTDIR [VERSION]
set -eu

out=${1:?"usage: client/build.sh OUTDIR [VERSION]"}
version=${2:-$(git describe --tags --always --dirty 2>/dev/null || echo 0.0.0)}
platforms='amd64 386 armv5 armv6 armv7 arm64 mips mipsle mips64 mips64le ppc64le riscv64 s390x loong64'

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."
cp client/flashdex.sh "$out/"
rm -f "$out"/flashdex-linux-* # of other sources: the page of downloads would show their checksums until its next change

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

# Whoever starts a server tries it on this machine first.
native=$(go env GOARCH) own='' others=''
for platform in $platforms; do
  case $platform in
    "$native" | "$native"v[567]) own="$own $platform" ;;
    *) others="$others $platform" ;;
  esac
done

# Routers often have no floating-point unit. HTTP/2 would be a tenth of the size and is no use for an upload.
# Each client is 5 to 13 % smaller without inlining, which saves a call nanoseconds where a module takes microseconds, and
# with the garbage collector of Go 1.25.
# client/idna takes the place of Go's package for names of hosts in all scripts.
export CGO_ENABLED=0 GOOS=linux GOMIPS=softfloat GOMIPS64=softfloat GOEXPERIMENT=nogreenteagc
overlay=$out/.overlay
{
  replaced=$(go env GOROOT)/src/vendor/golang.org/x/net/idna
  printf '{"Replace": {"%s/flashdex.go": "%s/client/idna/idna.go"' "$replaced" "$PWD"
  for file in "$replaced"/*.go; do printf ', "%s": ""' "$file"; done
  printf '}}\n'
} >"$overlay"
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
  # A router's memory must hold it. MIPS and s390x have the largest code. Go begins each segment at a multiple of 64 KiB;
  # kernels of MIPS have pages of 4 or 16 KiB, so 16 KiB will do. On amd64 each function begins at a multiple of 32 bytes,
  # which would be a seventieth of the size.
  tags='' layout='' limit=7000000 # bytes
  case $platform in
    mips*) tags=,small layout='-R 16384' limit=7100000 ;;
    s390x) tags=,small ;;
    amd64) layout='-funcalign 16' ;;
  esac
  file=$out/flashdex-linux-$platform
  go build -overlay "$overlay" -tags nethttpomithttp2$tags -trimpath -buildvcs=false -gcflags all=-l \
    -ldflags "-s -w $layout -X main.version=$version" -o "$out/.new" ./client
  size=$(wc -c <"$out/.new")
  printf '%2d/%d  %-9s %9d bytes\n' "$number" "$total" "$platform" "$size"
  if [ "$size" -gt "$limit" ]; then
    echo "client/build.sh: $file is larger than $limit bytes" >&2
    exit 1
  fi
  mv "$out/.new" "$file"
  list "$@"
done
# A release has the same bytes, whichever machine makes it.
# shellcheck disable=SC2086 # a list of words
list $platforms
rm "$overlay"
