#!/bin/sh
# Packs what `make build` has built for a machine without containers: unpack it at its root. The programs in BIN are for
# GOARCH, as in a go build.
#   api/deploy/dist.sh VERSION [BIN]
set -eu
cd "$(dirname "$0")/../.."
bin=${2:-bin} platform=linux-$(go env GOARCH)
unset GOARCH # what runs here is for this machine

# Everybody would refuse clients that were built after they were signed.
clients=var/clients
if [ -e $clients/flashdex.pub ] && ! go run ./client signed "$(sed -n 2p $clients/flashdex.pub)" \
	$clients/SHA256SUMS $clients/SHA256SUMS.sig; then
	echo "flashdex: the clients have changed since they were signed: make sign" >&2
	exit 1
fi
file=var/dist/flashdex-$1-$platform.tar.gz
tree=var/dist/tree
rm -rf "$tree"
mkdir -p "$tree/usr/lib/flashdex/clients" "$tree/usr/lib/systemd/system" "$tree/usr/share/doc/flashdex"
cp "$bin/api" "$bin/hugo" "$tree/usr/lib/flashdex/"
cp $clients/* "$tree/usr/lib/flashdex/clients/"
git ls-files -z site | xargs -0 cp --parents -t "$tree/usr/lib/flashdex"
cp api/deploy/flashdex.service "$tree/usr/lib/systemd/system/"
cp api/deploy/alerts.yml api/deploy/prometheus.yml api/deploy/dashboard.json docs/operations.md LICENSE CHANGELOG.md \
	"$tree/usr/share/doc/flashdex/"
go run api/deploy/sbom.go "$1" "$bin/api" "$bin/hugo" var/clients/flashdex-linux-* \
	>"$tree/usr/share/doc/flashdex/sbom.cdx.json"
chmod -R u=rwX,go=rX "$tree"
# The same sources give the same bytes: the order, the owners and the times are fixed, and gzip adds no time of its own.
tar --create --directory "$tree" --format ustar --sort name --owner root:0 --group root:0 \
	--mtime "@$(git log -1 --format=%ct)" usr | gzip -n >"$file.new"
mv "$file.new" "$file"
rm -rf "$tree"
echo "flashdex: $file"
