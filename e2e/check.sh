#!/bin/sh
# What can be said about the code without running it. The argument is the pinned staticcheck.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

unformatted=$(gofmt -l api client data e2e migrations result)
[ -z "$unformatted" ] || { echo "not formatted with gofmt: $unformatted" >&2; exit 1; }
$go mod tidy -diff
$go vet ./...
$go run "$1" ./...
git ls-files '*.sh' .ci/run | xargs shellcheck -s sh
# The published schema must be JSON, and the site must build from its fixture alone, without a warning.
$go test -count=1 -run 'TestValid|TestSchema' ./result/schema >/dev/null
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bin/hugo build --quiet --source site --destination "$out" --noBuildLock --panicOnWarning --printPathWarnings
echo "flashdex: checks passed"
