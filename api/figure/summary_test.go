package figure

import (
	"fmt"
	"testing"

	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// shares returns the units that each contributor's runs make.
func shares(contributors ...[]Run) (all []Contribution) {
	for i, runs := range contributors {
		all = append(all, Contribution{i, UnitsOf(runs)})
	}
	return all
}

// in finds the summary of a class of hosts or a variant.
func in(t *testing.T, all []Summary, hostClass, variant string) Summary {
	t.Helper()
	for _, s := range all {
		if s.HostClass == hostClass && VariantOf(s.Variant).Name == variant {
			return s
		}
	}
	t.Fatalf("no summary of %q and %q in %+v", hostClass, variant, all)
	return Summary{}
}

func made(r Run, name string, evidence ...string) Run {
	r.Variant, r.Evidence = Variant{Bus: "sd", Manfid: "0x000003", Name: name}.Key(), evidence
	return r
}

func TestSummaries(t *testing.T) {
	t.Parallel()
	priced := func(r Run, amount float64, currency, on string) Run {
		r.Price = result.Price{Amount: amount, Currency: currency, On: on}
		return r
	}
	spoiled := made(ran("6", "", "pi-4", "Pi 4", 50, 1), "SL16G", EvidenceCRCWrong)
	spoiled.Ranked = false
	all := SummariesOf("a-module", shares(
		[]Run{made(ran("1", "x", "pi-4", "Pi 4", 50, 100), "SL16G"),
			made(ran("2", "y", "pi-4", "Pi 4", 50, 200), "SL16G", EvidenceSerialNearZero)},
		[]Run{priced(made(ran("3", "", "usb-3", "PC", 500, 300), "SD16G"), 8, "EUR", "2026-10"),
			ran("4", "", "pi-3", "Pi 3", 25, 30)},
		[]Run{priced(ran("5", "", "usb-3", "PC", 500, 900), 10, "EUR", "2026-11-02"),
			priced(ran("7", "z", "usb-3", "PC", 0, 900), 12, "USD", "2025-01")},
		[]Run{spoiled},
	), false)
	whole := in(t, all, "", "")
	if f := whole.Figures.At(RandWriteIOPS); f.Value != 300 || f.N != 5 || f.Contributors != 3 || f.Runs != 5 ||
		f.Min != 100 || f.Max != 900 || f.Low == nil || *f.Low > 100 || f.Confidence != 0.95 {
		t.Errorf("4K random write: %+v", f)
	}
	if whole.Units != 5 || whole.Contributors != 3 || whole.Boards != 2 || whole.Results != 7 || whole.Newest != "7" ||
		whole.ModuleSlug != "a-module" || whole.BusMBPerS != 0 || !whole.USB {
		t.Errorf("the whole: %+v", whole)
	}
	evidence := []map[string]int{{EvidenceSerialNearZero: 1, EvidenceCRCWrong: 1, EvidenceIdentified: 4},
		{EvidenceSerialNearZero: 1, EvidenceCRCWrong: 1, EvidenceIdentified: 3}}
	if diff := cmp.Diff(evidence, []map[string]int{whole.Shown, whole.ShownBy}); diff != "" {
		t.Errorf("evidence of units, and by contributors (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]PriceMedian{{9, "EUR", "2026-11-02", 2}, {12, "USD", "2025-01", 1}}, whole.Prices); diff != "" {
		t.Errorf("prices (-want +got):\n%s", diff)
	}
	if s := in(t, all, "pi-3", ""); s.Figures.At(RandWriteIOPS).Value != 30 || s.Units != 1 || s.Results != 1 ||
		s.Figures.At(RandWriteIOPS).Low != nil || s.USB {
		t.Errorf("in a Pi 3: %+v", s)
	}
	if s := in(t, all, "pi-4", ""); s.Figures.At(RandWriteIOPS).N != 2 || s.Results != 3 || s.Contributors != 1 ||
		s.BusMBPerS != 50 {
		t.Errorf("in a Pi 4: %+v", s)
	}
	if s := in(t, all, "", "SL16G"); s.Figures.At(RandWriteIOPS).Value != 150 || s.Units != 2 ||
		s.Shown[EvidenceCRCWrong] != 1 {
		t.Errorf("variant SL16G: %+v", s)
	}
	if s := in(t, all, "", "SD16G"); s.Figures.At(RandWriteIOPS).Value != 300 || s.Units != 1 {
		t.Errorf("variant SD16G: %+v", s)
	}
	if whole.AllUnits != 6 || whole.Identified != 4 || whole.OnlyVariant != "" {
		t.Errorf("of the whole, %d units, %d of known variants, the only one %q", whole.AllUnits, whole.Identified,
			whole.OnlyVariant)
	}
}

// A tag costs its sender nothing, so the prices of six units of one contributor are one voice, as their figures are.
func TestThePricesOfOneContributorAreOneVoice(t *testing.T) {
	t.Parallel()
	paid := func(unit string, amount float64) Run {
		r := ran(fmt.Sprint(unit, amount), unit, "pi-4", "Pi 4", 50, 100)
		r.Price = result.Price{Amount: amount, Currency: "EUR", On: "2026-10"}
		return r
	}
	honest, liar := []Run{paid("a", 9)}, []Run{}
	for i := range 6 {
		liar = append(liar, paid(fmt.Sprint("liar's ", i), 1))
	}
	all := SummariesOf("a-module", shares(honest, liar), true)
	want := []PriceMedian{{5, "EUR", "2026-10", 7}}
	if diff := cmp.Diff(want, in(t, all, "", "").Prices); diff != "" {
		t.Errorf("of all units (-want +got):\n%s", diff)
	}
	all = SummariesOf("a-module", shares(honest), true)
	if _, ok := Update(all, []Change{{After: UnitsOf(liar)}}); !ok {
		t.Fatal("another contributor needs all units")
	}
	if diff := cmp.Diff(want, in(t, all, "", "").Prices); diff != "" {
		t.Errorf("brought up to date (-want +got):\n%s", diff)
	}
}

func TestTheOnlyVariantIsNoGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	all := SummariesOf("a-module", shares(
		[]Run{made(ran("1", "", "pi-4", "Pi 4", 50, 100), "SL16G")}, []Run{ran("2", "", "usb-3", "PC", 500, 300)},
	), false)
	for _, s := range all {
		if s.Variant != "" || s.HostClass != "" && s.OnlyVariant != "" {
			t.Errorf("a variant of which there is no other is shown apart: %+v", s)
		}
	}
	whole := in(t, all, "", "")
	if got := VariantOf(whole.OnlyVariant).Name; got != "SL16G" || whole.AllUnits != 2 || whole.Identified != 1 {
		t.Errorf("the only variant is %q, known of %d of %d units", got, whole.Identified, whole.AllUnits)
	}
}
