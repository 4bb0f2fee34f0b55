#!/bin/sh
# Checks the code without running it. The arguments are the pinned staticcheck and govulncheck.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}

unformatted=$(gofmt -l api client data docs e2e migrations packaging result site)
[ -z "$unformatted" ] || { echo "flashdex: run gofmt -w on $unformatted" >&2; exit 1; }
$go mod tidy -diff
$go vet ./...
$go build -tags small -o /dev/null ./client
$go run "$1" ./...
# Look for known vulnerabilities in the code that we call. Their list comes from vuln.go.dev.
if ! found=$($go run "$2" ./... 2>&1); then
	case $found in
	*'fetching vulnerabilities:'*)
		why=$(echo "$found" | sed -n 's/.*fetching vulnerabilities: //p')
		echo "flashdex: WARNING: didn't check for known vulnerabilities, because their list can't be fetched: $why" >&2
		;;
	*) echo "$found" >&2; exit 1 ;;
	esac
fi
if command -v shellcheck >/dev/null; then
	git ls-files '*.sh' .ci/run ':!packaging' | xargs shellcheck -s sh
	# In packaging/, each project has the shell that it uses.
	git ls-files 'packaging/*.sh' 'packaging/*.bash' 'packaging/*.cgi' packaging/aur/PKGBUILD | xargs shellcheck
else
	echo "flashdex: WARNING: didn't check the shell scripts, because shellcheck is missing" >&2
fi
# The published schema must be JSON, and the site must build from its fixture alone, without a warning.
$go test -count=1 -run 'TestValid|TestSchema' ./result/schema >/dev/null
# Every published figure, promise, price and check must come out of the files of data/ again, by other code.
if ! found=$($go test -count=1 -run Regenerated ./api/dataset ./api/publish 2>&1); then
	echo "$found" >&2
	exit 1
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bin/hugo build --quiet --source site --destination "$out" --noBuildLock --panicOnWarning --printPathWarnings
echo "flashdex: checks passed"
