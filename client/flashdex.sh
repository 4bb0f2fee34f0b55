#!/bin/sh
# flashdex.sh measures how fast a flash module (SD, microSD, CF, USB, eMMC) really is:
#
#   curl -fsSL SITE/run.sh | sh -s -- /mnt/card
#
# It fetches this platform's Flashdex client from its site, checks the client's signed SHA-256, runs the client with the
# same arguments, and removes it. --help explains the client. Only the last line starts anything, so an incomplete
# download runs nothing.

set -u

SITE='@SITE@'
KEY='@KEY@'

say() { printf 'flashdex.sh: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# elf_byte OFFSET prints 1 or 2, the byte at OFFSET of the shell's program. 4 is the word size, 5 the byte order.
elf_byte() {
  case $(dd if=/bin/sh bs=1 skip="$1" count=1 2>/dev/null) in
    "$(printf '\001')") echo 1 ;;
    "$(printf '\002')") echo 2 ;;
  esac
}

# cpu_has FEATURE succeeds if /proc/cpuinfo lists a feature that begins so.
cpu_has() { grep -q "^[Ff]eatures.*[ :]$1" "${FLASHDEX_CPUINFO:-/proc/cpuinfo}" 2>/dev/null; }

# platform_of MACHINE BITS ENDIAN prints the name of the client, or nothing if there is none. MACHINE is uname -m. BITS
# (32, 64) and ENDIAN (little, big) are the programs': a 64-bit kernel may run 32-bit programs.
platform_of() {
  case $1/$2/$3 in
    x86_64/64/* | amd64/64/*) echo amd64 ;;
    x86_64/32/* | amd64/32/* | i[3-6]86/*) echo 386 ;;
    aarch64/64/little | arm64/64/little) echo arm64 ;;
    # In 32-bit mode a 64-bit processor is an ARMv7 with all features.
    aarch64/32/little | arm64/32/little | armv8*/*/little) echo armv7 ;;
    armv7*/*/little)
      if cpu_has vfpv[34] || cpu_has neon; then echo armv7; else arm_without_vfpv3; fi
      ;;
    armv6*/*/little) arm_without_vfpv3 ;;
    armv5*/*/little) echo armv5 ;;
    mips*/32/big) echo mips ;;
    mips*/32/little) echo mipsle ;;
    mips64*/64/big) echo mips64 ;;
    mips64*/64/little) echo mips64le ;;
    ppc64le/64/* | ppc64/64/little) echo ppc64le ;;
    riscv64/64/*) echo riscv64 ;;
    s390x/64/*) echo s390x ;;
    loongarch64/64/*) echo loong64 ;;
  esac
}

arm_without_vfpv3() { if cpu_has vfp; then echo armv6; else echo armv5; fi; }

platform() {
  bits=''
  endian=''
  case $(elf_byte 4) in 1) bits=32 ;; 2) bits=64 ;; esac
  case $(elf_byte 5) in 1) endian=little ;; 2) endian=big ;; esac
  platform_of "$(uname -m)" "$bits" "$endian"
}

# too_old RELEASE succeeds before Linux 3.2, which Go needs.
too_old() { case $1. in [012].* | 3.[01][!0-9]*) ;; *) return 1 ;; esac }

# choose_fetcher sets only to options that keep curl and GNU wget from a redirect out of https. Other programs called
# wget may check no certificate without telling a script.
choose_fetcher() {
  only=''
  has curl || has wget || fail "the client can't be fetched without curl or wget; install one of them."
  case $SITE in https:*) ;; *) return ;; esac
  if has curl; then
    only='--proto =https --proto-redir =https'
  elif wget --version 2>/dev/null | grep -q '^GNU Wget'; then
    only=--max-redirect=0
  elif [ "${FLASHDEX_UNVERIFIED_TLS:-}" = yes ]; then
    say "this wget may not check that it talks to $SITE; going on, because FLASHDEX_UNVERIFIED_TLS is yes"
  else
    fail "this wget may not check that it talks to $SITE, so nothing was fetched; install curl or GNU wget," \
      "or accept that by FLASHDEX_UNVERIFIED_TLS=yes before sh."
  fi
}

# fetch NAME puts a file of the site's clients into $dir.
# shellcheck disable=SC2086 # $only is some options or none
fetch() {
  if has curl; then
    curl -fsSL $only --connect-timeout 20 -o "$dir/$1" "$SITE/client/$1"
  else
    wget -q $only -O "$dir/$1" "$SITE/client/$1"
  fi
}

# sha256 FILE prints its checksum.
sha256() {
  if has sha256sum; then
    set -- "$(sha256sum <"$1")"
  elif has shasum; then
    set -- "$(shasum -a 256 <"$1")"
  elif has openssl; then
    # SHA2-256(stdin)= 0123...
    set -- "$(openssl dgst -sha256 <"$1")"
    set -- "${1##* }"
  else
    fail "the client can't be checked without sha256sum, shasum or openssl, and it must not run unchecked;" \
      "install one of them."
  fi
  printf '%s\n' "${1%% *}"
}

# ---- Signatures. Keys and signatures have the form of minisign and signify: Ed25519, on the second line of a file.

# choose_verifier sets verifier to the program that checks signatures.
choose_verifier() {
  # Another program is called signify, too, and OpenSSL before 3.0 can't check Ed25519.
  if has minisign; then
    verifier=minisign
  elif has signify-openbsd; then
    verifier=signify-openbsd
  elif has signify && signify 2>&1 </dev/null | grep -q -e '-V .*-m message'; then
    verifier=signify
  elif has openssl && openssl pkeyutl -help 2>&1 | grep -q -e -rawin; then
    verifier=openssl
  else
    verifier=$dir/flashdex
  fi
}

# key_file KEY prints its file.
key_file() { printf 'untrusted comment: Flashdex clients\n%s\n' "$1"; }

# signed_by KEY FILE succeeds if FILE.sig is a signature of FILE by KEY.
signed_by() {
  case $verifier in
    minisign) minisign -V -q -P "$1" -m "$2" -x "$2.sig" ;;
    signify*) key_file "$1" >"$dir/key" && "$verifier" -V -q -p "$dir/key" -m "$2" -x "$2.sig" ;;
    openssl)
      {
        # The beginning of every Ed25519 key in DER.
        printf '\060\052\060\005\006\003\053\145\160\003\041\000'
        printf %s "$1" | openssl base64 -d -A | tail -c 32
      } >"$dir/key"
      sed -n 2p "$2.sig" | openssl base64 -d -A | tail -c 64 >"$dir/raw"
      openssl pkeyutl -verify -pubin -keyform DER -inkey "$dir/key" -rawin -in "$2" -sigfile "$dir/raw"
      ;;
    *) "$verifier" signed "$1" "$2" "$2.sig" ;;
  esac >/dev/null 2>&1
}

# recall sets known_key and known_release to their values when this machine last ran a client of the site.
recall() {
  known=$home/known_sites known_key='' known_release=0
  [ -e "$known" ] || return 0
  lines=$(cat "$known") || fail "$known can't be read, so nobody knows the key of $SITE; no client was run."
  while read -r site by number; do
    [ "$site" != "$SITE" ] || known_key=$by known_release=$number
  done <<EOF
$lines
EOF
}

# check_list ends the script unless the site's key signed the list of clients, and the list isn't older than the last.
# This machine must know the key, or the key that it knows must have signed the new one.
check_list() {
  forget="If its operator says that this is right, remove the lines of $SITE from $known."
  signed_by "$key" "$dir/SHA256SUMS" ||
    fail "the clients of $SITE are not signed by its key, so none was run. Try again; if that doesn't help, tell its" \
      "operator. ($verifier checked against $key)"
  if [ "${known_key:=$key}" != "$key" ]; then
    key_file "$key" >"$dir/flashdex.pub"
    { fetch flashdex.pub.sig && signed_by "$known_key" "$dir/flashdex.pub"; } ||
      fail "the key of $SITE was $known_key and is now $key, which the old one has not signed, so no client was" \
        "run. Somebody may have taken the site over. $forget"
  fi
  # mksh reads 0 where there is no number.
  case /$known_release/$release/ in
    *//* | *[!0-9/]*) false ;;
    *) [ "$known_release" -le "$release" ] ;;
  esac ||
    fail "$SITE offers release $release of the client, but this machine has run release $known_release, so it was" \
      "not run. $forget"
}

# remember records the site's key and release. Lines are only ever added, and the last one of a site counts.
remember() {
  [ "$known_key $known_release" != "$key $release" ] || return 0
  (umask 077 && mkdir -p "$home" && echo "$SITE $key $release" >>"$known") 2>/dev/null ||
    say "the key of $SITE can't be remembered in $known, so a change of it won't be noticed"
}

# private_dir sets dir to a new directory that only this user can enter and where programs can run. Some systems mount
# /tmp with noexec.
private_dir() {
  for parent in "${TMPDIR:-/tmp}" "${XDG_CACHE_HOME:-}" "${HOME:-}" .; do
    [ -d "$parent" ] || continue
    dir=$(umask 077 && mktemp -d "$parent/flashdex.XXXXXX" 2>/dev/null) || { dir='' && continue; }
    chmod 700 "$dir"
    if printf '#!/bin/sh\nexit 0\n' >"$dir/try" && chmod 700 "$dir/try" && "$dir/try"; then return; fi 2>/dev/null
    clean
  done
  fail "there is no directory where a new program can run; set TMPDIR to one."
}

clean() {
  [ -z "$fresh" ] || rm -f "$fresh"
  if [ -n "$dir" ]; then
    rm -f "$dir"/*
    rmdir "$dir"
  fi
  fresh='' dir=''
}

# forward SIGNAL CODE passes a signal to the client, which cleans up. Before the client runs, it ends the script.
# shellcheck disable=SC2317 # the traps call it
forward() {
  signalled=1
  # A variable set after the start would be too late: the signal may come in between.
  if [ -n "$running" ] && [ -n "${!:-}" ]; then
    kill -s "$1" "$!" 2>/dev/null
  else
    trap '' PIPE # nobody may read stderr, either
    say "stopped; nothing was left behind."
    exit "$2"
  fi
}

# run PROGRAM ARGUMENTS... runs the client and sets code to its exit code. It runs it in the background, because a shell
# that waits for a foreground program doesn't run its traps. There it would read /dev/null instead of our input.
run() {
  running=1
  { "$@" <&5 5<&- & } 5<&0
  while :; do
    signalled=''
    wait "$!"
    result=$?
    # 127: the client had ended before the signal came, and the earlier code is right.
    [ "$result" = 127 ] && [ -n "$code" ] || code=$result
    [ -n "$signalled" ] || break
  done
  running=''
}

# ---- Measuring with dd alone.
#
# Arithmetic stays below 2^31, as some shells need. Times are in hundredths of a second, as in /proc/uptime;
# ${cs}0000000 is the same in nanoseconds.

# now sets t without starting a process.
now() {
  read -r t _ </proc/uptime
  t=${t%.*}${t#*.}
  t=${t#0}
}

# sectors sets read_sectors and written_sectors from the kernel's counters of the disk.
sectors() { read -r _ _ read_sectors _ _ _ written_sectors _ <"$disk/stat"; }

# mount_of DIR sets device (major:minor) and kind (file system) of the mount that DIR is on.
mount_of() {
  point=$(df -P "$1" 2>/dev/null | tail -n 1 | sed 's/.*% *//')
  device='' kind=''
  while read -r _ _ number _ where rest; do
    if [ "$where" = "$point" ]; then
      device=$number kind=${rest#* - }
      kind=${kind%% *}
    fi
  done </proc/self/mountinfo
}

