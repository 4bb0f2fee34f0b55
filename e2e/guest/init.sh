#!/bin/busybox sh
# What a guest runs instead of an operating system: it mounts the module, if it holds a file system, does what /job says
# and hands back the files in /out, in base64 between markers on the console.
/bin/busybox --install -s /bin
# BusyBox prefers what it has itself to what the test brought from its machine, unless that is called by its path.
export PATH=/host:/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmpfs /tmp
mkdir -p /out /mnt
while read -r module; do insmod "/modules/$module"; done </modules/order

device=$(sed -n 's/.* device=\([^ ]*\).*/\1/p' /proc/cmdline)
filesystem=$(sed -n 's/.* filesystem=\([^ ]*\).*/\1/p' /proc/cmdline)
tries=0
until [ -b "$device" ] || [ "$tries" -gt 1800 ]; do # a card shows up when it likes, and on a busy machine late
	sleep 0.1
	tries=$((tries + 1))
done

# Hands back what is in /out, after which the test switches the guest off.
hand_back() {
	echo # some consoles have left something on their first line
	for file in /out/*; do
		echo "=== FILE ${file#/out/}"
		base64 "$file"
	done
	echo "=== GUEST DONE"
}

# try NAME COMMAND... has /out/NAME hold what the command said, and its exit status on the last line.
try() {
	name=$1
	shift
	"$@" >"/out/$name" 2>&1 && code=0 || code=$?
	echo "exit $code" >>"/out/$name"
}

# shellcheck disable=SC1091 # the test puts it there
{ { [ -z "$filesystem" ] || mount -t "$filesystem" -o noatime "$device" /mnt; } && (cd /tmp && . /job); } >/out/said 2>&1
echo "$?" >/out/status
[ -z "$filesystem" ] || umount /mnt
hand_back
poweroff -f
