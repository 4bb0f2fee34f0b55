package guest

import (
	"strings"
	"testing"
)

// TestFakes makes a disk of 256 MiB that behaves like a fake, with the kernel's device mapper, and lets the client find
// out. The loop device over it goes past the page cache and makes it a whole disk. The system runs from another disk,
// because the client must know which one that is.
func TestFakes(t *testing.T) {
	t.Parallel()
	tr := trial{
		bus: virtio, programs: []string{"dmsetup", "losetup", "mkfs.ext4", "mkfs.vfat"},
		drivers: []string{"brd", "loop", "dm-mod", "dm-zero"},
	}
	files, _ := tr.run(t, `set -e
export DM_DISABLE_UDEV=1
mkfs.ext4 -q /dev/ram0
mkdir /system
mount /dev/ram0 /system
for dir in dev proc sys; do mkdir "/system/$dir" && mount --bind "/$dir" "/system/$dir"; done
mkdir /system/card
cp /flashdex /system/

insert() {
	dmsetup create fake && /host/losetup --direct-io=on /dev/loop0 /dev/mapper/fake &&
		[ "$(cat /sys/block/loop0/loop/dio)" = 1 ]
}
pull() { /host/losetup --detach /dev/loop0 && dmsetup remove fake; }
probe() { insert && try "$1" chroot /system /flashdex verify --device /dev/loop0 --erase --yes && pull; }
all=524288 real=98760 # sectors
lost=$((all - real))
copies() {
	at=0
	while [ "$at" -lt "$all" ]; do
		echo "$at $((all - at < real ? all - at : real)) linear $device 0"
		at=$((at + real))
	done
}

echo "0 $all linear $device 0" | probe genuine
printf '%s\n' "0 $real linear $device 0" "$real $lost zero" | probe limited
copies | probe wrapped
printf '%s\n' "0 $real linear $device 0" "$real $real zero" \
	"$((2 * real)) $((all - 2 * real)) linear $device $((2 * real))" | probe chained
printf '%s\n' "0 $real linear $device 0" "$real $lost error" | probe refused

real=393216
printf '%s\n' "0 $real linear $device 0" "$real $((all - real)) zero" | insert
mkfs.vfat /dev/loop0
mount -t vfat /dev/loop0 /system/card
try filled chroot /system /flashdex verify --yes /card
ls -A /system/card >/out/left
umount /system/card
pull
`)
	succeeded(t, files)
	for name, want := range map[string]string{
		"genuine": "268.4 MB claimed, and nothing contradicts it",
		"limited": "268.4 MB claimed, 50.6 MB real: what is written beyond that is lost",
		"wrapped": "268.4 MB claimed, 50.6 MB real: what is written beyond that overwrites the beginning",
		"chained": "268.4 MB claimed, and only the first 50.6 MB are sure: of what is written beyond that, a part is lost",
		"refused": "268.4 MB claimed, but from 50.6 MB on it refuses",
		"filled":  "what is written there is lost. That is the sign of a fake",
	} {
		code := "exit 1\n"
		if name == "genuine" {
			code = "exit 0\n"
		}
		if said := string(files[name]); !strings.Contains(said, want) || !strings.HasSuffix(said, code) {
			t.Errorf("%s: %s, want %q", name, said, want)
		}
	}
	if left := string(files["left"]); left != "" {
		t.Errorf("in the file system was left %q", left)
	}
}
