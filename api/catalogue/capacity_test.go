package catalogue

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"flashdex/result"
)

// result.Document.CapacityChecked takes it for granted that every known fake shows from four fifths of its capacity on.
// One that doesn't asks for another rule. The source writes GB for 2^30 bytes in places, which is assumed of all.
func TestKnownFakesShowInWhatCountsAsChecked(t *testing.T) {
	t.Parallel()
	most := 0.0
	for _, check := range loaded(t).CapacityChecks {
		if check.Verdict != CapacityFake {
			continue
		}
		unit, err := strconv.ParseFloat(regexp.MustCompile(`[\d.]+`).FindString(check.Real), 64)
		if err != nil || !strings.Contains(check.Real, "G") {
			t.Fatalf("%s has %q", check.ModuleSlug, check.Real)
		}
		claimed, real := int64(check.PrintedGB*1e9), int64(unit*(1<<30))
		most = max(most, float64(real)/float64(claimed))
		doc := result.Document{Module: result.Module{CapacityGB: check.PrintedGB}, Imported: &result.Imported{
			Checked: &result.Checked{Bytes: claimed * 4 / 5, OKBytes: min(real, claimed*4/5), OfBytes: claimed}}}
		if !doc.CapacityChecked() || !doc.Imported.Checked.LacksSurely() {
			t.Errorf("%s, of %s, counts as checked: %v, and as a fake: %v", check.ModuleSlug, check.Real,
				doc.CapacityChecked(), doc.Imported.Checked.LacksSurely())
		}
	}
	if most < 0.53 || most > 0.54 {
		t.Errorf("a fake has %.3f of what it claims, and the texts say 54 %%", most)
	}
}
