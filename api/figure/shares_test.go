package figure

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"flashdex/api/figure/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// unitIn is a unit with one figure, its error, and the kind of host that it was measured in.
func unitIn(kind string, iops, error float64) Unit {
	class, _, _ := bytes.Cut([]byte(kind), []byte("/"))
	u := Unit{Method: "flashdex-1", HostClass: string(class), HostKind: kind, Best: true, Runs: 1,
		Values: Padded(nil), Errors: Padded(nil), Boards: []string{"a board"}}
	u.Values[slices.Index(FigureKeys, RandWriteIOPS)] = iops
	u.Errors[slices.Index(FigureKeys, RandWriteIOPS)] = error
	return u
}

// Worked out by hand.
func TestSharesOfOneContributor(t *testing.T) {
	t.Parallel()
	shares := Shares{}
	shares.add([]Unit{
		unitIn("pi-4/-/-", 100, 0.03), unitIn("pi-4/-/-", 400, 0.04), unitIn("usb-3/-/05e3:0749", 200, math.NaN()),
		{Method: "flashdex-1", Best: true, Runs: 2, Values: Padded([]float64{300})}, // in several classes: no share
	}, 1, false)
	want := []KindShare{
		{"pi-4/-/-", model.Share{LogRate: math.Log(200), Cards: 2, Scatter: 2 * math.Log(2) * math.Log(2),
			Error2: (0.03*0.03 + 0.04*0.04) / 2, Classes: 2, Contributors: 1}},
		{"usb-3/-/05e3:0749", model.Share{LogRate: math.Log(200), Cards: 1, Classes: 2, Contributors: 1}},
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-3 })
	if diff := cmp.Diff(want, shares[RandWriteIOPS], near); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
}

// Contributors come and go. Shares always come from the contributors who are there, and packing keeps every bit.
func TestSharesComeAndGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		coarse := rapid.Bool().Draw(t, "coarse")
		draw := func() (units []Unit) {
			for range rapid.IntRange(1, 3).Draw(t, "units") {
				units = append(units, unitIn(rapid.SampledFrom([]string{"pi-4/-/A", "pi-4/-/B", "usb-3/-/-"}).Draw(t, "kind"),
					rapid.Float64Range(1, 1e5).Draw(t, "iops"), rapid.Float64Range(0, 0.2).Draw(t, "error")))
			}
			return units
		}
		kept, anew := Shares{}, Shares{}
		for range rapid.IntRange(0, 12).Draw(t, "contributors") {
			units := draw()
			kept.add(units, 1, coarse)
			if rapid.Bool().Draw(t, "goes") {
				if !kept.add(units, -1, coarse) {
					t.Fatal("what was counted can't be taken back")
				}
				continue
			}
			anew.add(units, 1, coarse)
		}
		a, b := PackShares(anew[RandWriteIOPS]), PackShares(kept[RandWriteIOPS])
		if !bytes.Equal(a, b) {
			t.Fatalf("anew: %s, step by step: %s", a, b)
		}
		if len(a) == 0 {
			return
		}
		read, err := UnpackShares(a)
		if again := PackShares(read); err != nil || !bytes.Equal(again, a) {
			t.Fatalf("%v: %s became %s", err, a, again)
		}
	})
	if (Shares{}).add([]Unit{unitIn("pi-4/-/-", 100, 0)}, -1, false) {
		t.Error("what was never counted was taken back")
	}
}

// Shares from the database may be damaged, which must be an error.
func TestDamagedShares(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "[]", `{"kinds":["a"],"kind":[1],"log_rate":[1]}`, `{"kinds":["a"],"kind":[-1],"log_rate":[1]}`,
		`{"kinds":["a"],"kind":[0],"log_rate":[1,2]}`, `{"kinds":["a"],"kind":[0],"log_rate":[1],"cards":[]}`,
	} {
		if shares, err := UnpackShares([]byte(text)); err == nil {
			t.Errorf("%s: %v", text, shares)
		}
	}
}

// If a module's shares are rounded coarsely, because it has many contributors, its figure differs from exact shares' by
// at most a hundredth of its interval, and there are few numbers.
func TestCoarseSharesSayTheSame(t *testing.T) {
	t.Parallel()
	fine, coarse := Shares{}, Shares{}
	for i := range 20_000 {
		iops := 800 * math.Exp(0.3*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/20_000-1))
		units := []Unit{unitIn(fmt.Sprintf("pi-%d/-/-", 4+i%2), iops, 0.02)}
		fine.add(units, 1, false)
		coarse.add(units, 1, true)
	}
	if n := len(coarse[RandWriteIOPS]); n > 1500 {
		t.Errorf("%d shares are left", n)
	}
	var figures [2]Figure
	for i, shares := range []Shares{fine, coarse} {
		s := Summary{Method: "flashdex-1", Shares: shares, Figures: Set{}}
		s.Fit(nil, nil)
		figures[i] = s.Figures.At(RandWriteIOPS)
	}
	if a, b := figures[0], figures[1]; math.Abs(math.Log(a.Value/b.Value)) > 0.01*math.Log(*a.High / *a.Low) {
		t.Errorf("exact: %v, coarse: %v", a, b)
	}
}
