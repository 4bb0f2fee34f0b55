package speedclass_test

import (
	"strings"
	"sync"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/speedclass"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var loaded = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(data.FS) })

func classes(t testing.TB) []catalogue.SpeedClass {
	t.Helper()
	c, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return c.SpeedClasses
}

func alone(v float64) figure.Figure { return figure.Figure{Value: v} }

func within(low, v, high float64) figure.Figure {
	return figure.Figure{Value: v, Low: &low, High: &high}
}

// card returns figures: random write, random read, linear write. A value of 0 is a missing figure.
func card(write, read, linear figure.Figure) figure.Set {
	var figures figure.Set
	for key, m := range map[string]figure.Figure{
		figure.RandWriteIOPS: write, figure.RandReadIOPS: read, figure.SeqWriteMBPerS: linear,
	} {
		if m.Value > 0 {
			figures.Put(key, m)
		}
	}
	return figures
}

var (
	slot   = speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 104}
	queued = speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 104, CommandQueue: true}
	usb    = speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 500, Reader: true}
	usb2   = speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 53.248, Reader: true}
)

func on(mbPerS float64) speedclass.Conditions {
	return speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: mbPerS}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	good := card(within(800, 812.4, 830), within(2100, 2134, 2170), alone(23.4))
	long := speedclass.Conditions{Method: result.MethodAltechnative2012, BusMBPerS: 104}
	for name, tc := range map[string]struct {
		class   string
		figures figure.Set
		under   speedclass.Conditions
		state   string
		reason  string // part of it
	}{
		"kept": {"A1", good, slot, speedclass.Reached,
			"4K random write 812 IOPS where 500 are promised (95 % interval 800 to 830)"},
		"kept, told once": {"A1", good, slot, speedclass.Reached,
			"linear write 23.4 MB/s where 10 are promised (measured without an interval)."},
		"missed": {"A1", card(within(118, 120, 131), within(2100, 2134, 2170), alone(23.4)), slot, speedclass.NotReached,
			"Not reached: 4K random write 120 IOPS where 500 are promised (95 % interval 118 to 131)."},
		"interval spans the promise": {"A1", card(within(480, 505, 530), within(2100, 2134, 2170), alone(23)), slot,
			speedclass.CantTell,
			"Can't tell: 4K random write 505 IOPS where 500 are promised (95 % interval 480 to 530), so the promise lies within the interval."},
		"interval ends on the promise": {"A1", card(within(500, 510, 520), alone(1500), alone(10)), slot,
			speedclass.Reached, ""},
		"interval ends on the promise, below": {"A1", card(within(480, 490, 500), alone(1500), alone(10)), slot,
			speedclass.CantTell, ""},
		"missed by a hair": {"A1", card(alone(499.9), alone(1500), alone(10)), slot,
			speedclass.NotReached, "499.9 IOPS where 500"},
		"one missed, one missing": {"A1", card(alone(120), alone(0), alone(10)), slot, speedclass.NotReached, ""},
		"one missing": {"A1", card(alone(800), alone(0), alone(10)), slot, speedclass.CantTell,
			"the 4K random read was not measured"},
		"nothing measured": {"A1", figure.Set{}, slot, speedclass.CantTell, "not measured"},
		"A2 without queue": {"A2", good, slot, speedclass.CantTell,
			"4K random write 812 IOPS where 2,000 are promised (95 % interval 800 to 830), but the class is promised with the card's command queue"},
		"A2 without queue, linear too slow": {"A2", card(alone(812), alone(2134), alone(4)), slot,
			speedclass.NotReached, "linear write 4 MB/s"},
		"A2 with queue": {"A2", good, queued, speedclass.NotReached, ""},
		"A2 reached without queue": {"A2", card(alone(2100), alone(4200), alone(30)), slot, speedclass.Reached,
			""},
		"A1 by a full queue": {"A1", good,
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true}, speedclass.CantTell,
			"method"},
		"A2 by a full queue": {"A2", card(within(2100, 2200, 2300), within(4100, 4200, 4300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 600},
			speedclass.Reached, ""},
		"A2 by seconds": {"A2", card(within(2100, 2200, 2300), within(8100, 8200, 8300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 10},
			speedclass.CantTell, "2,300), but 10 seconds of the class's ten minutes tell only rates below half"},
		"A2 by far in seconds": {"A2", card(within(4100, 4200, 4300), within(8100, 8200, 8300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 10},
			speedclass.Reached, ""},
		"A2 missed by a full queue": {"A2", card(within(1100, 1200, 1300), within(4100, 4200, 4300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 600},
			speedclass.NotReached, "4K random write 1,200 IOPS where 2,000 are promised"},
		"A2 missed in seconds": {"A2", card(within(1100, 1200, 1300), within(8100, 8200, 8300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 10},
			speedclass.CantTell, "1,300), but 10 seconds"},
		"A2 missed by far in seconds": {"A2", card(within(800, 900, 990), within(8100, 8200, 8300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true, QueueSeconds: 10},
			speedclass.NotReached, "4K random write 900 IOPS where 2,000 are promised"},
		"A2 missed in a host without": {"A2", card(within(1100, 1200, 1300), within(4100, 4200, 4300), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104}, speedclass.CantTell,
			"the host didn't use both, or its kernel doesn't say"},
		"A2 by a queue that failed": {"A2", card(alone(2200), alone(4200), alone(30)),
			speedclass.Conditions{Method: result.MethodQueue1, BusMBPerS: 104, CommandQueue: true,
				NotRanked: []string{"the queue failed"}}, speedclass.CantTell, "Can't tell by this run: the queue failed."},
		"dd alone": {"A1", good,
			speedclass.Conditions{Method: result.MethodDD1, BusMBPerS: 104}, speedclass.CantTell, "method"},
		"published": {"A1", good, speedclass.Conditions{Method: "fio-qd32", BusMBPerS: 104},
			speedclass.CantTell, "method"},
		"spoiled": {"A1", good, speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 104,
			NotRanked: []string{"the module was busy", "the area is not 256 MiB"}}, speedclass.CantTell,
			"Can't tell, because the result is not ranked: the module was busy; the area is not 256 MiB."},
		"no method": {"A1", good, speedclass.Conditions{BusMBPerS: 104},
			speedclass.CantTell, "method"},
		"2012, reached": {"A1", good, long, speedclass.Reached, ""},
		"2012, missed": {"A1", card(alone(400), alone(2000), alone(20)), long,
			speedclass.CantTell, "512 MiB"},
		"2012, linear missed": {"A1", card(alone(800), alone(2000), alone(5)), long,
			speedclass.NotReached, ""},
		"V30 on SDR104": {"V30", card(alone(0), alone(0), alone(28)), slot,
			speedclass.NotReached, "linear write 28 MB/s"},
		"V30 on High Speed": {"V30", card(alone(0), alone(0), alone(21)), on(25),
			speedclass.CantTell, "bus mode UHS-I or faster, and the bus carries at most 25 MB/s"},
		"V30 on an unknown bus": {"V30", card(alone(0), alone(0), alone(21)), on(0),
			speedclass.CantTell, "not known"},
		"V30 reached on an unknown bus": {"V30", card(alone(0), alone(0), alone(41)), on(0), speedclass.Reached,
			""},
		"V60 outside UHS-II": {"V60", card(alone(0), alone(0), alone(55)), slot, speedclass.CantTell,
			"UHS-II"},
		"VPG-65 within 25 % of the bus": {"VPG-65", card(alone(0), alone(0), alone(60)), on(80),
			speedclass.CantTell, "but the bus carries at most 80 MB/s"},
		"V10 in Default Speed": {"V10", card(alone(0), alone(0), alone(9)), on(12.5),
			speedclass.CantTell, "bus mode High Speed or faster, and the bus carries at most 12.5 MB/s"},
		"V10 in High Speed": {"V10", card(alone(0), alone(0), alone(9)), on(25),
			speedclass.NotReached, ""},
		"U1 in High Speed": {"U1", card(alone(0), alone(0), alone(9)), on(25), speedclass.CantTell,
			"SDR50/DDR50"},
		"Class 10 in High Speed": {"Class 10", card(alone(0), alone(0), alone(9)), on(25),
			speedclass.NotReached, ""},
		"Class 4 in Default Speed": {"Class 4", card(alone(0), alone(0), alone(3)), on(12.5),
			speedclass.NotReached, ""},
		"Class 10 in a reader": {"Class 10", card(alone(0), alone(0), alone(9)), usb,
			speedclass.NotReached, ""},
		"Class 10 in a reader at full speed": {"Class 10", card(alone(0), alone(0), alone(1)),
			speedclass.Conditions{Method: result.MethodFlashdex1, BusMBPerS: 1.216, Reader: true}, speedclass.CantTell,
			"USB card reader"},
		"Class 10 in a reader on an unknown link": {"Class 10", card(alone(0), alone(0), alone(9)),
			speedclass.Conditions{Method: result.MethodFlashdex1, Reader: true}, speedclass.CantTell, "not known"},
		"U1 in a reader": {"U1", card(alone(0), alone(0), alone(9)), usb2, speedclass.CantTell,
			"doesn't show which one"},
		"A1 in a reader, close": {"A1", card(alone(300), alone(2000), alone(20)), usb,
			speedclass.CantTell, "its own time"},
		"A1 in a reader, far off": {"A1", card(alone(20), alone(2000), alone(20)), usb,
			speedclass.NotReached, ""},
		"what VPG-20 promises has no source": {"VPG-20", card(alone(0), alone(0), alone(19)), on(133),
			speedclass.CantTell, "No source"},
		"CompactFlash demands no mode by name": {"VPG-65", card(alone(0), alone(0), alone(60)), on(133),
			speedclass.NotReached, ""},
	} {
		got := speedclass.Of(classes(t), []string{tc.class}, tc.figures, tc.under)
		if len(got) != 1 || got[0].Class != tc.class || got[0].State != tc.state ||
			!strings.Contains(got[0].Reason, tc.reason) || len(got[0].Reason) < 10 {
			t.Errorf("%s: %+v, want %s with %q", name, got, tc.state, tc.reason)
		}
	}
}

func TestMarginsAreInPercentOfThePromise(t *testing.T) {
	t.Parallel()
	got := speedclass.Of(classes(t), []string{"A1"}, card(alone(20), alone(1800), alone(12.5)), slot)[0].Margins
	want := []speedclass.Margin{
		{Measure: "4K random write", Key: figure.RandWriteIOPS, Unit: "IOPS", Promised: 500, Measured: alone(20),
			Percent: 4, Missed: true},
		{Measure: "4K random read", Key: figure.RandReadIOPS, Unit: "IOPS", Promised: 1500, Measured: alone(1800),
			Percent: 120},
		{Measure: "linear write", Key: figure.SeqWriteMBPerS, Unit: "MB/s", Promised: 10, Measured: alone(12.5),
			Percent: 125},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// These are spellings as printed on cards and in the catalogue. Labels that promise nothing have no verdict.
func TestPrintedClassesAreFound(t *testing.T) {
	t.Parallel()
	var got []string
	for _, v := range speedclass.Of(classes(t), []string{"C10", "Class 10", "u3", "80x", "UDMA 7", "V30", "VPG 65", "",
		"A3"}, figure.Set{}, slot) {
		got = append(got, v.Class)
	}
	if diff := cmp.Diff([]string{"Class 10", "U3", "V30", "VPG-65"}, got); diff != "" {
		t.Error(diff)
	}
}

// Every class in the catalogue is judged, except rates and bus modes.
func TestClassesOfTheCatalogueAreJudged(t *testing.T) {
	t.Parallel()
	c, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, m := range c.Modules {
		for _, class := range m.Classes {
			n := len(speedclass.Of(c.SpeedClasses, []string{class}, figure.Set{}, slot))
			promisesNothing := strings.HasSuffix(class, "x") || strings.HasPrefix(class, "UDMA")
			if n != 1 && !promisesNothing || n != 0 && promisesNothing {
				t.Errorf("%s: %d verdicts on %q", m.Slug, n, class)
			}
			judged += n
		}
	}
	if judged < 100 {
		t.Errorf("%d classes were judged, want at least 100", judged)
	}
}

// Better figures and a harder test never make a verdict worse. Only a miss does.
func TestBetterFiguresNeverHurt(t *testing.T) {
	t.Parallel()
	order := map[string]int{speedclass.NotReached: 0, speedclass.CantTell: 1, speedclass.Reached: 2}
	all := classes(t)
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SampledFrom(all).Draw(t, "class")
		under := speedclass.Conditions{
			Method: rapid.SampledFrom([]string{result.MethodFlashdex1, result.MethodAltechnative2012,
				result.MethodDD1}).Draw(t, "method"),
			BusMBPerS:    rapid.SampledFrom([]float64{0, 1.216, 12.5, 25, 50, 53.248, 104, 156, 985}).Draw(t, "bus"),
			Reader:       rapid.Bool().Draw(t, "reader"),
			CommandQueue: rapid.Bool().Draw(t, "queue"),
		}
		worse, better := figure.Set{}, figure.Set{}
		for _, key := range figure.FigureKeys {
			v := rapid.Float64Range(0.1, 5000).Draw(t, key)
			half := rapid.Float64Range(0, 0.9).Draw(t, "half width")
			times := rapid.Float64Range(1, 10).Draw(t, "times")
			worse.Put(key, within(v*(1-half), v, v*(1+half)))
			better.Put(key, within(v*times*(1-half), v*times, v*times*(1+half)))
		}
		a := speedclass.Of(all, []string{class.Label}, worse, under)[0]
		b := speedclass.Of(all, []string{class.Label}, better, under)[0]
		if order[b.State] < order[a.State] {
			t.Fatalf("better figures turned %+v into %+v", a, b)
		}
	})
}

func TestSignsAreWhatWasMissedByFarForCertain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		printed    []string
		figures    figure.Set
		conditions speedclass.Conditions
		want       []string
	}{
		"missed by its upper end": {[]string{"A1"}, card(within(80, 90, 100), alone(1600), alone(20)), slot,
			[]string{"4K random write: 100 IOPS measured where A1 promises 500."}},
		"missed, but not by far": {[]string{"A1"}, card(alone(260), alone(1600), alone(20)), slot, nil},
		"missed by just so far": {[]string{"A1"}, card(alone(249), alone(1600), alone(20)), slot,
			[]string{"4K random write: 249 IOPS measured where A1 promises 500."}},
		"two missed by far": {[]string{"A1"}, card(alone(1), alone(2), alone(20)), slot,
			[]string{"4K random write: 1 IOPS measured where A1 promises 500.",
				"4K random read: 2 IOPS measured where A1 promises 1500."}},
		"reached":                  {[]string{"A1"}, card(alone(600), alone(1600), alone(20)), slot, nil},
		"A2 without command queue": {[]string{"A2"}, card(alone(1), alone(1), alone(20)), slot, nil},
		"a missed promise beside an excused": {[]string{"A1"}, card(alone(90), alone(1600), alone(1)), on(0),
			[]string{"4K random write: 90 IOPS measured where A1 promises 500."}},
		"a result that isn't ranked, by much": {[]string{"A1"}, card(alone(1), alone(1), alone(1)),
			speedclass.Conditions{Method: slot.Method, BusMBPerS: 104, NotRanked: []string{"busy"}}, nil},
	} {
		var got []string
		for _, sign := range speedclass.Signs(speedclass.Of(classes(t), c.printed, c.figures, c.conditions)) {
			if got = append(got, sign.What); sign.Key != "far-below-class" || sign.Name == "" || sign.Caveat == "" {
				t.Errorf("%s: %+v", name, sign)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