# disk_of DEVICE prints the directory of the whole disk in /sys.
disk_of() { (cd -P "/sys/dev/block/$1" 2>/dev/null && { [ ! -e partition ] || cd ..; } && pwd -P); }

# text NAME STRING prints a JSON member, or nothing for an empty string. It drops characters that JSON would escape.
text() {
  # shellcheck disable=SC1003 # the backslash is one of the characters
  set -- "$1" "$(printf %s "$2" | tr -d '\000-\037\177"\\' | cut -c 1-80)"
  [ -z "$2" ] || printf '"%s":"%s",' "$1" "$2"
}

# first FILE prints its first line.
first() { [ ! -r "$1" ] || tr '\000' '\n' <"$1" | head -n 1; }

# chunked TEST DD-OPERANDS... runs one dd for each 8 MiB of the area until $limit, and sets bytes, cs, intervals.
chunked() {
  chunk=0 cs=0 intervals=''
  test=$1
  shift
  while [ "$chunk" -lt "$chunks" ] && { [ "$cs" -lt "$limit" ] || [ "$chunk" -lt 2 ]; }; do
    case $test in
      # New data for each chunk, outside of the timed part.
      seq-write) dd if=/dev/urandom of="$data" bs=1M count=8 2>/dev/null && place=seek ;;
      *) place=skip ;;
    esac
    now
    before=$t
    dd "$@" bs=1M count=8 "$place=$((chunk * 8))" 2>/dev/null ||
      fail "dd failed; is the module full or gone? No result was kept."
    now
    took=$((t > before ? t - before : 1))
    chunk=$((chunk + 1)) cs=$((cs + took))
    intervals="$intervals,{\"ops\":8,\"bytes\":8388608,\"ns\":${took}0000000}"
    printf '\r%-10s %3d %%' "$test" "$((chunk * 100 / chunks))" >&2
  done
  bytes=$((chunk * 8388608))
  echo >&2
}

