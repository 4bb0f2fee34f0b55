package guest

import (
	"fmt"
	"testing"
	"time"

	"flashdex/result"
)

// TestStructureOfACard asks whole cards for their inside, and one with a file system. What the client tells is what the
// cards were made with. Each writes as much as fits into half of it first, so that its units hold something.
func TestStructureOfACard(t *testing.T) {
	t.Parallel()
	if !*long {
		t.Skip("takes minutes: make test-long")
	}
	const mib = 1 << 20
	of := func(open int, unitBytes, pageBytes int64) cardModel {
		return cardModel{
			Open: open, UnitBytes: unitBytes, PageBytes: pageBytes, Hit: 2 * time.Millisecond, Merge: 60 * time.Millisecond,
			Cross: 3 * time.Millisecond, WriteMBPerS: 100, ReadMBPerS: 100, Alone: true,
		}
	}
	pages := of(0, 0, 16<<10)
	pages.Merge = pages.Hit
	for name, c := range map[string]struct {
		trial
		places, unitBytes, pageBytes int64 // 0: can't tell
	}{
		"USB, 5 open":     {trial{bus: usb, model: of(5, 4*mib, 16<<10)}, 5, 4 * mib, 16 << 10},
		"virtio, 1 open":  {trial{bus: virtio, model: of(1, 6*mib, 8<<10)}, 1, 6 * mib, 8 << 10},
		"virtio, 12 open": {trial{bus: virtio, model: of(12, 2*mib, 0)}, 12, 2 * mib, 0},
		"USB, by pages":   {trial{bus: usb, model: pages}, result.MostPlaces, 0, 16 << 10},
		"ext4, 3 open":    {trial{bus: virtio, model: of(3, 4*mib, 0), filesystem: "ext4"}, 3, 4 * mib, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.moduleBytes = 2 << 30
			target := `--device "$device" --erase --yes`
			if c.filesystem != "" {
				target = "/mnt"
			}
			files, writes := c.run(t, `
FLASHDEX_DIR=/tmp/results /flashdex `+target+` --profile structure --no-upload >/out/table 2>/out/said || exit
cp /tmp/results/*.json /out/result.json`)
			doc := document(t, files)
			var took, bytes int64
			said := ""
			for i := range doc.Tests {
				test := &doc.Tests[i]
				took, bytes = took+test.ElapsedNS(), bytes+test.Bytes
				f := test.Figures()
				told := map[string]struct{ got, want int64 }{}
				switch {
				case test.Name == result.TurnWrite:
					told["places"] = struct{ got, want int64 }{value(f.OpenUnits), c.places}
				case test.Name == result.GapWrite:
					told["unit"] = struct{ got, want int64 }{value(f.AllocationUnitBytes), c.unitBytes}
				case test.Name == result.AcrossWrite && test.BlockBytes == result.PageBlockBytes:
					told["page"] = struct{ got, want int64 }{value(f.PageBytes), c.pageBytes}
				}
				for what, v := range told {
					if v.got != v.want {
						t.Errorf("%s: %d, the card has %d", what, v.got, v.want)
					}
				}
				said += fmt.Sprintf(" %s %d:", test.Name, test.BlockBytes)
				if f.Ratio != nil {
					said += fmt.Sprintf(" %.2f times (%.2f to %.2f)", *f.Ratio, *f.RatioLow, *f.RatioHigh)
				}
				said += fmt.Sprintf(" %.0f s;", float64(test.ElapsedNS())/1e9)
			}
			t.Logf("%.0f s, %d MiB, %d writes;%s", float64(took)/1e9, bytes>>20, len(writes), said)
		})
	}
}

func value(v *int64) int64 {
	if v == nil {
		return 0
	}
	return *v
}
