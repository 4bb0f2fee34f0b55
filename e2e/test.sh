#!/bin/sh
# Every test: Go with the race detector on a real Postgres, and the whole system in a real browser.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
# The race detector needs cgo; the packages that only build without are tested all the same.
$go test -race -timeout 25m ./result/... ./data/... ./migrations/... ./api/... ./client/... ./site/...
$go test -timeout 25m -count=1 ./e2e/...
