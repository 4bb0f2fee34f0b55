#!/bin/busybox sh
# A guest runs this script instead of an operating system. It mounts the module if it holds a file system, runs /job,
# and prints the files in /out on the console, in base64 between markers.
/bin/busybox --install -s /bin
# BusyBox prefers its own commands to programs of the test in /host, unless these are called by their path.
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
until [ -b "$device" ] || [ "$tries" -gt 1800 ]; do # a card appears late on a busy machine
	sleep 0.1
	tries=$((tries + 1))
done

# hand_back prints the files in /out. The test then switches the guest off.
hand_back() {
	echo # some consoles leave characters on their first line
	for file in /out/*; do
		echo "=== FILE ${file#/out/}"
		base64 "$file"
	done
	echo "=== GUEST DONE"
}

# try NAME COMMAND... writes the command's output to /out/NAME, with its exit status on the last line.
try() {
	name=$1
	shift
	"$@" >"/out/$name" 2>&1 && code=0 || code=$?
	echo "exit $code" >>"/out/$name"
}

# shellcheck disable=SC1091 # the test puts it there
{
	{ [ -z "$filesystem" ] || mount -t "$filesystem" -o noatime "$device" /mnt; } && (cd /tmp && . /job)
} >/out/said 2>&1
echo "$?" >/out/status
[ -z "$filesystem" ] || umount /mnt
hand_back
poweroff -f
