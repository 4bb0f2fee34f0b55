#!/bin/sh
# Runs every fuzz target for the given time, such as 30s. Go keeps a failing input in the package's testdata/fuzz:
# commit it with the fix.
set -eu
cd "$(dirname "$0")/.."
go=${GO:-go}
for package in $(git ls-files '*_test.go' | xargs grep -l '^func Fuzz' | xargs -n 1 dirname | sort -u); do
	for target in $($go test -list '^Fuzz' "./$package" | grep '^Fuzz'); do
		echo "flashdex: fuzzing $target of $package for $1"
		# Limit minimizing, since it takes longer than finding. Go 1.26 sometimes mistakes the end of the time for a
		# failure (go.dev/issue/75804, fixed in 1.27). Then it has found nothing, since it always names a failing input.
		said=$($go test -run '^$' -fuzz "^$target\$" -fuzztime "$1" -fuzzminimizetime 100x "./$package" 2>&1) ||
			{ echo "$said" | grep -qx '    context deadline exceeded' && ! echo "$said" | grep -q 'Failing input'; } ||
			{ echo "$said" >&2; exit 1; }
		echo "$said" | grep 'execs:' | tail -n 1
	done
done
