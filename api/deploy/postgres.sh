#!/bin/sh
# Starts Postgres in its container, and makes the cluster the first time. Postgres listens on a socket alone, and knows
# by the uid who connects: the superuser is postgres, the server's programs are flashdex. So there is no password.
#   postgres.sh [OPTION FOR postgres]...
set -eu

data=/var/lib/postgresql/data
cd /usr/lib/postgresql/*/bin
if [ ! -e "$data" ]; then
	rm -rf "$data.new" # from a start that was interrupted
	./initdb --pgdata "$data.new" --username postgres --auth-local peer --auth-host reject \
		--encoding UTF8 --locale C --data-checksums --no-instructions
	printf '%s\n' 'create role flashdex login' 'create database flashdex owner flashdex' |
		./postgres --single -D "$data.new" postgres >/dev/null
	mv "$data.new" "$data"
fi
exec ./postgres -D "$data" -k /run/postgresql -c listen_addresses= "$@"
