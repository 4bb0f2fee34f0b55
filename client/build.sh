#!/bin/sh
# Builds the client for every platform that it is offered for, with their checksums.
#   client/build.sh OUTDIR [VERSION]
set -eu

out=${1:?"usage: client/build.sh OUTDIR [VERSION]"}
version=${2:-$(git describe --tags --always --dirty 2>/dev/null || echo 0.0.0)}
platforms='amd64 386 armv5 armv6 armv7 arm64 mips mipsle mips64 mips64le ppc64le riscv64 s390x loong64'
limit=7300000 # bytes; a router's memory must hold it

mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$(dirname "$0")/.."

# Routers often have no floating-point unit. HTTP/2 would be a tenth of the size and is no use for an upload.
export CGO_ENABLED=0 GOOS=linux GOMIPS=softfloat GOMIPS64=softfloat
# shellcheck disable=SC2086 # the list is one of words
set -- $platforms
total=$#
number=0
for platform; do
  number=$((number + 1))
  case $platform in
    armv*) GOARCH=arm GOARM=${platform#armv} ;;
    *) GOARCH=$platform GOARM= ;;
  esac
  export GOARCH GOARM
  # MIPS and s390x have the largest code, which would exceed the limit. They do without inlining, and MIPS keeps the
  # smaller garbage collector of Go 1.25. Go begins each segment at a multiple of 64 KiB; kernels of 32-bit MIPS have
  # pages of 4 or 16 KiB, so 16 KiB will do.
  # The client itself does without everywhere: a call costs nanoseconds, and a module takes microseconds.
  case $platform in mips* | s390x) inline=all=-l ;; *) inline=flashdex/client/...=-l ;; esac
  case $platform in mips*) GOEXPERIMENT=nogreenteagc ;; *) GOEXPERIMENT='' ;; esac
  case $platform in mips | mipsle) pages='-R 16384' ;; *) pages='' ;; esac
  export GOEXPERIMENT
  file=$out/flashdex-linux-$platform
  go build -tags nethttpomithttp2 -trimpath -buildvcs=false -gcflags "$inline" \
    -ldflags "-s -w $pages -X main.version=$version" -o "$file" ./client
  size=$(wc -c <"$file")
  printf '%2d/%d  %-9s %9d bytes\n' "$number" "$total" "$platform" "$size"
  if [ "$size" -gt "$limit" ]; then
    echo "client/build.sh: $file is larger than $limit bytes" >&2
    exit 1
  fi
done

cd "$out"
sha256sum flashdex-linux-* >SHA256SUMS.tmp
mv SHA256SUMS.tmp SHA256SUMS