# overwrite FILE COUNT runs one dd for each of COUNT random writes of 4 KiB, each flushed. 75 is a primitive root of the
# prime 65537, so r takes every block of 256 MiB once.
overwrite() {
  left=$2
  while [ "$left" -gt 0 ]; do
    r=$((r * 75 % 65537))
    [ "$r" -le "$blocks" ] || continue
    # shellcheck disable=SC2086 # $direct is one operand or none
    dd if="$data" of="$1" bs=4096 count=1 skip="$((r % 2048))" seek="$((r - 1))" $direct conv=notrunc,fsync \
      2>/dev/null ||
      fail "a 4K write failed; is the module gone? No result was kept."
    left=$((left - 1))
  done
}

# confirmed BYTES COUNTED ends the script if the disk's counter COUNTED is too low for BYTES.
confirmed() {
  # shellcheck disable=SC2017 # in this order it stays below 2^31
  [ "$2" -ge "$(($1 / 512 / 20 * 19))" ] ||
    fail "no result: the kernel counted only $(($2 / 2)) of $(($1 / 1024)) KiB at the device;" \
      "the rest never left the page cache."
}

# linear TEST SYNC COUNTED adds the JSON of the last linear test to tests.
linear() {
  ended=complete
  [ "$chunk" = "$chunks" ] || ended=time-limit
  tests=$tests$(
    printf '{"name":"%s","block_bytes":1048576,"queue_depth":1,"sync":"%s","direct":%s,"engine":"dd",' \
      "$1" "$2" "$is_direct"
    printf '"area_bytes":%s,"ops":%s,"bytes":%s,"duration_ns":%s0000000,"overhead_ns":0,"device_bytes":%s,' \
      "$area" "$((bytes / 1048576))" "$bytes" "$cs" "$(($3 * 512))"
    printf '"ended":"%s","intervals":[%s]},' "$ended" "${intervals#,}"
  )
}

