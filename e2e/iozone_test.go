package e2e

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/client/looptest"
)

// BenchmarkIozoneBesideIozone is the iozone profile beside iozone itself, in turn, on a device that is held to 2,000 operations and 20 MiB a
// second, so that neither measures the computer. It reports the median of the ratios of each cell of the table, and needs
// iozone, which Debian has in non-free, or $IOZONE.
func BenchmarkIozoneBesideIozone(b *testing.B) {
	iozone, err := exec.LookPath(cmp.Or(os.Getenv("IOZONE"), "iozone"))
	if err != nil {
		b.Skip("needs iozone")
	}
	client, err := filepath.Abs(filepath.Join(root, "var/clients/flashdex-linux-"+runtime.GOARCH))
	if err != nil {
		b.Fatal(err)
	}
	disk := looptest.Mount(b, 512<<20, "")
	throttled := looptest.Throttle(b, disk.Device, 2000, 20<<20)
	run := func(command string, arguments ...string) map[string]float64 {
		b.Helper()
		c := exec.Command("sh", append([]string{"-c", throttled + command, "sh"}, arguments...)...)
		c.Dir, c.Env = disk.Dir, append(os.Environ(), "FLASHDEX_DIR="+b.TempDir())
		said, err := c.Output()
		if err != nil {
			b.Fatalf("%s: %v\n%s", command, err, said)
		}
		cells := map[string]float64{}
		for _, line := range regexp.MustCompile(`(?m)^ *51200 .*$`).FindAllString(string(said), -1) {
			fields := strings.Fields(line)
			for i, name := range []string{"write", "rewrite", "read", "reread", "random-read", "random-write"} {
				if cells[name+"-"+fields[1]+"k"], err = strconv.ParseFloat(fields[i+2], 64); err != nil {
					b.Fatalf("%s: %v", line, err)
				}
			}
		}
		return cells
	}
	ratios := map[string][]float64{}
	for range max(b.N, 3) {
		theirs := run(`"$1" -e -I -a -s 50M -r 4k -r 512k -i 0 -i 1 -i 2`, iozone)
		ours := run(`"$1" --profile iozone --no-upload .`, client)
		if len(theirs) != 12 || len(ours) != 12 {
			b.Fatalf("iozone %v, flashdex %v", theirs, ours)
		}
		for cell, kb := range theirs {
			ratios[cell] = append(ratios[cell], ours[cell]/kb)
		}
	}
	b.ReportMetric(0, "ns/op")
	for cell, all := range ratios {
		slices.Sort(all)
		b.ReportMetric(all[len(all)/2], cell+"-ratio")
	}
}
