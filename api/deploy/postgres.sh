#!/bin/sh
# Starts Postgres in its container, and makes the cluster the first time. Postgres listens on a socket alone, and knows
# by the uid who connects: postgres is the superuser, flashdex owns the tables, flashdex_worker publishes, and
# flashdex_server answers requests. So there is no password.
#   postgres.sh [OPTION FOR postgres]...
set -eu

data=${PGDATA:-/var/lib/postgresql/data}
cd /usr/lib/postgresql/*/bin
if [ ! -e "$data" ]; then
	rm -rf "$data.new" # from a start that was interrupted
	./initdb --pgdata "$data.new" --username postgres --auth-local peer --auth-host reject \
		--encoding UTF8 --locale C --data-checksums --no-instructions
	printf '%s\n' 'create role flashdex login' 'create database flashdex owner flashdex' |
		./postgres --single -D "$data.new" postgres >/dev/null
	mv "$data.new" "$data"
fi
# A cluster that an older version made lacks them. Each line is a statement.
for role in flashdex_server flashdex_worker; do
	echo "do \$\$ begin create role $role login; exception when duplicate_object then end \$\$"
done | ./postgres --single -D "$data" postgres >/dev/null
exec ./postgres -D "$data" -k /run/postgresql -c listen_addresses= "$@"
