package device_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flashdex/client/device"
	"flashdex/client/looptest"
)

// named maps the types of `blkid -k` of util-linux 2.38, and the partition tables that it knows, to the client's names.
var named = map[string]string{
	"linux_raid_member": "Linux RAID", "ddf_raid_member": "DDF RAID", "isw_raid_member": "Intel RAID",
	"lsi_mega_raid_member": "LSI RAID", "via_raid_member": "VIA RAID",
	"silicon_medley_raid_member": "Silicon Image RAID", "nvidia_raid_member": "NVIDIA RAID",
	"promise_fasttrack_raid_member": "Promise RAID", "hpt45x_raid_member": "HighPoint RAID",
	"hpt37x_raid_member": "HighPoint RAID", "adaptec_raid_member": "Adaptec RAID", "jmicron_raid_member": "JMicron RAID",
	"bcache": "bcache", "ceph_bluestore": "Ceph", "drbd": "DRBD", "drbdmanage_control_volume": "DRBD",
	"drbdproxy_datalog": "DRBD", "LVM2_member": "LVM", "LVM1_member": "LVM", "DM_snapshot_cow": "a snapshot of LVM",
	"DM_verity_hash": "a hash tree of dm-verity", "DM_integrity": "dm-integrity", "crypto_LUKS": "LUKS encryption",
	"VMFS_volume_member": "VMFS", "ubi": "UBI", "vdo": "VDO", "stratis": "Stratis", "BitLocker": "BitLocker encryption",
	"vfat": "FAT", "swsuspend": "a hibernated system", "swap": "swap", "xfs": "xfs",
	"xfs_external_log": "a journal of xfs", "exfs": "EXFS", "ext4dev": "ext2, ext3 or ext4",
	"ext4": "ext2, ext3 or ext4", "ext3": "ext2, ext3 or ext4", "ext2": "ext2, ext3 or ext4", "jbd": "ext2, ext3 or ext4",
	"reiserfs": "ReiserFS", "reiser4": "Reiser4", "jfs": "jfs", "udf": "UDF", "iso9660": "ISO 9660", "zfs_member": "ZFS",
	"hfsplus": "HFS+", "hfs": "HFS", "ufs": "UFS", "hpfs": "HPFS", "sysv": "System V", "xenix": "Xenix", "ntfs": "NTFS",
	"ReFS": "ReFS", "cramfs": "cramfs", "romfs": "romfs", "minix": "Minix", "gfs": "GFS", "gfs2": "GFS", "ocfs": "OCFS",
	"ocfs2": "OCFS", "oracleasm": "Oracle ASM", "vxfs": "VxFS", "squashfs": "squashfs", "squashfs3": "squashfs",
	"nss": "NSS", "btrfs": "btrfs", "ubifs": "UBIFS", "bfs": "BFS", "VMFS": "VMFS", "befs": "BeFS", "nilfs2": "nilfs2",
	"exfat": "exFAT", "f2fs": "f2fs", "mpool": "mpool", "apfs": "APFS", "zonefs": "zonefs", "erofs": "EROFS",
	// Since 2.39:
	"bcachefs": "bcachefs", "cs_fvault2": "FileVault encryption", "scoutfs_meta": "ScoutFS", "scoutfs_data": "ScoutFS",
	// Partition tables. An Atari's has no magic, so the client says that it doesn't recognize it.
	"gpt": "GPT partition table", "dos": "MBR partition table", "bsd": "BSD partition table",
	"sun": "Sun partition table", "sgi": "SGI partition table", "mac": "Apple partition table",
	"atari": "something that isn't recognized",
}

// found returns what blkid says lies in a file: a type, a partition table, or both.
func found(t *testing.T, file string) (types []string) {
	t.Helper()
	said, err := exec.Command("blkid", "-p", "-o", "export", file).Output()
	const nothing = 2
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == nothing {
		return nil
	} else if err != nil {
		t.Fatalf("blkid -p %s: %v", file, err)
	}
	for line := range strings.Lines(string(said)) {
		for _, name := range []string{"TYPE=", "PTTYPE="} {
			if kind, ok := strings.CutPrefix(strings.TrimSpace(line), name); ok {
				types = append(types, kind)
			}
		}
	}
	return types
}

// agree checks that the client names whatever blkid finds in a file.
func agree(t *testing.T, file string) {
	t.Helper()
	lines, err := device.Describe(file)
	if err != nil {
		t.Fatal(err)
	}
	types := found(t, file)
	if len(types) > 1 { // blkid mistakes the boot sectors of file systems for partition tables
		types = slices.DeleteFunc(types, func(kind string) bool { return kind == "dos" })
	}
	if strings.Contains(lines[0], "nothing that is known") {
		t.Errorf("%q: there is something", lines)
	}
	for _, kind := range types {
		// The names are a list between the part's name and its size.
		if want, whole := named[kind], lines[0]+", "; want == "" ||
			!strings.Contains(whole, ": "+want+", ") && !strings.Contains(whole, ", "+want+", ") &&
				!strings.Contains(whole, want+":") {
			t.Errorf("blkid says %s, the client %q, want %q", kind, lines, want)
		}
	}
}

