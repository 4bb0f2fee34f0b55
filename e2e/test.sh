#!/bin/sh
# Every test: Go with the race detector on a real Postgres, and the whole system in a real browser.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
# Not from the cache: the tests of site/ and api/publish read files through Hugo, which Go knows nothing of.
$go test -race -count=1 -timeout 25m ./result/... ./data/... ./docs/... ./migrations/... ./api/... ./client/... ./site/...
$go test -timeout 40m -count=1 ./e2e/...
