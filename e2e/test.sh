#!/bin/sh
# Runs every test: Go with the race detector on a real Postgres, and the whole system in a real browser. The last lines
# list skipped tests and why.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
# -count=1 avoids the cache: Go doesn't know which files the tests of site/ and api/publish read through Hugo.
{
	$go test -json -race -count=1 -timeout 25m \
		./result/... ./data/... ./docs/... ./migrations/... ./api/... ./client/... ./site/... &&
		$go test -json -timeout 40m -count=1 ./e2e/... || echo '{"Action":"fail"}'
} | $go run ./e2e/summary
