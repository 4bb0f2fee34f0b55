package guest

import (
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// iozoneBoundPercent is the largest difference between a cell of the table and iozone's.
const iozoneBoundPercent = 5

// TestProfileAgreesWithIozone runs iozone and the iozone profile in turn, in one guest on one device. QEMU limits the
// device to 200 operations and 4 MB a second, which a busy machine manages. The best turn of each cell counts: nothing
// is quicker than the throttle, and other work on the machine can only slow a turn down. The test fails on a machine
// that is too busy even for that rate.
func TestProfileAgreesWithIozone(t *testing.T) {
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	t.Parallel()
	const iozone = "../../var/tools/iozone"
	if _, err := os.Stat(iozone); err != nil {
		t.Skip("no iozone to compare with: make tools fetches it")
	}
	const turns = 2
	tr := trial{
		bus: virtio, filesystem: "ext4", throttleIOPS: 200, throttleRate: 4_000_000, programs: []string{iozone},
	}
	files, _ := tr.run(t, `for turn in 1 2; do
	cd /mnt
	/host/iozone -e -I -a -s 50M -r 4k -r 512k -i 0 -i 1 -i 2 >/out/iozone.$turn || exit
	cd /tmp
	FLASHDEX_DIR=/tmp/results /flashdex --profile iozone --no-upload /mnt >/out/client.$turn || exit
done`)
	succeeded(t, files)
	theirs, ours := map[string]float64{}, map[string]float64{}
	for turn := range turns {
		for name, best := range map[string]map[string]float64{"iozone": theirs, "client": ours} {
			for cell, kb := range cells(t, files[fmt.Sprintf("%s.%d", name, turn+1)]) {
				t.Logf("turn %d, %s: %s %.0f kB/s", turn+1, name, cell, kb)
				best[cell] = max(best[cell], kb)
			}
		}
	}
	if len(theirs) != 12 || len(ours) != 12 {
		t.Fatalf("iozone %v, flashdex %v", theirs, ours)
	}
	for _, cell := range slices.Sorted(maps.Keys(theirs)) {
		ratio := ours[cell] / theirs[cell]
		t.Logf("%-17s iozone %6.0f kB/s, flashdex %6.0f, ratio %.3f", cell+":", theirs[cell], ours[cell], ratio)
		if percent := 100 * (ratio - 1); math.Abs(percent) > iozoneBoundPercent {
			t.Errorf("%s differs from iozone by %+.1f %%, want at most %d %%", cell, percent, iozoneBoundPercent)
		}
	}
}

// cells reads iozone's table, in kB a second, or the client's table of the same form.
func cells(t *testing.T, said []byte) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, line := range regexp.MustCompile(`(?m)^ *51200 .*$`).FindAllString(string(said), -1) {
		fields := strings.Fields(line)
		for i, name := range []string{"write", "rewrite", "read", "reread", "random-read", "random-write"} {
			kb, err := strconv.ParseFloat(fields[i+2], 64)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			found[name+" "+fields[1]+"k"] = kb
		}
	}
	return found
}
