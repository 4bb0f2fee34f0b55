#!/bin/sh
#NAME=SD Card Random Write Test
#DESC=Measures 4K random writes with Flashdex, each on the card before the next.\n\nTakes a minute and uploads nothing.

# There is no public site yet: this line is the only place of its address.
FLASHDEX_SITE=https://flashdex.example

if ! command -v flashdex >/dev/null ; then
    echo "flashdex is not installed - FAIL"
    echo "Install it from $FLASHDEX_SITE/test/ and run this test again"
    exit 1
fi

# /var/tmp is on the card; /tmp may be in memory.
# Results of the quick profile are not ranked, so there is nothing to upload.
if ! RES=$(flashdex --profile quick --no-upload /var/tmp) ; then
    echo "The card was not measured, for the reason above - FAIL"
    exit 1
fi
echo "$RES"

# check TEST NAME UNIT TARGET compares a figure of the table, such as "rand-write  2,345 IOPS", with a target
pass=0
check() {
    echo "$RES" | awk -v test="$1" -v name="$2" -v unit="$3" -v target="$4" '
        $1 == test && !found {
            found = 1
            gsub(",", "", $2)
            passed = ($2 + 0 >= target + 0)
            printf "%s %s %s (target %s) - %s\n", name, $2, unit, target, passed ? "PASS" : "FAIL"
        }
        END {
            if (!found) print name " was not measured - FAIL"
            exit !passed
        }' || pass=1
}

check seq-write "Sequential write speed" MB/s 10
check rand-write "Random write speed" IOPS 500
check rand-read "Random read speed" IOPS 1500
echo "These are the targets of class A1, which is measured without a sync of each write:"
echo "a card can keep what the class promises and fail here"
exit $pass
