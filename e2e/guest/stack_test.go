package guest

import (
	"slices"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"
)

// stacked is a stick that LVM, RAID, encryption and other tables of the device mapper are put on in the guest.
var stacked = trial{
	bus:      usb,
	programs: []string{"lvm", "dmsetup", "mdadm", "cryptsetup", "mkfs.ext4"},
	drivers:  []string{"dm-mod", "dm-crypt", "dm-snapshot", "dm-thin-pool", "xts", "aes_generic", "sha256_generic", "raid1", "algif_skcipher", "algif_hash"},
}

// onStick makes four partitions. What lies on them is told to the kernel by LVM and the like themselves, as there is no udev.
const onStick = `set -e
export DM_DISABLE_UDEV=1 FLASHDEX_DIR=/tmp/results
mkdir -p /run/lock/lvm /run/cryptsetup /etc/lvm /a
printf '%s\n' n p 1 2048 526335 n p 2 526336 1050623 n p 3 1050624 1574911 n p 1574912 2097151 w | fdisk /dev/sda
[ -b /dev/sda4 ]
lvm() { /host/lvm "$@" --config 'activation{udev_sync=0 udev_rules=0 monitoring=0} global{thin_check_executable=""}'; }
in_dir() { mkfs.ext4 -q -F "$2" && mount "$2" /a && try "$1" /flashdex --profile quick --no-upload /a && umount /a; }
whole() { try "$1" /flashdex --device "${2:-/dev/sda}" --erase --yes --no-upload; }
`

// TestStacks runs the client on a module with LVM, RAID and encryption on it: through a plain volume it measures, all
// else it refuses, and nothing of it is ever erased.
func TestStacks(t *testing.T) {
	t.Parallel()
	files, _ := stacked.run(t, onStick+`
lvm pvcreate -q /dev/sda1 /dev/sda2
lvm vgcreate -q card /dev/sda1
lvm lvcreate -q -y -L 120M -n data card
lvm lvcreate -q -y -L 60M -n swap card
whole lvm-whole
whole lvm-volume /dev/card/data
mkswap /dev/card/swap && swapon /dev/card/swap
whole lvm-swap-whole
in_dir lvm-dir /dev/card/data
cp /tmp/results/*.json /out/result.json
mount /dev/card/data /a && whole lvm-mounted-whole && umount /a
swapoff /dev/card/swap
lvm lvcreate -q -y -s -L 20M -n shot card/data
in_dir snapshot-dir /dev/card/data
lvm lvremove -q -y card/shot card/swap
lvm lvcreate -q -y -T -L 60M -V 100M -n thin card/pool
in_dir thin-dir /dev/card/thin
lvm vgextend -q card /dev/sda2
lvm lvcreate -q -y -i 2 -L 100M -n striped card
in_dir striped-dir /dev/card/striped
lvm vgchange -q -an card

mdadm --create /dev/md0 --run --level=1 --force --raid-devices=2 --metadata=1.2 /dev/sda3 missing
whole md-whole
whole md-array /dev/md0
in_dir md-dir /dev/md0
mdadm --stop /dev/md0

echo secret | cryptsetup luksFormat -q --pbkdf pbkdf2 --pbkdf-force-iterations 1000 /dev/sda4
echo secret | cryptsetup open /dev/sda4 hidden
whole crypt-whole
whole crypt-opened /dev/mapper/hidden
in_dir crypt-dir /dev/mapper/hidden
cryptsetup close hidden

dmsetup create part --uuid part1-of-a-stick --table '0 81920 linear /dev/sda 4096'
in_dir part-dir /dev/mapper/part
dmsetup remove part
dmsetup create odd --table '0 81920 linear /dev/sda 4096'
in_dir odd-dir /dev/mapper/odd
whole odd-whole
dmsetup remove odd
try free-whole /flashdex --device /dev/sda --erase
`)
	succeeded(t, files)
	for name, want := range map[string]string{
		"lvm-whole":         "dm-0, which lies on it, is a device of LVM",
		"lvm-volume":        "is not a disk but lies on sda1",
		"lvm-swap-whole":    "is swap space; free it with: swapoff",
		"lvm-mounted-whole": "/dev/card/data is mounted on /a",
		"snapshot-dir":      "belongs to a thin, cached or snapshot volume of LVM",
		"thin-dir":          "belongs to a thin, cached or snapshot volume of LVM",
		"striped-dir":       "is made of several devices (sda1, sda2)",
		"md-whole":          "md0, which lies on it, is a device of LVM, RAID",
		"md-array":          "is not a disk but lies on sda3",
		"md-dir":            "md0 is a RAID (sda3)",
		"crypt-whole":       "which lies on it, is a device of LVM, RAID, encryption",
		"crypt-opened":      "is not a disk but lies on sda4",
		"crypt-dir":         "is encrypted, so that the processor would be measured",
		"odd-whole":         "which lies on it, is a device of LVM",
		"odd-dir":           "neither a partition nor a plain LVM volume",
		"free-whole":        "there is no terminal to type the device's name on",
		// The way down is found, and the room is too small.
		"part-dir": "MiB free, and the test needs 68 MiB",
	} {
		said := string(files[name])
		if !strings.Contains(said, want) || !strings.HasSuffix(said, "exit 2\n") {
			t.Errorf("%s: %q, want exit 2 because %q", name, said, want)
		}
		if strings.HasSuffix(name, "-whole") && !strings.Contains(strings.ToLower(said), "nothing was written") {
			t.Errorf("%s doesn't say that nothing was written: %q", name, said)
		}
	}
	mustBeTheStick(t, files)
}

// mustBeTheStick looks at the result that was measured through LVM while there was swap space beside.
func mustBeTheStick(t *testing.T, files map[string][]byte) {
	t.Helper()
	said := string(files["lvm-dir"])
	if !strings.HasSuffix(said, "exit 0\n") || !strings.Contains(said, "file system on sda, through LVM") {
		t.Fatalf("through LVM: %s", said)
	}
	doc, err := schema.Read(files["result.json"])
	if err != nil {
		t.Fatal(err)
	}
	if doc.Identity.Bus != "usb" || doc.Identity.SizeBytes != imageBytes || !slices.Contains(doc.Spoilers, result.Swap) {
		t.Errorf("%+v, spoilers %q; want the stick, and swap on it", doc.Identity, doc.Spoilers)
	}
	for _, test := range doc.Tests {
		if least := test.Bytes / 100 * 95; test.DeviceBytes < least {
			t.Errorf("%s moved %d bytes, and the stick counted %d", test.Name, test.Bytes, test.DeviceBytes)
		}
	}
}