# timed FILE COUNT overwrites and sets cs, at least 1.
timed() {
  now
  before=$t
  overwrite "$1" "$2"
  now
  cs=$((t > before ? t - before : 1))
}

# by_dd ARGUMENTS... measures the directory in them, and keeps and offers the result.
by_dd() {
  folder='' vendor='' product='' capacity='' form='' yes='' upload=''
  while [ $# -gt 0 ]; do
    case $1 in
      --vendor | --product | --capacity | --form) [ $# -gt 1 ] || fail "$1 needs a value." ;;
    esac
    case $1 in
      --vendor) vendor=$2 && shift ;;
      --product) product=$2 && shift ;;
      --capacity) capacity=$2 && shift ;;
      --form) form=$2 && shift ;;
      --yes) yes=1 ;;
      --upload) upload=1 ;;
      --no-upload) upload=no ;;
      -*) fail "$1 works only with the client." ;;
      *) folder=$1 ;;
    esac
    shift
  done
  [ -d "$folder" ] ||
    fail "without the client, the script can only measure: name a directory on the mounted module, such as /mnt/card."
  case $form in
    '' | sd | microsd | sdexpress | cf | usb | emmc | other) ;;
    *) fail "--form is sd, microsd, sdexpress, cf, usb, emmc or other." ;;
  esac
  capacity=${capacity%%[ GgBb]*}
  case $capacity in *[!0-9.]*) fail "--capacity is in GB here, such as 32." ;; esac
  mount_of /
  system=$(disk_of "$device")
  mount_of "$folder"
  disk=$(disk_of "$device") filesystem=$kind
  [ -r "$disk/stat" ] ||
    fail "$folder is not on a block device (its file system is ${kind:-unknown});" \
      "name a directory on the mounted module."
  case $kind in
    btrfs | zfs | bcachefs | fuse*)
      fail "$folder is on $kind, which does not write in place, so its figures would not be the module's."
      ;;
  esac
  # shellcheck disable=SC2046 # the fourth word is the free space
  set -- $(df -Pk "$folder" | tail -n 1)
  [ "$4" -gt 270000 ] || fail "$folder has no 264 MiB free; nothing was written."
  (umask 077 && mkdir -p "$home" && try=$(mktemp "$home/.try.XXXXXX") && rm "$try") 2>/dev/null ||
    fail "no result can be kept in $home; set FLASHDEX_DIR to another directory."
  measure
  keep_result
  offer
}

