package device

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The search without regular expressions finds the same as regular expressions do. It searches lines made from pieces
// of real lines.
func TestNamesAreFoundAsByRegularExpressions(t *testing.T) {
	t.Parallel()
	trouble := regexp.MustCompile(`(?i)\b(error|failed|time-?out|timed out|reset)\b`)
	disks := []struct {
		disk  Disk
		about *regexp.Regexp
	}{
		{Disk{Name: "mmcblk0", dir: "/sys/devices/platform/soc/mmc0/mmc0:0001/block/mmcblk0"},
			regexp.MustCompile(`(^|[^0-9A-Za-z])(mmcblk0(p[0-9]+)?|mmc0)([^0-9A-Za-z.]|$)`)},
		{Disk{Name: "sda", dir: "/sys/devices/pci0000:00/0000:00:01.1/ata1/host0/target0:0:0/0:0:0:0/block/sda"},
			regexp.MustCompile(`(^|[^0-9A-Za-z])(sda([0-9]+)?|ata1(\.[0-9]+)?|0:0:0:0)([^0-9A-Za-z.]|$)`)},
		{Disk{Name: "sdb", dir: "/sys/devices/pci0000:00/usb2/2-1/2-1.4/2-1.4:1.0/host4/target4:0:0/4:0:0:0/block/sdb"},
			regexp.MustCompile(`(^|[^0-9A-Za-z])(sdb([0-9]+)?|usb 2-1|usb 2-1\.4|4:0:0:0)([^0-9A-Za-z.]|$)`)},
	}
	pieces := []string{
		"mmcblk0", "mmc0", "mmcblk", "mmc", "p", "sda", "sd", "a", "sdb", "ata1", "ata", "usb ", "2-1", "2-1.4", "0:0:0:0",
		"4:0:0:0", "0", "1", "00", ".", ":", " ", "(", "_", "x", "\xff", "é",
		"error", "ERROR", "Failed", "time", "timeout", "Time-Out", "timed out", "out", "reset", "-", "s",
	}
	random := rand.New(rand.NewPCG(1, 2))
	found := [2]int{}
	for range 100_000 {
		var line strings.Builder
		for range 1 + random.IntN(8) {
			line.WriteString(pieces[random.IntN(len(pieces))])
		}
		message := line.String()
		for _, d := range disks {
			want := d.about.MatchString(message)
			if got := mentions(message, namesOf(d.disk)); got != want {
				t.Fatalf("%q mentions %s: %v, want %v", message, d.disk.Name, got, want)
			}
			if want {
				found[0]++
			}
		}
		want := trouble.MatchString(message)
		if got := isTrouble(message); got != want {
			t.Fatalf("%q tells of trouble: %v, want %v", message, got, want)
		}
		if want {
			found[1]++
		}
	}
	if found[0] < 1000 || found[1] < 1000 {
		t.Errorf("the lines hold too little: %v", found)
	}
}

func TestNamesOf(t *testing.T) {
	t.Parallel()
	got := namesOf(Disk{Name: "sdb",
		dir: "/sys/devices/pci0000:00/usb2/2-1/2-1.4/2-1.4:1.0/host4/target4:0:0/4:0:0:0/ata/ata1x/1-/a-1/1:2:3/mmc1/mmc1x/" +
			"block/sdb"})
	want := []diskName{{"sdb", "", true}, {name: "mmc1"}, {name: "usb 2-1"}, {name: "usb 2-1.4"}, {name: "4:0:0:0"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(diskName{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
