#!/bin/sh
# Starts the watcher and serves the app's page. When the app is stopped, this script stops a measurement, too, and waits
# until it has ended. Docker's init passes the signal to this script alone.
set -eu

# The app's own folder is on the data partition, and is also measured.
export FLASHDEX_DIR=/data/flashdex FLASHDEX_RUN=/tmp/flashdex FLASHDEX_TOLD=/data/told LANG=C.UTF-8
export FLASHDEX_USER=10001:10001 # has no name, and no rights
# Supervisor writes each option on a line. An address with a quotation mark or a backslash counts as none.
FLASHDEX_SITE=$(sed -n 's/.*"site": *"\([^"\\]*\)".*/\1/p' /data/options.json)
FLASHDEX_HEALTH=$(sed -n 's/.*"health": *true.*/yes/p' /data/options.json)
FLASHDEX_WATCH=$(sed -n 's/.*"watch": *true.*/yes/p' /data/options.json)
FLASHDEX_TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
export FLASHDEX_SITE FLASHDEX_HEALTH FLASHDEX_WATCH FLASHDEX_TOKEN

mkdir -p "$FLASHDEX_DIR" "$FLASHDEX_RUN" "$FLASHDEX_TOLD"
rm -f "$FLASHDEX_RUN/ask" "$FLASHDEX_RUN/asking"
mkfifo "$FLASHDEX_RUN/ask"
touch "$FLASHDEX_RUN/lock" "$FLASHDEX_RUN/said"
chown -R "$FLASHDEX_USER" "$FLASHDEX_DIR" "$FLASHDEX_RUN" # also files from a backup

flashdex-watcher &
watcher=$!
unset SUPERVISOR_TOKEN HASSIO_TOKEN # neither the page nor the client calls Supervisor

httpd -f -p 8099 -u "$FLASHDEX_USER" -c /etc/flashdex-httpd.conf -h /usr/share/flashdex &
httpd=$!
stopped='' status=0
trap 'stopped=yes; kill "$httpd" || :' TERM
wait "$httpd" || status=$?

kill "$watcher" 2>/dev/null || : # so that it starts nothing more
[ ! -s "$FLASHDEX_RUN/pid" ] || kill "$(cat "$FLASHDEX_RUN/pid")" 2>/dev/null || :
flock "$FLASHDEX_RUN/lock" true # the client holds it until it ends
# Supervisor takes any exit code except 0 for a failure.
[ -n "$stopped" ] || exit "$status"
