package guest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"flashdex/result"
)

// runsElsewhere has the system of a guest run from a disk in memory, from which the client then starts in /system. The
// client erases no virtual disk that may be the system's.
const runsElsewhere = `
mkfs.ext4 -q /dev/ram0 && mkdir /system && mount /dev/ram0 /system || exit
for dir in bin dev proc sys tmp; do mkdir "/system/$dir" && mount --bind "/$dir" "/system/$dir" || exit; done
cp /flashdex /system/ || exit
`

// structured is a card with what is inside.
type structured struct {
	trial
	places, unitBytes, pageBytes int64 // 0: can't tell
}

// TestStructureOfACard asks whole cards for their inside, and one with a file system. What the client tells is what the
// cards were made with. Each writes as much as fits into half of it first, so that its units hold something.
func TestStructureOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const mib = 1 << 20
	// So that half of it has room for places that are result.LeastApartBytes from each other.
	const moduleBytes = 3600 * mib
	of := func(open int, unitBytes, pageBytes int64) cardModel {
		// In a line it is as fast as the bus, for the area must be written within a limit.
		return cardModel{
			Open: open, UnitBytes: unitBytes, PageBytes: pageBytes, Alone: true,
			Hit: 2 * time.Millisecond, Merge: 60 * time.Millisecond, Cross: 3 * time.Millisecond,
		}
	}
	pages := of(0, 0, 16<<10)
	pages.Merge = pages.Hit
	all := map[string]structured{
		withFlashbench:     {trial{bus: usb, model: of(5, 4*mib, 16<<10)}, 5, 4 * mib, 16 << 10},
		"virtio, 1 open":   {trial{bus: virtio, model: of(1, 6*mib, 8<<10)}, 1, 6 * mib, 8 << 10},
		"virtio, 12 open":  {trial{bus: virtio, model: of(12, 2*mib, 0)}, 12, 2 * mib, 0},
		"virtio, by pages": {trial{bus: virtio, model: pages}, result.MostPlaces, 0, 16 << 10},
		"ext4, 3 open":     {trial{bus: virtio, model: of(3, 4*mib, 0), filesystem: "ext4"}, 3, 4 * mib, 0},
	}
	for name, r := range byChance() {
		model := of(1+r.IntN(32), oneOf[int64](r, 1, 2, 3, 4, 6, 8, 12, 16)*mib, oneOf[int64](r, 0, 8, 16, 32)<<10)
		model.Hit = someTime(r, time.Millisecond, 4*time.Millisecond)
		model.Merge = someTime(r, 20*time.Millisecond, 120*time.Millisecond)
		model.Cross = someTime(r, model.Hit/2, 2*model.Hit)
		all[name] = structured{trial{bus: virtio, model: model}, int64(model.Open), model.UnitBytes, model.PageBytes}
	}
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.moduleBytes = moduleBytes
			if strings.HasPrefix(name, "card ") {
				doc, writes := c.here(t, "--profile", result.ProfileStructure)
				c.compare(t, doc, len(writes), true)
				return
			}
			before, client, after := "", `/flashdex --device "$device" --erase --yes`, ""
			switch {
			case name == withFlashbench:
				c.programs, after = []string{"flashbench"}, openUnitsOfFlashbench
			case c.filesystem != "":
				client = "/flashdex /mnt"
			case c.device == virtio.device:
				c.programs, c.drivers = []string{"mkfs.ext4"}, []string{"brd"}
				before, client = runsElsewhere, "chroot /system "+client
			}
			files, writes := c.run(t, before+`
FLASHDEX_DIR=/tmp/results `+client+` --profile structure --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json`+after)
			doc := document(t, files)
			if name == withFlashbench {
				compareWithFlashbench(t, files, doc.Test(result.TurnWrite))
			}
			c.compare(t, doc, len(writes), false)
		})
	}
}