func TestEveryTypeOfBlkidIsKnown(t *testing.T) {
	t.Parallel()
	said, err := exec.Command("blkid", "-k").Output()
	if err != nil {
		t.Skip("this blkid can't list what it knows: ", err)
	}
	names := append(device.SignatureNames(), "FAT")
	for kind := range strings.FieldsSeq(string(said)) {
		if !slices.Contains(names, named[kind]) {
			t.Errorf("blkid knows %s, which the client has no signature for", kind)
		}
	}
}

// libblkid's own test images come from many people's real tools and controllers.
func TestContentsAgreeWithBlkid(t *testing.T) {
	t.Parallel()
	images, _ := filepath.Glob("../../var/tools/blkid/images-*/*.img.xz")
	if len(images) == 0 {
		t.Skip("the images of libblkid aren't there: e2e/tools.sh")
	}
	for _, packed := range images {
		t.Run(strings.TrimSuffix(filepath.Base(packed), ".img.xz"), func(t *testing.T) {
			image := filepath.Join(t.TempDir(), "image")
			run(t, "cp", packed, image+".xz")
			run(t, "xz", "--decompress", image+".xz") // unlike --stdout, this leaves holes
			agree(t, image)
		})
	}
}

// A user's own tools made these contents. Where Debian has no tool that works without a special kernel, the test writes
// the bytes of the published layout, and blkid must recognize them.
func TestContentsMadeByTools(t *testing.T) {
	t.Parallel()
	const zpool = "cd ../../var/tools/blkid/zfs && PATH=$PWD/sbin:$PATH LD_LIBRARY_PATH=$PWD/lib/x86_64-linux-gnu " +
		"sbin/ztest -f \"$(dirname $1)\" -s 128m -T 1 -P 1 -k 0 >/dev/null 2>&1; cp \"$(dirname $1)/ztest.0a\" $1"
	for kind, make := range map[string]string{
		"ext2": "mke2fs -q -t ext2 $1", "ext3": "mke2fs -q -t ext3 $1", "ext4": "mke2fs -q -t ext4 $1",
		"jbd": "mke2fs -q -O journal_dev $1", "vfat": "mkfs.vfat $1", "exfat": "mkfs.exfat $1", "ntfs": "mkfs.ntfs -q -F $1",
		"f2fs": "mkfs.f2fs -q $1", "xfs": "truncate -s 512M $1; mkfs.xfs -q $1", "btrfs": "mkfs.btrfs -q $1",
		"swap": "mkswap $1", "crypto_LUKS": "echo secret | cryptsetup luksFormat -q --type luks2 --pbkdf pbkdf2 " +
			"--pbkdf-force-iterations 1000 $1 -",
		"LVM2_member":    "lvm pvcreate -q --devices $(losetup -f --show $1) $(losetup -j $1 -O name -n)",
		"DM_verity_hash": "truncate -s 1M $1.data; veritysetup format $1.data $1",
		"squashfs":       "mksquashfs ../testdata $1 -quiet -noappend", "erofs": "mkfs.erofs $1 ../testdata",
		"cramfs": "mkfs.cramfs ../testdata $1", "minix": "mkfs.minix $1", "bfs": "mkfs.bfs $1",
		"iso9660": "xorriso -as mkisofs -quiet -o $1 ../testdata", "udf": "mkfs.udf $1", "nilfs2": "mkfs.nilfs2 -q $1",
		"jfs": "mkfs.jfs -q $1", "reiserfs": "mkreiserfs -q -f $1", "reiser4": "mkfs.reiser4 -y -f $1",
		"gfs2": "mkfs.gfs2 -q -O -p lock_nolock -j 1 $1", "ocfs2": "echo y | mkfs.ocfs2 -q -F -M local $1",
		"apfs":    "mkapfs $1",
		"hfs":     "hformat $1",
		"hfsplus": "../../var/tools/blkid/hfs/usr/sbin/mkfs.hfsplus $1", "bcache": "make-bcache --wipe-bcache -B $1",
		"zfs_member": zpool, "gpt": "echo 'size=8M' | sfdisk -q -X gpt $1", "dos": "echo 'size=8M' | sfdisk -q -X dos $1",
		"sgi": "echo 'size=8M' | sfdisk -q -X sgi $1", "sun": "echo 'size=8M' | sfdisk -q -X sun $1",
		"mac": "parted -s $1 mklabel mac", "bsd": "parted -s $1 mklabel bsd",

		"BitLocker": layout(3, "-FVE-FS-"), "oracleasm": layout(32, "ORCLDISK"), "ReFS": layout(0, `\0\0\0ReFS\0`),
		"DM_snapshot_cow": layout(0, "SnAp"), "ocfs": layout(8192, "OracleCFS"), "gfs": layout(65536, `\001\026\031\160`),
		"xenix": layout(2048, "+UD"), "vxfs": layout(1024, `\365\374\001\245`), "sysv": layout(1016, `\040\176\030\375`),
		"LVM1_member": layout(0, `HM\001\0`), "swsuspend": layout(4086, "S1SUSPEND"), "exfs": layout(0, "EXFS"),
		"squashfs3": layout(0, "sqsh"), "stratis": layout(516, `!Stra0tis\206\377\002^Arh`),
		"hpfs":         layout(8192, `I\350\225\371`),
		"DM_integrity": layout(0, `integrt\0`), "drbdproxy_datalog": layout(0, "DRBDdlh*"),
		"bcachefs": layout(4120, `\306\205\163\366\146\316\220\251\331\152\140\317\200\075\367\357`),
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "image")
			if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 160<<20)); err != nil {
				t.Fatal(err)
			}
			command := exec.Command("sh", "-c", make, "sh", file)
			command.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
			said, err := command.CombinedOutput()
			if loop, _ := exec.Command("losetup", "-n", "-O", "name", "-j", file).Output(); len(loop) > 0 {
				run(t, "losetup", "--detach", strings.TrimSpace(string(loop)))
			}
			if strings.Contains(string(said), "not found") {
				t.Skipf("%s: %s", make, said)
			} else if err != nil {
				t.Fatalf("%s: %v\n%s", make, err, said)
			}
			lines, err := device.Describe(file)
			if err != nil || !strings.Contains(lines[0]+", ", named[kind]+", ") {
				t.Errorf("%q (%v), want %q", lines, err, named[kind])
			}
			if !strings.HasPrefix(make, "printf") { // blkid has tests beyond the magic
				agree(t, file)
			}
		})
	}
}