# measure sets tests, the JSON of all tests, and prints the figures.
measure() {
  memory=/dev/shm
  [ -d "$memory" ] && [ -w "$memory" ] || memory=${TMPDIR:-/tmp}
  read -r id </proc/sys/kernel/random/uuid
  # As in the client, a test file loses its name at once, so nothing leaves it behind, not even kill -9. set -C opens
  # nothing that was there before, not even through a symbolic link.
  umask 077
  set -C
  fresh=$folder/.flashdex-$id.tmp
  { command exec 3>"$fresh" && rm "$fresh"; } 2>/dev/null || fail "$folder can't be written to; nothing was written."
  fresh=$memory/flashdex-$id.tmp
  { command exec 4>"$fresh" && rm "$fresh"; } 2>/dev/null || fail "$memory can't be written to; nothing was written."
  set +C
  fresh='' target=/proc/$$/fd/3 data=/proc/$$/fd/4
  say "measuring with dd alone, at most 4 minutes; it writes 256 MiB into a file in $folder," \
    "then 4 KiB at a time for a minute, and removes it"
  dd if=/dev/urandom of="$data" bs=1M count=8 2>/dev/null
  direct=oflag=direct is_direct=true tests='' linear_read='' ceiling='' shown=''
  dd if="$data" of="$target" bs=4096 count=1 conv=notrunc,fsync 2>/dev/null
  sectors
  from=$written_sectors
  # Some dd ignore the flag; then the disk has received nothing yet.
  dd if="$data" of="$target" bs=4096 count=1 oflag=direct conv=notrunc 2>/dev/null && sectors
  [ "$((written_sectors - from))" -ge 8 ] || { direct='' is_direct=false; }

  chunks=32 limit=9000
  sectors
  from=$written_sectors
  # shellcheck disable=SC2086 # $direct is one operand or none
  chunked seq-write if="$data" of="$target" $direct conv=notrunc,fsync
  sectors
  confirmed "$bytes" "$((written_sectors - from))"
  area=$bytes blocks=$((bytes / 4096))
  linear seq-write fsync "$((written_sectors - from))"
  linear_write=$((bytes / 1000 / cs)) chunks=$chunk

  # The ceiling: the same loop in memory, where a write takes no time.
  r=$(($$ % 65536 + 1))
  mount_of "$memory"
  if [ "$kind" = tmpfs ]; then
    past_cache=$direct direct='' # older kernels refuse direct I/O in memory
    timed "$data" 100
    direct=$past_cache
    ceiling=$((10000 / cs))
    shown="; in memory this loop does $ceiling a second here, the most that it can measure"
  fi

  sectors
  from=$written_sectors
  timed "$target" 20
  warm=$cs whole=0 batch=0 ops=0 batches='' intervals=",{\"ops\":20,\"bytes\":81920,\"ns\":${cs}0000000}"
  each=20
  while [ "$batch" -lt 20 ]; do
    # Each batch should take three seconds, judging by the last one.
    each=$((each * 300 / cs))
    [ "$each" -ge 4 ] || each=4
    [ "$each" -le "$((blocks / 21))" ] || each=$((blocks / 21))
    timed "$target" "$each"
    batch=$((batch + 1)) whole=$((whole + cs)) ops=$((ops + each))
    batches="$batches,{\"ops\":$each,\"ns\":${cs}0000000}"
    intervals="$intervals,{\"ops\":$each,\"bytes\":$((each * 4096)),\"ns\":${cs}0000000}"
    printf '\r%-10s %3d %%' rand-write "$((batch * 5))" >&2
  done
  echo >&2
  sectors
  confirmed "$(((ops + 20) * 4096))" "$((written_sectors - from))"
  tests=$tests$(
    printf '{"name":"rand-write","block_bytes":4096,"queue_depth":1,"sync":"fsync","direct":%s,"engine":"dd",' \
      "$is_direct"
    printf '"area_bytes":%s,"ops":%s,"bytes":%s,"duration_ns":%s0000000,' "$area" "$ops" "$((ops * 4096))" "$whole"
    printf '"warmup_ops":20,"warmup_ns":%s0000000,"overhead_ns":0,"device_bytes":%s,"ended":"time-limit",' \
      "$warm" "$(((written_sectors - from) * 512))"
    [ -z "$ceiling" ] || printf '"ceiling_iops":%s,' "$ceiling"
    printf '"intervals":[%s],"batches":[%s]},' "${intervals#,}" "${batches#,}"
  )
  iops=$((ops * 1000 / whole))

  if [ -n "$direct" ] && dd if="$target" of=/dev/null bs=4096 count=1 iflag=direct 2>/dev/null; then
    limit=3000
    sectors
    from=$read_sectors
    chunked seq-read if="$target" of=/dev/null iflag=direct
    sectors
    confirmed "$bytes" "$((read_sectors - from))"
    linear seq-read none "$((read_sectors - from))"
    linear_read=$((bytes / 1000 / cs))
  fi
  printf '\nlinear write     %6s MB/s\n' "$((linear_write / 10)).$((linear_write % 10))"
  printf '4K random write  %6s IOPS%s\n' "$((iops / 10)).$((iops % 10))" "$shown"
  [ -z "$linear_read" ] || printf 'linear read      %6s MB/s\n' "$((linear_read / 10)).$((linear_read % 10))"
  printf 'A 5400 rpm laptop disk does 90 IOPS. The site shows results by dd alone, but does not rank them.\n\n'
}

