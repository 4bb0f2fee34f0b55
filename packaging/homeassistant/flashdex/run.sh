#!/bin/sh
# Starts the watcher and serves the app's page. When the app is stopped, it stops a measurement, too, and waits until
# that has ended: Docker's init passes the signal to this script alone.
set -eu

# The app's own folder, which lies on the data partition, is also what is measured.
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
chown -R "$FLASHDEX_USER" "$FLASHDEX_DIR" "$FLASHDEX_RUN" # also what comes back from a backup

flashdex-watcher &
watcher=$!
unset SUPERVISOR_TOKEN HASSIO_TOKEN # neither the page nor the client calls Supervisor

httpd -f -p 8099 -u "$FLASHDEX_USER" -c /etc/flashdex-httpd.conf -h /usr/share/flashdex &
httpd=$!
stopped='' status=0
trap 'stopped=yes; kill "$httpd" || :' TERM
wait "$httpd" || status=$?

kill "$watcher" 2>/dev/null || : # so that it begins nothing more
[ ! -s "$FLASHDEX_RUN/pid" ] || kill "$(cat "$FLASHDEX_RUN/pid")" 2>/dev/null || :
flock "$FLASHDEX_RUN/lock" true # the client has it until it ends
# To Supervisor any other end than 0 is a failure.
[ -n "$stopped" ] || exit "$status"
