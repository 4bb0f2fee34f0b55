#!/bin/sh

[ "$1" = flashdex ] || exit 0

# /proc is on no module, so the program must refuse it with exit code 2.
output=$(flashdex --no-upload /proc 2>&1)
code=$?
echo "$output"
[ "$code" = 2 ] || exit 1

# There is no card here, but what hdparm printed about one can be read.
printf '\n/dev/sda:\n Timing buffered disk reads:  66 MB in  3.05 seconds =  21.61 MB/sec\n' |
	flashdex import --dry-run - | grep 'holds 1 result'
