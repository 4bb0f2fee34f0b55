package figure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) {
	keptSteps = 1  // so that a few units have gaps between them
	coarseFrom = 9 // so that shares are sometimes rounded coarsely and sometimes not
	os.Exit(m.Run())
}

// After any change, an updated summary equals one computed from all units, or Update reports that it can't update it.
func TestUpdatedSummariesAreThoseOfAllUnits(t *testing.T) {
	t.Parallel()
	updated, gaps := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		// Many units of many contributors, who differ in how many they have.
		runs := make([][]Run, rapid.IntRange(6, 40).Draw(t, "contributors"))
		serial := 0
		draw := func() Run {
			serial++
			r := ran(fmt.Sprintf("%c%d", '0'+serial%70, serial),
				rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "unit"),
				rapid.SampledFrom([]string{"pi-4", "pi-4", "usb-3", "slot"}).Draw(t, "class"),
				rapid.SampledFrom([]string{"Pi 4", "Pi 400", "PC"}).Draw(t, "board"),
				rapid.SampledFrom([]float64{0, 25, 50, 50}).Draw(t, "bus"),
				float64(rapid.IntRange(1, 50).Draw(t, "iops")))
			r.Values[3] = rapid.Float64Range(1, 100).Draw(t, "rate")
			r.Ranked = rapid.IntRange(0, 9).Draw(t, "ranked") > 0
			r.Heard = rapid.IntRange(0, 9).Draw(t, "heard") > 0
			if rapid.IntRange(0, 9).Draw(t, "other method") == 0 {
				r.Method = "flashdex-0"
			}
			if rapid.Bool().Draw(t, "known") {
				r.Variant = Variant{Bus: "sd", Manfid: "0x000003",
					Name: rapid.SampledFrom([]string{"SL16G", "SL16G", "SD16G"}).Draw(t, "variant")}.Key()
			}
			if rapid.Bool().Draw(t, "signs") {
				r.Evidence = []string{EvidenceSerialNearZero}
			}
			if rapid.Bool().Draw(t, "priced") {
				r.Price = result.Price{
					Amount:   float64(rapid.IntRange(5, 15).Draw(t, "price")),
					Currency: rapid.SampledFrom([]string{"EUR", "USD"}).Draw(t, "currency"),
					On:       rapid.SampledFrom([]string{"2025-01", "2026-02"}).Draw(t, "on"),
				}
			}
			return r
		}
		units := make([]Contribution, len(runs))
		for i := range runs {
			for range rapid.IntRange(0, 4).Draw(t, "runs") {
				runs[i] = append(runs[i], draw())
			}
			units[i] = Contribution{i, UnitsOf(slices.Clone(runs[i]))}
		}
		kept := SummariesOf("a-module", units, true)
		for range rapid.IntRange(1, 12).Draw(t, "changes") {
			var changes []Change
			for range rapid.IntRange(1, 2).Draw(t, "at once") {
				i := rapid.IntRange(0, len(runs)-1).Draw(t, "contributor")
				if len(runs[i]) > 0 && rapid.IntRange(0, 2).Draw(t, "remove") == 0 {
					runs[i] = slices.Delete(runs[i], 0, 1)
				} else {
					runs[i] = append(runs[i], draw())
				}
				before := units[i].Units
				units[i].Units = UnitsOf(slices.Clone(runs[i]))
				changes = append(changes, Change{before, units[i].Units})
			}
			anew := SummariesOf("a-module", units, true)
			if _, ok := Update(kept, changes); !ok {
				kept = anew
				continue
			}
			updated++
			for _, s := range kept {
				for _, d := range s.Tally.Figures {
					if slices.ContainsFunc(d.Steps, func(s Step) bool { return s.Value != s.Value }) {
						gaps++
					}
				}
			}
			for i := range anew {
				if anew[i].Whole() && kept[i].Whole() {
					anew[i].Fit(nil, nil)
					kept[i].Fit(nil, nil)
				}
				for _, key := range FigureKeys { // to the last bit
					if a, b := PackShares(anew[i].Shares[key]), PackShares(kept[i].Shares[key]); !bytes.Equal(a, b) {
						t.Fatalf("shares anew: %s, updated: %s", a, b)
					}
				}
				if diff := cmp.Diff(maps.Collect(anew[i].Model.All()), maps.Collect(kept[i].Model.All())); diff != "" {
					t.Fatalf("model (-anew +updated):\n%s", diff)
				}
			}
			if diff := cmp.Diff(stored(t, anew), stored(t, kept), cmpopts.EquateApprox(1e-9, 0)); diff != "" {
				t.Fatalf("updated (-anew +updated):\n%s", diff)
			}
		}
	})
	if updated == 0 || gaps == 0 {
		t.Errorf("%d updates, %d distributions with gaps: this tests nothing", updated, gaps)
	}
	t.Logf("%d updates, %d distributions with gaps", updated, gaps)
}

// stored returns summaries as the database stores them, in the order of their keys.
func stored(t interface{ Fatal(...any) }, summaries []Summary) (all []any) {
	for _, s := range summaries {
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var object any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		all = append(all, []any{s.Method, s.HostClass, s.Variant, object})
	}
	return all
}
