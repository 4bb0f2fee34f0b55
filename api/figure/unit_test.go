package figure

import (
	"math"
	"strings"
	"testing"
	"time"

	"flashdex/result"
	"flashdex/result/sign"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var nan = math.NaN()

// ran makes a counting run with only a 4K random write rate.
func ran(id, tag, hostClass, board string, busMBPerS, iops float64) Run {
	return Run{
		Facts: Facts{
			Values: Padded([]float64{iops}), Errors: Padded(nil), HostClass: hostClass, BusMBPerS: busMBPerS,
			Evidence: []string{},
		},
		ID: id, ReceivedAt: time.Unix(int64(id[0]), 0), Method: "flashdex-1", Tag: tag, Board: board, Ranked: true,
		Heard: true,
	}
}

// brief holds the fields of a unit that tests compare.
type brief struct {
	Tag, HostClass string
	Best           bool
	Runs, Results  int
	IOPS           float64
	Boards         []string
	Newest         string
}

func briefly(units []Unit) (all []brief) {
	for _, u := range units {
		all = append(all, brief{u.Tag, u.HostClass, u.Best, u.Runs, u.Results, u.Values[0], u.Boards, u.Newest})
	}
	return all
}

func TestAUnitStandsWhereItsBusIsWidest(t *testing.T) {
	t.Parallel()
	quick := ran("7", "a", "pi-4", "Pi 4", 50, 9999)
	quick.Ranked = false
	units := UnitsOf([]Run{
		ran("1", "a", "pi-3", "Pi 3", 25, 900), // faster, but on the narrower bus
		ran("2", "a", "pi-4", "Pi 4", 50, 100), ran("3", "a", "pi-4", "Pi 4", 50, 300),
		ran("4", "a", "pi-4", "Pi 4 8 GB", 50, 500),
		ran("5", "a", "pi-4", "Pi 4", 25, 1), ran("6", "a", "pi-4", "Pi 4", 0,
			1), // in slower modes of the bus, and in an unknown one
		quick,
	})
	want := []brief{
		{"a", "pi-3", false, 1, 1, 900, []string{"Pi 3"}, "1"},
		{"a", "pi-4", true, 3, 6, 300, []string{"Pi 4", "Pi 4 8 GB"}, "7"},
	}
	if diff := cmp.Diff(want, briefly(units)); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
}

func TestClassesOfHostsThatShareTheWidestBusAreTakenTogether(t *testing.T) {
	t.Parallel()
	units := UnitsOf([]Run{
		ran("1", "", "pi-3", "Pi 3", 25, 100), ran("2", "", "pi-2", "Pi 2", 25, 200),
		ran("3", "", "slot", "Odroid", 12.5, 900), ran("4", "b", "pi-3", "Pi 3", 0, 50),
	})
	want := []brief{
		{"", "pi-2", false, 1, 1, 200, []string{"Pi 2"}, "2"},
		{"", "pi-3", false, 1, 1, 100, []string{"Pi 3"}, "1"},
		{"", "slot", false, 1, 1, 900, []string{"Odroid"}, "3"},
		{"", "", true, 2, 0, 150, []string{"Pi 2", "Pi 3"}, "3"},
		{"b", "pi-3", true, 1, 1, 50, []string{"Pi 3"}, "4"},
	}
	if diff := cmp.Diff(want, briefly(units)); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
}

func TestAUnitOfWhichNothingCountsIsThereAllTheSame(t *testing.T) {
	t.Parallel()
	a, b := ran("1", "a", "pi-3", "Pi 3", 25, 100), ran("2", "a", "pi-4", "Pi 4", 50, 200)
	a.Ranked, b.Ranked = false, false
	b.Evidence, b.Variant, a.Price = []string{EvidenceSerialNearZero}, Variant{Bus: "sd", Manfid: "0x3",
		Name: "SL16G"}.Key(), result.Price{Amount: 9.99, Currency: "EUR", On: "2026-10"}
	units := UnitsOf([]Run{a, b})
	want := []brief{{"a", "pi-3", true, 0, 1, nan, []string{}, "1"}, {"a", "pi-4", false, 0, 1, nan, []string{}, "2"}}
	if diff := cmp.Diff(want, briefly(units), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("units (-want +got):\n%s", diff)
	}
	for _, u := range units {
		if u.Variant != b.Variant || u.Price != a.Price ||
			!cmp.Equal(u.Evidence, []string{EvidenceIdentified, EvidenceSerialNearZero}) {
			t.Errorf("the unit showed %+v", u)
		}
	}
	a.Heard, b.Heard = false, false
	for _, u := range UnitsOf([]Run{a, b}) {
		if u.Variant != b.Variant || len(u.Evidence) > 0 || u.Price != (result.Price{}) {
			t.Errorf("of a contributor on probation the unit showed %+v", u)
		}
	}
}

// A bad reader may have lost data: who checks again overtakes it, by whatever method. A part that is lost is a finding,
// too. Imports have no tag, and may be of several units.
func TestTheNewestCheckOfAUnitsCapacityDecides(t *testing.T) {
	t.Parallel()
	limited := []string{EvidenceCapacityChecked, EvidenceCapacity, string(sign.AlmostCertain), EvidenceCRCWrong}
	inPart := []string{EvidenceCapacity, string(sign.AlmostCertain)}
	genuine := []string{EvidenceCapacityChecked, string(sign.NoSign)}
	units := func(tag string, methodOfSecond string, first, second []string) (all []string) {
		a, b, c := ran("1", tag, "pi-4", "Pi 4", 50, 100), ran("2", tag, "pi-4", "Pi 4", 50, 100),
			ran("3", tag, "pi-4", "Pi 4", 50, 100)
		a.Evidence, b.Evidence, c.Evidence = first, second, []string{EvidenceWearTold} // that one tells of no check
		b.Method = methodOfSecond
		for _, u := range UnitsOf([]Run{b, c, a}) {
			all = append(all, strings.Join(u.Evidence, " "))
		}
		return all
	}
	const checked = EvidenceCapacityChecked
	for name, c := range map[string]struct{ got, want []string }{
		"genuine after all": {units("a", "flashdex-1", limited, genuine), []string{checked + " crc-wrong no sign wear-told"}},
		"no longer genuine": {units("a", "flashdex-1", genuine, limited),
			[]string{"almost certainly capacity " + checked + " crc-wrong no sign wear-told"}},
		"genuine after all, and not in a part": {units("a", "flashdex-1", inPart, genuine),
			[]string{checked + " no sign wear-told"}},
		"lost in a part": {units("a", "flashdex-1", genuine, inPart),
			[]string{"almost certainly capacity no sign wear-told"}},
		"by another method": {units("a", "quick-1", limited, genuine),
			[]string{checked + " crc-wrong wear-told", checked + " no sign"}},
		"of several units": {units("", "flashdex-1", limited, genuine),
			[]string{"almost certainly capacity " + checked + " crc-wrong no sign wear-told"}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The runs' own errors are 3 and 4 %, so that the mean square is 12.5 %²; the third run's isn't known.
func TestAUnitsError(t *testing.T) {
	t.Parallel()
	runs := func(values, errors []float64) (all []Run) {
		for i, v := range values {
			r := ran(string(rune('1'+i)), "a", "pi-4", "Pi 4", 50, v)
			r.Errors[0] = errors[i]
			all = append(all, r)
		}
		return all
	}
	apart := math.Log(1.5) * math.Log(1.5) / 2 // the variance of the logarithms of 100 and 150
	for name, c := range map[string]struct {
		values, errors []float64
		want           float64
	}{
		"one run":                     {[]float64{100}, []float64{0.03}, 0.03},
		"one without an interval":     {[]float64{100}, []float64{nan}, nan},
		"two":                         {[]float64{100, 101}, []float64{0.03, 0.04}, math.Sqrt(0.00125 / 2)},
		"three, one without":          {[]float64{100, 101, 99}, []float64{0.03, 0.04, nan}, math.Sqrt(0.00125 / 3 * math.Pi / 2)},
		"two further apart than that": {[]float64{100, 150}, []float64{0.03, 0.04}, math.Sqrt(apart / 2)},
		"one of nothing":              {[]float64{0, 100}, []float64{0.03, 0.04}, math.Sqrt(0.00125 / 2)},
	} {
		units := UnitsOf(runs(c.values, c.errors))
		if got := units[0].Errors[0]; len(units) != 1 || !cmp.Equal(got, c.want, cmpopts.EquateApprox(1e-12, 0),
			cmpopts.EquateNaNs()) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if got := units[0].Errors[1]; !math.IsNaN(got) {
			t.Errorf("%s: what was not measured has the error %v", name, got)
		}
	}
}
