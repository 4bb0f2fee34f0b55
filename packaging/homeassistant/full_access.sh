#!/bin/sh
# Makes the folder flashdex_full_access from flashdex: the same app, with the rights that it takes to ask an SD card for
# its health. Supervisor rates an app with full access 1 of 8, so whoever doesn't need it keeps the other one.
set -eu
cd "$(dirname "$0")"
rm -rf flashdex_full_access
cp -R flashdex flashdex_full_access
config=flashdex_full_access/config.yaml
sed -e 's/^name: .*/& (full access)/' -e 's/^slug: .*/&_full_access/' flashdex/config.yaml >"$config"
cat >>"$config" <<'END'
# Supervisor gives a listed device only if the system doesn't run from it. With full access and without protection mode,
# it gives all devices.
full_access: true
# The kernel passes a command on to a card only if the sender has this.
privileged:
  - SYS_RAWIO
END
