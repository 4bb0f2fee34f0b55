package guest

import (
	"strings"
	"testing"
	"time"
)

// slow is a card that takes long only for random writes.
var slow = cardModel{Hit: 20 * time.Millisecond, Merge: 20 * time.Millisecond}

// own sets up a user's file, which must survive everything, and defines functions for jobs.
const own = `cp /flashdex /mnt/own && sync || exit
whole() { cmp /flashdex /mnt/own; }
free() { df -k /mnt | tail -n 1 | sed 's/ *[0-9]*%.*//; s/.* //'; }
# begin TEST starts the client and waits until it is in that test.
begin() {
	: >/out/client
	FLASHDEX_DIR=/tmp/results /flashdex --profile quick --no-upload /mnt >/out/client 2>&1 &
	client=$!
	until grep -q "^$1" /out/client; do kill -0 "$client" 2>/dev/null || return; sleep 0.1; done
}
`

// TestKilled kills the client during its tests on the file systems of cards. Nothing is left of the test, and its space
// is free again. Then the test fills the card with other data in the middle of a run, with the same outcome.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, filesystem := range []string{"vfat", "exfat"} {
		t.Run(filesystem, func(t *testing.T) {
			t.Parallel()
			if filesystem != "vfat" && !*long {
				t.Skip("takes minutes: make test-long")
			}
			tr := trial{bus: usb, filesystem: filesystem, moduleBytes: 256 << 20, model: slow, drivers: []string{"exfat"}}
			files, _ := tr.run(t, own+`
before=$(free)
for test in seq-write rand-write; do
	begin "$test" || exit
	until [ "$(free)" -lt "$((before - 4096))" ]; do kill -0 "$client" || exit; sleep 0.1; done
	kill -9 "$client"
	wait "$client"
	tries=0
	until [ "$(free)" -ge "$before" ]; do # dd ends by itself, perhaps after a write
		[ "$tries" -lt 100 ] || exit
		sleep 0.1
		tries=$((tries + 1))
	done
done
ls -A /mnt >/out/killed

# The client looks at the card for two seconds before it writes.
rest=$((before / 1024 - 90))
dd if=/dev/zero of=/mnt/most bs=1M count="$rest" 2>/dev/null
begin Takes
dd if=/dev/zero of=/mnt/more bs=1M 2>/dev/null
wait "$client"
cp /out/client /out/full
rm /mnt/most /mnt/more
ls -A /mnt >/out/after-full
[ "$(free)" -ge "$before" ] || exit

try measured env FLASHDEX_DIR=/mnt/results /flashdex --profile quick --no-upload /mnt
try list env FLASHDEX_DIR=/mnt/results /flashdex list
try show /flashdex show /mnt/results/*.json
rm -r /mnt/results
whole`)
			succeeded(t, files)
			for _, name := range []string{"killed", "after-full"} {
				if left := strings.TrimSpace(string(files[name])); left != "own" {
					t.Errorf("%s: on the card are %q, want own alone", name, left)
				}
			}
			for name, want := range map[string]string{
				"full":     "the module is full",
				"measured": "Kept in /mnt/results",
				"list":     "waiting",
				"show":     "4K random write",
			} {
				said := string(files[name])
				if !strings.Contains(said, want) || name != "full" && !strings.HasSuffix(said, "exit 0\n") {
					t.Errorf("%s: %s, want %q", name, said, want)
				}
			}
		})
	}
}

// TestPulled removes the module in the middle of a test. The client ends by itself and says why.
func TestPulled(t *testing.T) {
	t.Parallel()
	tr := trial{bus: usb, filesystem: "vfat", moduleBytes: 256 << 20, model: slow}
	files, _ := tr.run(t, own+`
begin rand-write || exit
echo 1 >/sys/block/${device#/dev/}/device/delete
wait "$client"
echo "exit $?" >>/out/client
umount -l /mnt || :
touch /out/ended`)
	said := string(files["client"])
	if _, ended := files["ended"]; !ended || !strings.Contains(said, "exit 1\n") ||
		!strings.Contains(said, "rand-write") || !strings.Contains(said, "nothing was sent") {
		t.Errorf("the client said %s", said)
	}
}

// TestPowerCut switches the computer off in the middle of a test. The test file is gone, and the user's files are
// whole. FAT and exFAT still mark the test file's space as used. Their checkers free it, and save its content as files.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ filesystem, checker, found string }{
		{"vfat", "fsck.vfat -a", "FSCK0000.REC"},
		{"exfat", "fsck.exfat -s -y", "LOST+FOUND"},
		{"ext4", "e2fsck -p", ""},
	} {
		t.Run(c.filesystem, func(t *testing.T) {
			t.Parallel()
			if c.filesystem != "vfat" && !*long {
				t.Skip("takes minutes: make test-long")
			}
			tr := trial{bus: usb, filesystem: c.filesystem, moduleBytes: 256 << 20, model: slow, drivers: []string{"exfat"}}
			_, address := tr.insert(t)
			// hand_back ends the guest.
			files := tr.boot(t, address, own+`
[ ! -d /mnt/lost+found ] || rmdir /mnt/lost+found
free >/out/before
begin rand-write || exit
sleep 5
hand_back >/dev/console
sleep 1000`)
			before := string(files["before"])
			tr.programs = []string{strings.Fields(c.checker)[0]}
			_, functions, _ := strings.Cut(own, "\n")
			files = tr.boot(t, address, functions+`
ls -A /mnt >/out/left
whole || exit
umount /mnt
try checked `+c.checker+` "$device"
mount -t "$filesystem" "$device" /mnt
ls -A /mnt >/out/found
rm -rf /mnt/FSCK* /mnt/LOST+FOUND
free >/out/after
whole`)
			succeeded(t, files)
			if left := strings.TrimSpace(string(files["left"])); left != "own" {
				t.Errorf("on the card are %q, want own alone", left)
			}
			if found := strings.Replace(string(files["found"]), "own\n", "", 1); strings.TrimSpace(found) != c.found {
				t.Errorf("%s found %q, want %q: %s", c.checker, found, c.found, files["checked"])
			}
			if after := string(files["after"]); before != after {
				t.Errorf("%s KiB were free before, %s after: %s", before, after, files["checked"])
			}
		})
	}
}
