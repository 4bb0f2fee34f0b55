package guest

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flashdex/result"
)

// structured is a card, and the structure inside it.
type structured struct {
	trial
	places, unitBytes, pageBytes int64 // 0: can't tell
}

const mib = 1 << 20

// hasStructure is a card with so many open units. Linear writes are as fast as the bus, since the area must be written
// within a limit. Half of the card has room for places that are result.LeastApartBytes apart.
func hasStructure(open int, unitBytes, pageBytes int64) structured {
	return structured{trial{bus: usb, moduleBytes: 3600 * mib, model: cardModel{
		Open: open, UnitBytes: unitBytes, PageBytes: pageBytes, Alone: true,
		Hit: 2 * time.Millisecond, Merge: 60 * time.Millisecond, Cross: 3 * time.Millisecond,
	}}, int64(open), unitBytes, pageBytes}
}

// TestStructureOfACard asks whole cards, and one with a file system, for their structure. The client must tell how the
// cards were made, and must tell nearly everything for whole cards. Each run first writes as much as fits into half of
// the card, so that its units hold something.
func TestStructureOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	pages, withExt4 := hasStructure(0, 0, 16<<10), hasStructure(3, 4*mib, 0)
	pages.places, pages.model.Merge, withExt4.filesystem = result.MostPlaces, pages.model.Hit, "ext4"
	hashed := hasStructure(4, 4*mib, 16<<10)
	hashed.model.Hashed = true
	all := map[string]structured{
		"1 open":       hasStructure(1, 6*mib, 8<<10),
		"5 open":       hasStructure(5, 4*mib, 16<<10),
		"12 open":      hasStructure(12, 2*mib, 0),
		"by pages":     pages,
		"hashed":       hashed,
		"ext4, 3 open": withExt4,
	}
	for name, r := range byChance() {
		c := hasStructure(1+r.IntN(32), oneOf[int64](r, 1, 2, 3, 4, 6, 8, 12, 16)*mib, oneOf[int64](r, 0, 8, 16, 32)<<10)
		c.model.Hit = someTime(r, time.Millisecond, 4*time.Millisecond)
		c.model.Merge = someTime(r, 20*time.Millisecond, 120*time.Millisecond)
		c.model.Cross = someTime(r, c.model.Hit/2, 2*c.model.Hit)
		// A hash fills all of its places only if there are many units for each.
		c.model.Hashed = r.IntN(2) > 0 && c.unitBytes <= 4*mib && c.places <= 12
		all[name] = c
	}
	var asked, told atomic.Int64
	t.Cleanup(func() {
		line := fmt.Sprintf("of %d places, units and pages, %d were told", asked.Load(), told.Load())
		if t.Log(line); asked.Load()-told.Load() > 1+asked.Load()/20 {
			t.Error(line)
		}
	})
	for name, c := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, writes := c.here(t, "--profile", result.ProfileStructure)
			ofAll, ofTold := c.compare(t, doc, len(writes))
			if c.filesystem != "" {
				return // it writes to places of its own, and may hide all
			}
			asked.Add(ofAll)
			told.Add(ofTold)
		})
	}
}

// compare compares what the client tells with the card. It returns how many of the card's places, units and pages can
// be told, and how many were.
func (c structured) compare(t *testing.T, doc *result.Document, writes int) (asked, told int64) {
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
		for _, name := range []string{v.test, result.KeptWrite} {
			if test := doc.TestOf(name, v.blockBytes); test != nil {
				got = max(got, value(v.told(test.Figures())))
			}
		}
		t.Logf("%s: %d of %d", what, got, v.want)
		if got > 0 && got != v.want {
			t.Errorf("%s: %d, the card has %d", what, got, v.want)
		}
		if v.want > 0 {
			asked++
		}
		if got > 0 {
			told++
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
	return asked, told
}

// TestOpenUnitsAgreeWithFlashbench lets flashbench find the same number of open units in the same guest. flashbench
// writes to so many erase blocks in turn, in blocks of 4 MiB, then 2 MiB, and so on. It writes about as fast to five as
// to four, and far more slowly to six.
func TestOpenUnitsAgreeWithFlashbench(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	c := hasStructure(5, 4*mib, 16<<10)
	c.programs = []string{"flashbench"}
	files, writes := c.run(t, `
FLASHDEX_DIR=/tmp/results /flashdex --device "$device" --erase --yes --profile structure --no-upload >/out/table || exit
cp /tmp/results/*.json /out/result.json
for open in 4 5 6; do
	flashbench --open-au --open-au-nr=$open --erasesize=4194304 --blocksize=65536 --offset=536870912 "$device" \
		>/out/open.$open || exit
done`)
	doc := document(t, files)
	c.compare(t, doc, len(writes))
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
	places, oneMore := result.PlacesOf(doc.Test(result.TurnWrite).Intervals)
	line := fmt.Sprintf("flashbench, 64 KiB to 4, 5 and 6 erase blocks: %.2f, %.2f, %.2f MB/s; flashdex, 4 KiB: "+
		"%d open, one more takes %.1f times as long", rate[4], rate[5], rate[6], places.Low, oneMore.Times)
	t.Log(line)
	// A busy computer slows flashbench's few seconds down, but not as much as one open unit more.
	fewer, more := max(1, rate[4]/rate[5]), rate[5]/rate[6]
	if places.Low != 5 || more < result.SlowerTimes*fewer {
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