// compare compares what the client tells with what the card has. It may tell less of a card that is made by chance.
func (c structured) compare(t *testing.T, doc *result.Document, writes int, byChance bool) {
	t.Helper()
	for what, v := range map[string]struct {
		test       string
		blockBytes int64
		told       func(f result.Figures) *int64
		want       int64
	}{
		"places": {result.TurnWrite, cardBlockBytes,
			func(f result.Figures) *int64 { return f.OpenUnits }, c.places},
		"unit": {result.GapWrite, cardBlockBytes,
			func(f result.Figures) *int64 { return f.AllocationUnitBytes }, c.unitBytes},
		"page": {result.AcrossWrite, result.PageBlockBytes,
			func(f result.Figures) *int64 { return f.PageBytes }, c.pageBytes},
	} {
		got := int64(0) // also of a test that is left out
		if test := doc.TestOf(v.test, v.blockBytes); test != nil {
			got = value(v.told(test.Figures()))
		}
		if got != v.want && (got > 0 || !byChance) {
			t.Errorf("%s: %d, the card has %d", what, got, v.want)
		} else if byChance {
			t.Logf("%s: %d of %d", what, got, v.want)
		}
	}
	var took, bytes int64
	said := ""
	for i := range doc.Tests {
		test := &doc.Tests[i]
		took, bytes = took+test.ElapsedNS(), bytes+test.Bytes
		said += fmt.Sprintf(" %s %d:", test.Name, test.BlockBytes)
		if f := test.Figures(); f.Ratio != nil {
			said += fmt.Sprintf(" %.2f times (%.2f to %.2f)", *f.Ratio, *f.RatioLow, *f.RatioHigh)
		}
		said += fmt.Sprintf(" %.0f s;", float64(test.ElapsedNS())/1e9)
	}
	t.Logf("%.0f s, %d MiB, %d writes;%s", float64(took)/1e9, bytes>>20, writes, said)
}

// flashbench writes to so many erase blocks in turn, in blocks of 4 MiB, then 2 MiB, and so on.
const (
	withFlashbench        = "USB, 5 open"
	openUnitsOfFlashbench = `
for open in 4 5 6; do
	flashbench --open-au --open-au-nr=$open --erasesize=4194304 --blocksize=65536 --offset=536870912 "$device" \
		>/out/open.$open || exit
done`
)

// compareWithFlashbench has flashbench find the same number of open units: it writes as fast to four as to five, and to
// six more slowly.
func compareWithFlashbench(t *testing.T, files map[string][]byte, turns *result.Test) {
	t.Helper()
	rate := map[int]float64{} // of the smallest blocks, in 10^6 bytes a second
	for open := 4; open <= 6; open++ {
		for line := range strings.Lines(string(files[fmt.Sprintf("open.%d", open)])) {
			var size, said string
			if _, err := fmt.Sscan(line, &size, &said); err != nil {
				t.Fatalf("flashbench said %q: %v", line, err)
			}
			unit := map[string]float64{"K/s": 1e-3, "M/s": 1, "G/s": 1e3}[said[max(len(said)-3, 0):]]
			number, err := strconv.ParseFloat(said[:max(len(said)-3, 0)], 64)
			if err != nil || unit == 0 {
				t.Fatalf("flashbench said %q: %v", line, err)
			}
			rate[open] = number * unit
		}
	}
	places, oneMore := result.PlacesOf(turns.Intervals)
	line := fmt.Sprintf("flashbench, 64 KiB to 4, 5 and 6 erase blocks: %.2f, %.2f, %.2f MB/s; flashdex, 4 KiB: "+
		"%d open, one more takes %.1f times as long", rate[4], rate[5], rate[6], places.Low, oneMore.Times)
	t.Log(line)
	if rate[5] < rate[4]/result.SlowerTimes || rate[6] > rate[5]/result.SlowerTimes {
		t.Error(line)
	}
}

// value returns 0 for a figure that the samples don't tell.
func value(v *int64) int64 {
	if v == nil {
		return 0
	}
	return *v
}
