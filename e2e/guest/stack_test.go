package guest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flashdex/result"
	"flashdex/result/schema"
)

// stacked is a stick on which the guest puts LVM, RAID, encryption and other device-mapper tables.
var stacked = trial{
	bus:      usb,
	programs: []string{"lvm", "dmsetup", "mdadm", "cryptsetup", "mkfs.ext4"},
	drivers: []string{
		"dm-mod", "dm-crypt", "dm-snapshot", "dm-thin-pool", "xts", "aes_generic", "sha256_generic", "raid1",
		"algif_skcipher", "algif_hash",
	},
}

// onStick makes four partitions. LVM and the others announce their devices to the kernel themselves, because there is
// no udev.
const onStick = `set -e
export DM_DISABLE_UDEV=1 FLASHDEX_DIR=/tmp/results
mkdir -p /run/lock/lvm /run/cryptsetup /etc/lvm /a
printf '%s\n' n p 1 2048 526335 n p 2 526336 1050623 n p 3 1050624 1574911 n p 1574912 2097151 w | fdisk /dev/sda
[ -b /dev/sda4 ]
lvm() { /host/lvm "$@" --config 'activation{udev_sync=0 udev_rules=0 monitoring=0} global{thin_check_executable=""}'; }
in_dir() { mkfs.ext4 -q -F "$2" && mount "$2" /a && try "$1" /flashdex --profile quick --no-upload /a && umount /a; }
whole() { try "$1" /flashdex --device "${2:-/dev/sda}" --erase --yes --no-upload; }
`

// TestStacks runs the client on a module with LVM, RAID and encryption on it. It measures through a plain volume,
// refuses everything else, and never erases any of it.
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
		"striped-dir":       "(sda1, sda2) lies on several parts of sda",
		"md-whole":          "md0, which lies on it, is a device of LVM, RAID",
		"md-array":          "is not a disk but lies on sda3",
		"md-dir":            "md0 (sda3) lacks a member",
		"crypt-whole":       "which lies on it, is a device of LVM, RAID, encryption",
		"crypt-opened":      "is not a disk but lies on sda4",
		"crypt-dir":         "is encrypted, so that the processor would be measured",
		"odd-whole":         "which lies on it, is a device of LVM",
		"odd-dir":           "neither a partition nor a plain LVM volume",
		"free-whole":        "there is no terminal to type the device's name on",
		// The client finds the disk below, but the room is too small.
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

// mustBeTheStick checks the result that was measured through LVM while the stick held swap space.
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

