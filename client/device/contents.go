package device

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// signatures are the magic bytes of file systems and the like.
var signatures = []struct {
	name  string
	at    int
	magic string
}{
	{"LUKS encryption", 0, "LUKS\xba\xbe"},
	{"xfs", 0, "XFSB"},
	{"squashfs", 0, "hsqs"},
	{"NTFS", 3, "NTFS    "},
	{"exFAT", 3, "EXFAT   "},
	{"FAT", 54, "FAT1"},
	{"FAT", 82, "FAT32"},
	{"LVM", 512, "LABELONE"},
	{"GPT partition table", 512, "EFI PART"},
	{"f2fs", 1024, "\x10\x20\xf5\xf2"},
	{"ext2, ext3 or ext4", 1080, "\x53\xef"},
	{"swap", 4086, "SWAPSPACE2"},
	{"ISO 9660", 32769, "CD001"},
	{"btrfs", 65600, "_BHRfS_M"},
	{"MBR partition table", 510, "\x55\xaa"}, // last, since FAT has it too
}

// Contents describes the data on a whole device so that its user recognises it: a line for each partition that the
// kernel knows, or one for the whole.
func (t Target) Contents() []string {
	var lines []string
	entries, _ := os.ReadDir(t.Disk.dir)
	for _, entry := range entries {
		part := filepath.Join(t.Disk.dir, entry.Name())
		if entry.IsDir() && isPartition(part) {
			lines = append(lines, t.describe(entry.Name(), number(part, "start")*sectorBytes, number(part, "size")*sectorBytes))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, t.describe("the whole of it", 0, t.Disk.SizeBytes))
	}
	return lines
}

func (t Target) describe(name string, at, sizeBytes int64) string {
	kind := "nothing that is known"
	head := make([]byte, 66<<10)
	n, err := t.Device.ReadAt(head[:min(int64(len(head)), sizeBytes)], at)
	if err != nil && err != io.EOF {
		kind = "unreadable"
	}
	for _, s := range signatures {
		if s.at < n && bytes.HasPrefix(head[s.at:n], []byte(s.magic)) {
			kind = s.name
			break
		}
	}
	size := fmt.Sprintf("%.1f GB", float64(sizeBytes)/1e9)
	if sizeBytes < 1e9 {
		size = fmt.Sprintf("%.1f MB", float64(sizeBytes)/1e6)
	}
	return name + ": " + kind + ", " + size
}