// layout writes bytes, in octal where they aren't text, at an offset.
func layout(at int, magic string) string {
	return fmt.Sprintf(`printf -- '%s' | dd of=$1 bs=1 seek=%d conv=notrunc status=none`, magic, at)
}

// These are partitions of a table that the kernel doesn't read, such as the backup of a GPT whose beginning is gone.
func TestContentsOfPartitions(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"gpt", "gpt in blocks of 4096 bytes", "dos"} {
		disk := filepath.Join(t.TempDir(), "image")
		if err := errors.Join(os.WriteFile(disk, nil, 0o600), os.Truncate(disk, 64*mib)); err != nil {
			t.Fatal(err)
		}
		made, kind := disk, table
		if strings.HasSuffix(table, "bytes") {
			made, kind = looptest.Over(t, disk, "--sector-size", "4096"), "gpt"
		}
		run(t, "sh", "-c", `printf 'start=1MiB,size=16MiB\nstart=17MiB,size=16MiB\nstart=40MiB,size=4MiB\n' |
			sfdisk -q --no-reread --no-tell-kernel -X `+kind+" "+made)
		run(t, "mke2fs", "-q", "-t", "ext4", "-E", "offset=1048576", disk, "16M")
		overwrite(t, disk, 17*mib+65600, []byte("_BHRfS_M"))
		overwrite(t, disk, 40*mib+mib/2, []byte("something"))
		for _, beginning := range []string{"whole", "gone"} {
			if beginning == "gone" {
				overwrite(t, disk, 0, make([]byte, 34*512))
			}
			lines, err := device.Describe(disk)
			said := strings.Join(lines, "\n")
			for _, want := range []string{"partition 1: ext2, ext3 or ext4, 16.8 MB", "partition 2: btrfs, 16.8 MB",
				"partition 3: something that isn't recognized: its first MiB isn't empty, 4.2 MB"} {
				if gone := table == "dos" && beginning == "gone"; err != nil || strings.Contains(said, want) == gone {
					t.Errorf("%s, %s: %v\n%s\nwant %q", table, beginning, err, said, want)
				}
			}
		}
	}
}

// Content that nobody recognizes doesn't count as nothing.
func TestContentsThatAreUnknown(t *testing.T) {
	t.Parallel()
	for want, at := range map[string]int64{
		"nothing that is known: its first and last MiB and 64 places between are empty": -1,
		"something that isn't recognized: its first MiB isn't empty":                    mib - 100,
		"something that isn't recognized: its last MiB isn't empty":                     64*mib - 200,
		"something that isn't recognized: it isn't empty at 33.0 MB":                    33030144,
	} {
		disk := filepath.Join(t.TempDir(), "image")
		if err := errors.Join(os.WriteFile(disk, bytes.Repeat([]byte{0xff}, 64*mib), 0o600)); err != nil {
			t.Fatal(err)
		}
		if at >= 0 {
			overwrite(t, disk, at, binary.LittleEndian.AppendUint64(nil, 0x1234567890))
		}
		lines, err := device.Describe(disk)
		if len(lines) != 1 || lines[0] != "the whole of it: "+want+", 67.1 MB" {
			t.Errorf("%q (%v), want %q", lines, err, want)
		}
	}
}

func overwrite(t *testing.T, path string, at int64, data []byte) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteAt(data, at); err != nil {
		t.Fatal(err)
	}
}
