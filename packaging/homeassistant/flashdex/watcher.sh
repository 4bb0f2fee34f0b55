#!/bin/sh
# Asks the module for its health, measures it once a month, and tells Home Assistant about changes. It works when a line
# comes on $FLASHDEX_RUN/ask: from the page's button, and from itself each hour if an option is on. run.sh starts it as
# root, since the kernel requires that for SD cards. So it writes no file in the folders of the page's user.
#   flashdex-watcher measure   the part that this user does
set -u
token=${SUPERVISOR_TOKEN-} # only this script has this variable, and no program that it starts
unset SUPERVISOR_TOKEN HASSIO_TOKEN
run=$FLASHDEX_RUN told=$FLASHDEX_TOLD

# measure runs flashdex watch like the page, so that the page can show and stop it. It prints changes.
measure() {
  exec 9>>"$run/lock"
  flock -n 9 || exit 5
  flashdex watch --no-upload "$FLASHDEX_DIR" </dev/null >"$run/watched" 2>&1 &
  echo "$!" >"$run/pid"
  wait "$!" && status=0 || status=$?
  words=$(sed -n '/^Change  /p; /^flashdex: /p' "$run/watched")
  [ -z "$words" ] || printf '%s\n' "$words" | tee "$FLASHDEX_DIR/ageing" # on most days nothing is due or said
  exit "$status"
}
[ "${1-}" != measure ] || measure
work=$(mktemp -d)

# post PATH JSON calls Home Assistant. The token goes through a pipe, since other users may read a program's arguments.
# The pipe stays open until the answer is there: Supervisor doesn't answer a sender that has closed its side.
post() (
  rm -f "$work/request"
  mkfifo "$work/request"
  exec 4<>"$work/request"
  {
    printf 'POST /core/api/%s HTTP/1.1\r\nHost: supervisor\r\nConnection: close\r\n' "$1"
    printf 'Authorization: Bearer %s\r\nContent-Type: application/json\r\n' "$token"
    printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$2" | wc -c)" "$2"
  } >&4
  nc -w 30 supervisor 80 <&4 | head -n 1 | grep -q '^HTTP/1.1 20[01] '
)

# tell ID TITLE TEXT keeps a notification until Home Assistant has taken it. A later one with the same ID replaces it.
tell() {
  text=$(printf %s "$3" | tr -d '\000-\037' | sed 's/[\\"]/\\&/g')
  printf '{"notification_id": "flashdex_%s", "title": "%s", "message": "%s"}' "$1" "$2" "$text" >"$told/new"
  mv "$told/new" "$told/$1.untold" # whole, or not at all
}
send() {
  for one in "$told"/*.untold; do
    [ -e "$one" ] || continue
    if post services/persistent_notification/create "$(cat "$one")"; then
      rm "$one"
    else
      echo 'flashdex: Home Assistant did not take a notification. It is kept, and sent again later.' >&2
    fi
  done
}

# sensor shows the used life, for automations. Home Assistant forgets it when it starts, so sensor sends it often.
sensor() {
  used=$(awk '/^flashdex_health_used_ratio{.*bound="at_least"}/ { print 100 * $2 }' "$told/health.prom" 2>/dev/null)
  [ -z "$used" ] || post states/sensor.flashdex_life_used '{"state": "'"$used"'", "attributes": {
    "friendly_name": "Flash module: life used", "unit_of_measurement": "%", "icon": "mdi:sd"}}' ||
    echo 'flashdex: Home Assistant did not take sensor.flashdex_life_used. It is sent again later.' >&2
}

# health asks the module that Home Assistant runs from. Whoever presses the button or switches the option on agrees that
# an SD card is asked (--yes). The client notes in $told that it asks, and a card that vanished is not asked again by
# that. A program that waits for a card for good must not have the lock.
health() {
  disk=$(chpst -u "$FLASHDEX_USER" flashdex 2>/dev/null | sed -n 's/, .*; the system runs from it$//p' | head -n 1)
  if [ -z "$disk" ]; then
    rm -f "$told/health.prom"
    echo 'Home Assistant runs from a disk that is no card, eMMC or USB module.' >"$told/health"
    return
  fi
  exec 9>>"$run/lock"
  flock -n 9 || return # the page measures, and there is another hour
  if words=$(FLASHDEX_DIR=$told flashdex health "/dev/$disk" --yes --prometheus "$told/health.prom" 2>&1 9>&-); then
    stage=$(sed -n 's/^flashdex_health_stage{.*} //p' "$told/health.prom")
  else
    stage=''
    case $words in
      *"doesn't tell its health"*) # else nothing was sent
        ( : <"/dev/$disk" ) 2>/dev/null || words="$words
Home Assistant keeps this app from $disk. The documentation tells how to allow it." ;;
    esac
  fi
  exec 9>&-
  printf '%s\n' "$words" >"$told/health"
  sensor
  [ -n "$stage" ] && [ "$stage" != "$(cat "$told/stage" 2>/dev/null)" ] || return
  said="Home Assistant runs from it, and it says: $(printf '%s\n' "$words" | head -n 1)"
  case $stage in
    1) tell health 'Get another flash module: this one is worn' "$said" ;;
    2) tell health 'Copy your data, and change the flash module: it is worn out' "$said" ;;
  esac
  echo "$stage" >"$told/stage" # the next notification is for another stage
}

watch() {
  words=$(chpst -u "$FLASHDEX_USER" "$0" measure) && status=0 || status=$?
  [ "$status" = 5 ] || : >"$told/watched" # 5: something else used the module; in an hour it may be quiet
  [ "$status" != 4 ] || tell ageing 'The flash module changes' "Home Assistant runs from it: ${words##*flashdex: }"
}

# due FILE reports whether FILE is older than 23 hours or missing.
due() { [ -z "$(find "$1" -mmin -1380 2>/dev/null)" ]; }

hour() {
  if [ -n "$FLASHDEX_HEALTH" ]; then if due "$told/health"; then health; else sensor; fi; fi
  if [ -n "$FLASHDEX_WATCH" ] && due "$told/watched"; then watch; fi
}

exec 3<>"$run/ask" # also for writing, so that reading it never ends
if [ -n "$FLASHDEX_HEALTH$FLASHDEX_WATCH" ]; then
  while :; do
    echo hour >&3
    sleep 3600
  done &
fi
while read -r line <&3; do
  case $line in
    hour) hour ;;
    health) # whoever presses the button agrees again
      rm -f "$told"/*.asked
      health ;;
  esac
  send
  rm -f "$run/asking"
done