# bus prints the disk's bus, as the result document names it.
bus() {
  case $disk in
    */mmcblk*) if [ "$(first "$disk/device/type")" = MMC ]; then echo mmc; else echo sd; fi ;;
    */usb*) echo usb ;;
    */ata*) echo ata ;;
    */loop*) echo loop ;;
    */vd*) echo virtio ;;
    */nvme*) echo nvme ;;
    */sd*) echo scsi ;;
    *) echo other ;;
  esac
}

# keep_result writes the result document to the directory where the client keeps its own.
keep_result() {
  kept=$home/$id.json
  root_disk=false spoilers=''
  [ "$disk" != "$system" ] || { root_disk=true && spoilers='"root-disk"'; }
  removable=false
  [ "$(first "$disk/removable")" != 1 ] || removable=true
  module=$(
    text vendor "$vendor" && text product "$product" && text form "$form"
    [ -z "$capacity" ] || printf '"capacity_gb":%s,' "$capacity"
  )
  # shellcheck disable=SC2003 # unlike some shells, expr can count the bytes of a disk and of the memory
  (umask 077 && cat >"$kept.tmp" && mv "$kept.tmp" "$kept" && sync) <<EOF || fail "the result can't be kept in $home."
{"schema_version":1,"id":"$id","client":{"name":"flashdex.sh","version":"1","platform":"linux/sh"},
"method":"dd-1","profile":"standard","started_at":"$(date -u +%Y-%m-%dT%H:%M:%SZ)","module":{${module%,}},
"identity":{"bus":"$(bus)","size_bytes":$(expr "$(first "$disk/size")" \* 512),"removable":$removable},
"host":{$(text board "$(first /proc/device-tree/model)")"arch":"$(uname -m)",
"kernel":"$(uname -r | tr -cd '0-9A-Za-z.+_~-' | cut -c 1-64)","cpus":$(grep -c ^processor /proc/cpuinfo),
"memory_bytes":$(expr "$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)" \* 1024)},
"target":{"kind":"directory","filesystem":"$filesystem","root_disk":$root_disk},
"tests":[${tests%,}],"spoilers":[$spoilers]}
EOF
  say "kept in $kept"
}

