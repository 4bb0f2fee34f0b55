#!/bin/sh
# flashdex.sh measures how a flash module (SD, microSD, CF, USB, eMMC) really performs:
#
#   curl -fsSL SITE/run.sh | sh -s -- /mnt/card
#
# It fetches the Flashdex client for this platform from the site that served it, checks its SHA-256, runs it with the
# arguments given here, and removes it again. --help explains the client. The last line of this file is the only one
# that does something, and it does nothing until it is whole, so that a download that broke off runs nothing.

set -u

SITE='@SITE@'

say() { printf 'flashdex.sh: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# elf_byte OFFSET: is the byte at OFFSET of the shell's own program 1 or 2? 4 holds the word size, 5 the byte order.
elf_byte() {
  case $(dd if=/bin/sh bs=1 skip="$1" count=1 2>/dev/null) in
    "$(printf '\001')") echo 1 ;;
    "$(printf '\002')") echo 2 ;;
  esac
}

# cpu_has FEATURE: does /proc/cpuinfo list a feature that begins so?
cpu_has() { grep -q "^[Ff]eatures.*[ :]$1" "${FLASHDEX_CPUINFO:-/proc/cpuinfo}" 2>/dev/null; }

# platform_of MACHINE BITS ENDIAN prints the name of the client for a machine as uname -m calls it, whose programs have
# words of BITS (32, 64) and the byte order ENDIAN (little, big). Prints nothing if there is no client for it. A kernel
# of 64 bits may carry programs of 32: the programs decide.
platform_of() {
  case $1/$2/$3 in
    x86_64/64/* | amd64/64/*) echo amd64 ;;
    x86_64/32/* | amd64/32/* | i[3-6]86/*) echo 386 ;;
    aarch64/64/little | arm64/64/little) echo arm64 ;;
    # The 32-bit side of a 64-bit processor is an ARMv7 with everything.
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

# fetch URL FILE; says what went wrong.
fetch() {
  if has curl; then
    curl -fsSL --connect-timeout 20 -o "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is here to fetch the client with; install one of them."
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
    fail "none of sha256sum, shasum and openssl is here to check the client with, and it must not run unchecked."
  fi
  printf '%s\n' "${1%% *}"
}

# checksum_of NAME FILE prints what FILE, a list as sha256sum writes it, says of NAME.
checksum_of() {
  while read -r sum name; do
    case $name in "$1" | "*$1") printf '%s\n' "$sum" ;; esac
  done <"$2"
}

# private_dir sets dir to a new directory that only this user can enter, and in which programs may run: some systems
# mount /tmp so that they may not.
private_dir() {
  for parent in "${TMPDIR:-/tmp}" "${XDG_CACHE_HOME:-}" "${HOME:-}" .; do
    [ -d "$parent" ] || continue
    dir=$(umask 077 && mktemp -d "$parent/flashdex.XXXXXX" 2>/dev/null) || { dir='' && continue; }
    chmod 700 "$dir"
    if printf '#!/bin/sh\nexit 0\n' >"$dir/try" && chmod 700 "$dir/try" && "$dir/try"; then return; fi 2>/dev/null
    clean
  done
  fail "no directory was found in which a program can be put and run; set TMPDIR to one."
}

clean() {
  if [ -n "$dir" ]; then
    rm -f "$dir/try" "$dir/SHA256SUMS" "$dir/flashdex"
    rmdir "$dir"
  fi
  dir=''
}

# forward SIGNAL CODE passes a signal on to the client, which cleans up after itself, or ends the script before it runs.
# shellcheck disable=SC2317 # the traps call it
forward() {
  signalled=1
  # Not a variable of our own that is set after the start: the signal may come in between.
  if [ -n "$running" ] && [ -n "${!:-}" ]; then
    kill -s "$1" "$!" 2>/dev/null
  else
    say "stopped; nothing was left behind."
    exit "$2"
  fi
}

# run PROGRAM ARGUMENTS... waits for the client and sets code to its exit code. It runs in the background because a
# shell that waits for a program in the foreground keeps signals to itself.
run() {
  running=1
  "$@" &
  while :; do
    signalled=''
    wait "$!"
    result=$?
    # 127: it had ended by itself before the signal came, and the code is the one before.
    [ "$result" = 127 ] && [ -n "$code" ] || code=$result
    [ -n "$signalled" ] || break
  done
  running=''
}

main() {
  case $SITE in '@'*) SITE='' ;; esac
  SITE=${FLASHDEX_SITE:-$SITE}
  SITE=${SITE%/}
  [ -n "$SITE" ] || fail "this copy of the script doesn't know its site; set FLASHDEX_SITE to its address, such as https://example.org."

  [ "$(uname -s)" = Linux ] || fail "the client measures on Linux only, and this is $(uname -s)."
  name=$(platform)
  [ -n "$name" ] || fail "there is no client for this machine ($(uname -m))."
  file=flashdex-linux-$name

  dir='' running='' code=''
  trap clean EXIT
  trap 'forward HUP 129' HUP
  trap 'forward INT 130' INT
  trap 'forward TERM 143' TERM
  private_dir

  say "fetching the client for $name from $SITE"
  fetch "$SITE/client/SHA256SUMS" "$dir/SHA256SUMS" ||
    fail "the list of clients can't be fetched from $SITE/client/SHA256SUMS; is the address right, and the network up?"
  expected=$(checksum_of "$file" "$dir/SHA256SUMS")
  [ -n "$expected" ] || fail "$SITE has no client for this machine ($name)."
  fetch "$SITE/client/$file" "$dir/flashdex" || fail "the client can't be fetched from $SITE/client/$file."
  found=$(sha256 "$dir/flashdex") || exit 1
  [ "$found" = "$expected" ] ||
    fail "the client that came is not the one that $SITE lists (SHA-256 $found instead of $expected); it was not run. Try again; if this stays, tell the site."
  chmod 700 "$dir/flashdex"

  run "$dir/flashdex" --site "$SITE" "$@"
  clean
  exit "$code"
}

{ main "$@"; }
