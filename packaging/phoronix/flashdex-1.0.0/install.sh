#!/bin/sh
# Finds a Flashdex client and writes flashdex-pts, which the Phoronix Test Suite (PTS) runs. PTS starts this script in
# the directory of the installed test, and sets HOME to that directory.

# PTS shows the user a line of the log that holds "ERROR:" and has at most 144 characters.
fail() {
  printf 'ERROR: %s\n' "$1"
  echo 1 >"$HOME/install-exit-status"
  exit 1
}

site=${FLASHDEX_SITE:-}
if command -v flashdex >/dev/null; then
  set -- flashdex
elif [ -n "$site" ]; then
  case $site in
    https://*) protocols='=https' ;;
    http://*) protocols='=http,https' ;;
    *) fail "FLASHDEX_SITE must begin with https://. Correct it and install again." ;;
  esac
  command -v curl >/dev/null || fail "no curl to fetch the client with. Install curl, or put flashdex on the PATH."
  curl -fsSL --proto "$protocols" --proto-redir "$protocols" --connect-timeout 20 -o run.sh "${site%/}/run.sh" ||
    fail "FLASHDEX_SITE serves no /run.sh. Check the address and the network, and install again."
  set -- sh ./run.sh
else
  fail "no Flashdex client here. Put flashdex on the PATH, or set FLASHDEX_SITE to a site's address, and install again."
fi
# PTS prints the footnote below the results. This also proves that the client runs on this machine.
"$@" version >install-footnote ||
  fail "the Flashdex client does not run here. The lines above say why; correct that and install again."

cat >flashdex-pts <<'EOF'
#!/bin/sh
# flashdex-pts PROFILE DIRECTORY measures the module that DIRECTORY is on. PTS reads the figures from $LOG_FILE, and
# whether the run is valid from test-exit-status.

fail() {
  printf 'ERROR: %.130s\n' "$1" >>"$LOG_FILE"
  echo 1 >"$HOME/test-exit-status"
  exit 1
}

profile=${1:-} directory=${2:-}
case $directory in
  /*) ;;
  *) fail "\"$directory\" is not a whole path. Run again and name a directory on the card, such as /mnt/card." ;;
esac
if command -v flashdex >/dev/null; then
  set -- flashdex
elif [ -f run.sh ]; then
  set -- sh ./run.sh
else
  fail "the Flashdex client is gone. Put flashdex on the PATH, or set FLASHDEX_SITE, and install this test again."
fi

# PTS empties the HOME that it sets when the test is installed again. The results belong into the user's own HOME, where
# flashdex list and flashdex upload look. Without a profile, run.sh would measure with dd if it gets no client, and such
# figures don't compare.
report=$(HOME=${DEBUG_REAL_HOME:-$HOME} "$@" "$directory" --profile "$profile" --no-upload 2>>"$LOG_FILE")
status=$?
# PTS may publish the log, and the place of the result contains the user's name.
printf '\n%s\n\n' "$report" | sed '/^Kept in /d' >>"$LOG_FILE"
if [ "$status" != 0 ]; then
  said=$(sed -n 's/^flashdex[.sh]*: //p' "$LOG_FILE" | tail -n 1)
  fail "${said:-flashdex ended with status $status. Run it by hand on $directory to see why.}"
fi

# The report's table has a head and a row for each test. If that is too wide, it has a line for each cell. Both become
# lines such as "PTS rand-write p99 in ms: 10.4", without the commas between thousands.
printf '%s\n' "$report" | LC_ALL=C awk -F '  +' '
  function say(test, column, cell,    part, value) {
    if (column !~ /^(figure|p99|MAX|WORST SECOND)$/ || split(cell, part, " ") != 2) return
    value = part[1]
    gsub(/,/, "", value)
    if (value !~ /^[0-9.]+$/) return
    # PTS 10.8.4 drops a result that equals another result of the run, even of another figure. A millionth makes it
    # differ, and PTS rounds it away.
    while (value in said) value = sprintf("%.6f", value + 0.000001)
    said[value] = 1
    printf "PTS %s %s in %s: %s\n", test, column, part[2], value
  }
  $1 == "TEST" { split($0, head); head[2] = "figure"; next }
  $1 ~ /^(seq|rand)-(write|read)$/ { for (i = 2; i <= NF; i++) say($1, head[i], $i); next }
  /^(seq|rand)-(write|read) [^ ]+ [^ ]+$/ {
    split($0, word, " ")
    test = word[1]
    say(test, "figure", word[2] " " word[3])
    next
  }
  /^  [^ ]/ && test != "" { at = index($2, ": "); say(test, substr($2, 1, at - 1), substr($2, at + 2)); next }
  { test = "" }
' >>"$LOG_FILE"
grep -q '^PTS ' "$LOG_FILE" || fail "this profile knows no figure in the client's report. Install a newer profile."
echo 0 >"$HOME/test-exit-status"
EOF
chmod +x flashdex-pts
echo 0 >"$HOME/install-exit-status"