# offer uploads the result if the user agrees.
offer() {
  later="upload it later, from this or another machine: flashdex upload --site ${SITE:-URL} $kept"
  if [ "$upload" = no ] || [ -z "$SITE" ]; then
    say "not uploaded; $later"
    return
  fi
  if [ -z "$upload" ] || [ -z "$yes" ]; then
    { : </dev/tty; } 2>/dev/null || { say "not uploaded: there is no terminal to ask on; $later" && return; }
    printf 'Upload and publish this result under CC0? It contains no serial number, name or address. [y/N] ' >/dev/tty
    read -r answer </dev/tty
    case $answer in y | Y | yes) ;; *) say "not uploaded; $later" && return ;; esac
  fi
  has curl || { say "not uploaded: only curl can send it; $later" && code=3 && return; }
  [ -s "$home/secret" ] || (umask 077 && od -An -N32 -tx1 /dev/urandom | tr -d ' \n' >"$home/secret")
  # The secret goes through a pipe, since every user can read a program's arguments.
  if printf 'header = "Authorization: Bearer %s"\n' "$(first "$home/secret")" |
    curl -sS -K - --fail-with-body --retry 3 -X PUT -H 'Content-Type: application/json' --data-binary "@$kept" \
      "$SITE/v1/results/$id" >"$data"; then
    say "uploaded: $SITE/r/$id"
  else
    tr -d '\000-\010\013-\037\177' <"$data" >&2
    echo >&2
    code=3
    say "not uploaded; $later"
  fi
}

