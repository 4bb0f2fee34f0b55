#!/bin/sh
# The app's page, a CGI program of BusyBox's httpd; run.sh sets FLASHDEX_*. What it shows of others, the client's output
# included, goes through escape. Of a request, field takes only values of [0-9a-z-], and file_of only ids of results.
set -u
unset HTTP_PROXY # made of a request's header Proxy, and to many programs the address of a proxy

run=$FLASHDEX_RUN said=$FLASHDEX_RUN/said # where the output of the latest measurement by the button is
escape() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g'; }

# field NAME FORM prints a value of a form or query, or nothing.
field() { printf '%s' "$2" | tr '&' '\n' | sed -n "s/^$1=\([0-9a-z-]*\)$/\1/p" | head -n 1; }

# file_of ID prints the path of a kept result, or nothing.
file_of() {
  case $1 in '' | *[!0-9a-f-]*) return ;; esac
  [ ! -f "$FLASHDEX_DIR/$1.json" ] || printf '%s\n' "$FLASHDEX_DIR/$1.json"
}
running() { ! flock -n "$run/lock" true; }

# begin TITLE [HTML] prints the beginning of a page, with HTML in its head.
begin() {
  printf '%s\r\n' 'Content-Type: text/html; charset=utf-8' 'Cache-Control: no-store' \
    "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; form-action 'self'" ''
  cat <<EOF
<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${2:-}
<title>$1</title><style>:root { color-scheme: light dark; font: 1rem/1.5 sans-serif } div { overflow-x: auto }
body { margin: 1rem auto; padding: 0 1rem; max-width: 62rem } button { font: inherit; padding: .3rem 1rem }
pre { overflow: auto; max-height: 32rem; padding: .5rem; border: 1px solid #8888 } th, td { text-align: left }
.bytes { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 12rem } th, td { padding-right: .8rem }</style>
<h1>$1</h1>
EOF
}

# fail STATUS TEXT ends with a page that says what went wrong.
fail() {
  printf 'Status: %s\r\n' "$1"
  begin Flashdex
  printf '<p>%s</p><p><a href="./">Back to the page</a></p>\n' "$2"
  exit
}

# form ACTION LABEL [ID] prints a button. The token shows that whoever presses it has read this page, which a page of
# another origin can't. No header shows that everywhere: browsers leave out Sec-Fetch-Site on plain http.
form() {
  printf '<form method="post" action="./"><input type="hidden" name="token" value="%s">' "$FLASHDEX_TOKEN"
  printf '<input type="hidden" name="id" value="%s">' "${3:-}"
  printf '<button name="action" value="%s">%s</button></form>\n' "$1" "$2"
}

# client ARGUMENT... runs the client and shows what it says.
client() {
  begin Flashdex
  printf '<pre>%s</pre>\n' "$(flashdex --site "$FLASHDEX_SITE" "$@" 2>&1 | escape)"
  echo '<p>Where this names a command, press the button again instead.</p><p><a href="./">Back to the page</a></p>'
}

results() { flashdex list 2>"$run/trouble" | sed 1d | escape; }

# figures ID prints p99 and the longest of the 4K random writes. A result never changes, so they are kept in memory.
figures() {
  [ -s "$run/$1" ] || flashdex show "$FLASHDEX_DIR/$1.json" |
    awk -F '  +' '$1 == "rand-write" { f = $5 "  " $6 } END { print f ? f : "-  -" }' >"$run/$1"
  cat "$run/$1"
}

# table prints the kept results, the newest first, with a bar as long as the rate of 4K random writes.
table() {
  results | while IFS= read -r line; do
    [ -z "$(file_of "${line%% *}")" ] || printf '%s  %s\n' "$(figures "${line%% *}")" "$line"
  done | awk -F '  +' '
    { iops[NR] = $6; gsub(/[^0-9.]/, "", iops[NR]); if (iops[NR] + 0 > most) most = iops[NR] + 0
      state = $8 ~ /^https?:/ ? "<a href=\"" $8 "\" target=\"_blank\" rel=\"noreferrer\">" $9 "</a>" : $9
      start[NR] = "<tr><td><a href=\"?id=" $3 "\">" $4 "</a><td>"
      rest[NR] = "<td>" $6 "<td>" $1 "<td>" $2 "<td>" $5 "<td>" state }
    END { if (NR == 0) { print "<p>There are none yet.</p>"; exit }
      print "<div><table><tr><th>Date (UTC)<th><th>4K random write<th>99 % took at most<th>Longest<th>Module<th>State"
      for (i = NR; i > 0; i--) print start[i] "<meter max=\"" most + 0 "\" value=\"" iops[i] + 0 "\"></meter>" rest[i]
      print "</table></div>" }'
  sed -n 's/^flashdex: /Not shown: /p' "$run/trouble" | escape
}

# result ID shows a result, and offers to upload it or to take it back.
result() {
  file=$(file_of "$1")
  [ -n "$file" ] || fail '404 Not Found' 'There is no such result here.'
  begin Result
  printf '<p><a href="./">Back to the page</a></p><pre>%s</pre>\n' "$(flashdex show --plot "$file" 2>&1 | escape)"
  state=$(results | awk -F '  +' -v id="$1" '$1 == id { print $7 }')
  site=$(printf '%s' "$FLASHDEX_SITE" | escape)
  case ${site:+site}/$state in
    /*) echo '<p>To upload it, enter the address of a Flashdex site under Configuration and restart the app.</p>' ;;
    site/uploaded*)
      echo "<h2>Take it back</h2><p>The button deletes the result from $site for good. The file here stays.</p>"
      form delete 'Delete it from the site' "$1" ;;
    site/deleted*) echo '<p>The result was deleted from the site. The file here stays.</p>' ;;
    *)
      cat <<EOF
<h2>Upload</h2><p>The button sends these $(wc -c <"$file") bytes to $site, and with them a random secret that shows that
the result is yours. The site publishes the result under CC0: everybody may use it for everything. It holds no serial
number, host name, user name, address or path. You can delete it from the site later, on this page.</p>
<pre class="bytes">$(escape <"$file")</pre>
EOF
      form upload 'Upload and publish under CC0' "$1" ;;
  esac
}

# shown FILE WHAT prints a kept answer and when it was given.
shown() {
  [ ! -s "$1" ] || printf '<p>%s on %s (UTC):</p><pre class="bytes">%s</pre>\n' "$2" \
    "$(date -u -r "$1" '+%Y-%m-%d %H:%M')" "$(escape <"$1")"
}

health() {
  cat <<EOF
<h2>Health</h2><p>Some modules tell how worn they are. An eMMC tells it to the kernel when the computer starts. An SD
card is asked by commands that its maker defines. Few cards answer. One is known that vanished from its computer until
the next start, and no card of that kind is asked. If yours vanished, Home Assistant would stop. No such command is
known to change data.</p>
EOF
  shown "$FLASHDEX_TOLD/health" Asked
  form ask 'Ask for health'
}

ageing() {
  echo '<h2>Ageing</h2>'
  case $FLASHDEX_WATCH in
    '') echo '<p>The option <b>Measure once a month</b> under Configuration tells when the module gets slower.</p>' ;;
    *) echo '<p>The app measures once a month, when nothing else uses the module for 10 seconds.</p>' ;;
  esac
  shown "$FLASHDEX_DIR/ageing" 'It said'
}

overview() {
  if [ -e "$run/asking" ]; then
    begin Flashdex '<meta http-equiv="refresh" content="2">'
    echo '<p>Asking the module for its health. The page renews itself.</p>'
    return
  fi
  if running; then
    # No table: the page must not keep the processor busy meanwhile.
    begin Flashdex '<meta http-equiv="refresh" content="10">'
    latest=$(find "$run/watched" -newer "$said" 2>/dev/null)
    echo '<p>Measuring. This takes 2 to 6 minutes. The page renews itself.</p>'
    printf '<pre>%s</pre>\n' "$(escape <"${latest:-$said}")"
    form stop Stop
    return
  fi
  begin Flashdex
  module=$(flashdex 2>/dev/null | sed -n 's/; the system runs from it$//p' | escape)
  cat <<EOF
<p>Home Assistant runs from: ${module:-a disk that is no card, eMMC or USB module; you can measure it, too}.</p>
<p>A measurement writes one file of 256 MiB on that module, beside your running system. It overwrites the file once in
random order, reads it and removes it. It writes 512 MiB at most, and takes 2 to 6 minutes. Meanwhile Home Assistant may
answer slowly. The result stays here. Nothing is sent.</p>
EOF
  form measure 'Measure now'
  [ ! -s "$said" ] || printf '<h2>The latest measurement</h2><pre>%s</pre>\n' "$(escape <"$said")"
  [ -z "$module" ] || health
  ageing
  echo '<h2>Results</h2>'
  table
}

if [ "$REQUEST_METHOD" != POST ]; then
  id=$(field id "$QUERY_STRING")
  if [ -n "$id" ]; then result "$id"; else overview; fi
  exit
fi
sent=$(head -c 400)
[ "$(field token "$sent")" = "$FLASHDEX_TOKEN" ] ||
  fail '403 Forbidden' 'The app was restarted since you opened the page. Nothing was done. Open the page again.'
file=$(file_of "$(field id "$sent")")
action=$(field action "$sent")
case $action in
  measure)
    exec 9>>"$run/lock" # the client inherits it, and so holds the lock until it ends
    if flock -n 9; then
      flashdex --no-upload "$FLASHDEX_DIR" </dev/null >"$said" 2>&1 &
      echo "$!" >"$run/pid"
    fi ;;
  ask)
    : >"$run/asking"
    echo health 1<>"$run/ask" ;; # to the watcher, and without waiting for it
  stop) if running; then kill "$(cat "$run/pid")"; fi ;;
  upload | delete) client --yes "$action" "$file" && exit ;;
  *) fail '400 Bad Request' 'The page does not know this request. Nothing was done.' ;;
esac
printf 'Status: 303 See Other\r\nLocation: ./\r\n\r\n'