// TestStackOfModules measures a RAID 0, a RAID 1 and LVM volumes over the stick and a loop device, as stacks. The
// members' own counters show where the bytes went.
func TestStackOfModules(t *testing.T) {
	t.Parallel()
	several := stacked
	several.drivers = append(slices.Clone(stacked.drivers), "raid0", "loop")
	files, _ := several.run(t, `set -e
export DM_DISABLE_UDEV=1 FLASHDEX_DIR=/tmp/results
mkdir -p /run/lock/lvm /etc/lvm /a
lvm() { /host/lvm "$@" --config 'activation{udev_sync=0 udev_rules=0 monitoring=0}'; }
dd if=/dev/zero of=/tmp/other bs=1M count=200
losetup /dev/loop0 /tmp/other
printf '%s\n' n p 1 2048 616447 w | fdisk /dev/sda
written() { awk -v from="$2" '{ print $7 - from }' "/sys/block/$1/stat"; }
in_dir() {
	mkfs.ext4 -q -F "$2" && mount "$2" /a && rm -rf /tmp/results
	sda=$(written sda 0) loop=$(written loop0 0)
	try "$1" /flashdex --profile quick --no-upload /a
	echo "$(written sda "$sda") $(written loop0 "$loop")" >"/out/$1.sectors"
	cp /tmp/results/*.json "/out/$1.json" && umount /a
}
mdadm --create /dev/md0 --run --level=0 --chunk=64 --raid-devices=2 --metadata=1.2 /dev/sda1 /dev/loop0
in_dir raid0 /dev/md0
mount /dev/md0 /a
try verify /flashdex verify /a
umount /a
try whole /flashdex --device /dev/md0 --erase --yes --no-upload
mdadm --stop /dev/md0
mdadm --create /dev/md1 --run --level=1 --assume-clean --raid-devices=2 --metadata=1.2 /dev/sda1 /dev/loop0
in_dir raid1 /dev/md1
mdadm --stop /dev/md1
mdadm --zero-superblock /dev/sda1 /dev/loop0
lvm pvcreate -q -y /dev/sda1 /dev/loop0
lvm vgcreate -q cards /dev/sda1 /dev/loop0
lvm lvcreate -q -y -i 2 -I 128 -L 160M -n striped cards
in_dir striped /dev/cards/striped
lvm lvremove -q -y cards/striped
lvm lvcreate -q -y -l 100%FREE -n long cards
in_dir linear /dev/cards/long
`)
	succeeded(t, files)
	for name, want := range map[string]string{
		"verify": "a stack of several modules", "whole": "is not a disk but lies on",
	} {
		if said := string(files[name]); !strings.Contains(said, want) || !strings.HasSuffix(said, "exit 2\n") {
			t.Errorf("%s: %q, want exit 2 because %q", name, said, want)
		}
	}
	for kind, chunkBytes := range map[string]int64{"raid0": 64 << 10, "raid1": 0, "striped": 128 << 10, "linear": 0} {
		doc, err := schema.Read(files[kind+".json"])
		if err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, files[kind])
		}
		s := doc.Stack
		if doc.Method != result.MethodStack1 || doc.Identity.Bus != "stack" || s == nil ||
			s.Kind != kind || s.ChunkBytes != chunkBytes || len(s.Members) != 2 {
			t.Errorf("%s: method %s, %+v, %+v", kind, doc.Method, doc.Identity, s)
			continue
		}
		if s.Members[0].Bus != "loop" || s.Members[0].SizeBytes != 200<<20 ||
			s.Members[1].Bus != "usb" || s.Members[1].SizeBytes != imageBytes {
			t.Errorf("%s has the members %+v", kind, s.Members)
		}
		if strings.Contains(string(files[kind+".json"]), moduleSerial) {
			t.Errorf("%s: the document has the stick's serial number", kind)
		}
		var written int64 // by the tests alone, in sectors
		for _, test := range doc.Tests {
			if test.Name == result.SeqWrite || test.Name == result.RandWrite {
				written += (test.Bytes + test.WarmupOps*test.BlockBytes) / 512
			}
		}
		var stick, loop int64
		if _, err := fmt.Sscan(string(files[kind+".sectors"]), &stick, &loop); err != nil {
			t.Fatal(err)
		}
		switch kind {
		case "raid0", "striped":
			if stick < written*4/10 || loop < written*4/10 {
				t.Errorf("%s: of %d sectors, %d went to the stick and %d to the loop device", kind, written, stick, loop)
			}
		case "raid1":
			if stick < written || loop < written {
				t.Errorf("%s: of %d sectors, %d went to the stick and %d to the loop device", kind, written, stick, loop)
			}
		}
	}
}

// TestAnInactiveRAIDIsNamed lets mdadm write each version of its metadata; two versions are at the end of a disk.
// Nobody assembles the array again, so only these bytes reveal it.
func TestAnInactiveRAIDIsNamed(t *testing.T) {
	t.Parallel()
	versions := []string{"0.90", "1.0", "1.1", "1.2"}
	tr := stacked
	tr.programs = append(slices.Clone(tr.programs), "blkid")
	tr.moduleBytes = 64 << 20
	job := "set -e\nexport FLASHDEX_DIR=/tmp/results\n[ -b /dev/sda ]\n"
	for _, version := range versions {
		job += fmt.Sprintf(`mdadm --quiet --create /dev/md0 --run --metadata=%[1]s --level=1 --raid-devices=2 /dev/sda missing
mdadm --quiet --stop /dev/md0
try blkid-%[1]s /host/blkid -p /dev/sda
try said-%[1]s /flashdex verify --device /dev/sda --erase </dev/null
mdadm --quiet --zero-superblock /dev/sda
`, version)
	}
	files, _ := tr.run(t, job)
	succeeded(t, files)
	for _, version := range versions {
		if said := string(files["blkid-"+version]); !strings.Contains(said, `TYPE="linux_raid_member"`) {
			t.Errorf("%s: blkid says %s", version, said)
		}
		if said := string(files["said-"+version]); !strings.Contains(said, "On it   the whole of it: Linux RAID, ") ||
			!strings.Contains(said, "nothing was written") {
			t.Errorf("%s: the client says\n%s", version, said)
		}
	}
}