# read_list fetches the list of clients. It sets the checksum expected of $file, coming if the site still builds it, and
# release.
read_list() {
  fetch SHA256SUMS || {
    say "the list of clients can't be fetched from $SITE/client/SHA256SUMS; is the network up?"
    return 1
  }
  expected='' coming='' release=0
  while read -r sum listed; do
    case "$sum $listed" in
      "# to come $file") coming=1 ;;
      "# release "*) release=${listed#release } ;;
      *" $file" | *" *$file") expected=$sum ;;
    esac
  done <"$dir/SHA256SUMS"
}

# fetch_client puts the checked client into a directory of its own. It fails if there is none, and ends the script if
# the client or its signature is wrong.
fetch_client() {
  private_dir
  choose_fetcher
  file=flashdex-linux-$name
  say "fetching the client for $name from $SITE"
  read_list || return 1
  [ -z "$coming" ] || say "$SITE still builds this client; waiting for it, ten minutes at most"
  tries=300
  while [ -n "$coming" ] && [ "$tries" -gt 0 ]; do
    tries=$((tries - 1))
    sleep 2
    read_list || return 1
  done
  recall
  key=${KEY:-$known_key} verifier=''
  if [ -z "$key" ]; then
    say "$SITE does not sign its clients, so only the checksum can be checked"
  else
    choose_verifier
    fetch SHA256SUMS.sig ||
      fail "the clients' signature can't be fetched from $SITE/client/SHA256SUMS.sig, so none was run. Try again."
    [ "$verifier" = "$dir/flashdex" ] || check_list
  fi
  [ -n "$expected" ] || {
    say "$SITE has no client for this machine ($name)"
    return 1
  }
  fetch "$file" || {
    say "the client can't be fetched from $SITE/client/$file"
    return 1
  }
  mv "$dir/$file" "$dir/flashdex"
  found=$(sha256 "$dir/flashdex") || exit 1
  [ "$found" = "$expected" ] ||
    fail "the downloaded client is not the one that $SITE lists (SHA-256 $found instead of $expected);" \
      "it was not run. Try again."
  chmod 700 "$dir/flashdex"
  if [ "$verifier" = "$dir/flashdex" ]; then
    say "without minisign, signify or OpenSSL 3 the client checks its own signature, which shows damage, but not a lie"
    check_list
  fi
  [ -z "$key" ] || remember
}

main() {
  case $SITE in '@'*) SITE='' ;; esac
  case $KEY in '@'*) KEY='' ;; esac
  SITE=${FLASHDEX_SITE:-$SITE}
  SITE=${SITE%/}
  home=${FLASHDEX_DIR:-${XDG_DATA_HOME:-${HOME:-.}/.local/share}/flashdex}

  dir='' running='' code='' fresh=''
  [ "$(uname -s)" = Linux ] || fail "the client runs only on Linux, and this is $(uname -s)."
  case $SITE in '' | https://* | http://*) ;; *) fail "the site's address must begin with https://: $SITE" ;; esac
  trap clean EXIT
  trap 'forward HUP 129' HUP
  trap 'forward INT 130' INT
  trap 'forward TERM 143' TERM
  trap 'forward TERM 141' PIPE
  name=$(platform)
  if [ -z "$name" ] || too_old "$(uname -r)"; then
    say "there is no client for this machine ($(uname -m), Linux $(uname -r))"
  elif [ -z "$SITE" ]; then
    say "this copy of the script doesn't know its site, so it can't fetch the client;" \
      "set FLASHDEX_SITE to the address, such as https://example.org"
  elif fetch_client; then
    run "$dir/flashdex" --site "$SITE" "$@"
    clean
    exit "$code"
  fi
  code=0
  by_dd "$@"
  clean
  exit "$code"
}

{ main "$@"; }
