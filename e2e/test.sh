#!/bin/sh
# Runs every test: Go on a real Postgres, with the race detector for code with goroutines, and the whole system in a
# real browser. The last lines list skipped tests and why.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
# These packages start no goroutines, except in tests. The race detector would find little in them, and
# make them up to twenty times as slow. In the server, it watches the code that many requests run at once.
alone='flashdex/(data|docs|packaging|result(/.*)?|client/(transcript|verify)|site'
alone=$alone'|api(/(catalogue|ranking|publish|figure(/.*)?|submission/plausible|dataset/snapshot))?)'
packages=$($go list ./result/... ./data/... ./docs/... ./migrations/... ./packaging/... ./api/... ./client/... ./site/...)
many='^Test(AClassroomIsNotRefused|HalfSentBodiesOfFiveNetworksKeepNobodyOut|RolesShareTheWork)$'
# Nor does a simulation start any.
simulated='^TestSimulated|^TestSlowModulesAreAskedWithinTheirLimits$'
# -count=1 avoids the cache: Go doesn't know which files the tests of site/ and api/publish read through Hugo.
{
	# A failure hides no other one: each part runs, whatever happened in the one before. Names of packages hold no
	# spaces.
	# shellcheck disable=SC2046
	$go test -json -count=1 -timeout 25m -skip "$many" $(echo "$packages" | grep -Ex "$alone") || echo '{"Action":"fail"}'
	# shellcheck disable=SC2046
	$go test -json -race -count=1 -timeout 25m -skip "$simulated" $(echo "$packages" | grep -Evx "$alone") ||
		echo '{"Action":"fail"}'
	$go test -json -count=1 -timeout 25m -run "$simulated" ./client/measure || echo '{"Action":"fail"}'
	$go test -json -race -count=1 -timeout 25m -run "$many" ./api || echo '{"Action":"fail"}'
	# Two packages run at a time, in this order. The site takes longest, so it begins.
	$go test -json -timeout 40m -count=1 ./e2e/site ./e2e/... || echo '{"Action":"fail"}'
} | $go run ./e2e/summary
