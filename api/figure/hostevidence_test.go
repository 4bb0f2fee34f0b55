package figure

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flashdex/api/figure/model"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// keysOf lists classes beyond HostClasses.
func keysOf(classes []model.Class) (keys []string) {
	for _, class := range classes[len(HostClasses):] {
		keys = append(keys, class.Key)
	}
	return keys
}

// seen is one contributor who measured a module in a kind of host.
type seen struct {
	Kind        string
	Contributor uint64
}

// counted returns the shares of each module, and counts contributors by kind and in all, as the functions take them.
func counted(modules [][]seen) (shares [][]KindShare, contributors map[string]int, all int) {
	who, everybody := map[seen]bool{}, map[uint64]bool{}
	contributors = map[string]int{}
	for _, module := range modules {
		kinds, once := map[uint64]int{}, map[seen]bool{}
		for _, s := range module {
			if !who[s] {
				contributors[s.Kind]++
			}
			if !once[s] {
				kinds[s.Contributor]++
			}
			who[s], once[s], everybody[s.Contributor] = true, true, true
		}
		counts := map[KindShare]int{}
		for s := range once {
			counts[KindShare{s.Kind, model.Share{Classes: kinds[s.Contributor]}}]++
		}
		var of []KindShare
		for share, n := range counts {
			share.Contributors = n
			of = append(of, share)
		}
		shares = append(shares, of)
	}
	return shares, contributors, len(everybody)
}

func classesWithin(limit int, modules ...[]seen) []model.Class {
	shares, contributors, all := counted(modules)
	return HostClassesOf(shares, contributors, StandardMix(all, contributors), limit)
}

func classesFrom(modules ...[]seen) []model.Class { return classesWithin(MaxHostClasses, modules...) }

// queues are the classes that exist without any evidence.
var queues = []string{
	"pi-1/queue", "pi-2/queue", "pi-3/queue", "pi-4/queue", "pi-5/queue", "pi-zero-2/queue", "slot/queue",
}

// with returns the classes that are always there and others, as Classes orders them.
func with(more ...string) []string { return slices.Sorted(slices.Values(slices.Concat(queues, more))) }

const reader = "usb-3/-/05e3:0749"

// measuredOn makes modules that this many contributors measured in a kind of host, and one of nine others elsewhere.
func measuredOn(kind string, modules, contributors int) (all [][]seen) {
	for m := range modules {
		shares := []seen{{"pi-4/-/Raspberry Pi 4 Model B", uint64(1000 + m%9)}}
		for c := range contributors {
			if c%modules == m || m == 0 {
				shares = append(shares, seen{kind, uint64(c)})
			}
		}
		all = append(all, shares)
	}
	return all
}

// A reader becomes a class with its tenth contributor, if five modules were measured with it, and by others elsewhere.
func TestAClassAppearsWithItsTenthContributor(t *testing.T) {
	t.Parallel()
	if got := keysOf(classesFrom(measuredOn(reader, 5, 9)...)); !slices.Equal(got, with()) {
		t.Errorf("with nine contributors: %q", got)
	}
	if got := keysOf(classesFrom(measuredOn(reader, 5, 10)...)); !slices.Equal(got, with(reader)) {
		t.Errorf("with ten contributors: %q", got)
	}
	if got := keysOf(classesFrom(measuredOn(reader, 4, 10)...)); !slices.Equal(got, with()) {
		t.Errorf("with four modules: %q", got)
	}
	if got := keysOf(classesFrom(measuredOn(reader, 12, 12)...)); !slices.Equal(got, with(reader)) {
		t.Errorf("with twelve of each: %q", got)
	}
	var both [][]seen // five modules, each measured by two people in both kinds
	for m := range uint64(5) {
		both = append(both, []seen{{reader, m}, {reader, m + 5}, {"ata/-/-", m}, {"ata/-/-", m + 5}})
	}
	if got := keysOf(classesFrom(both...)); !slices.Equal(got, with(reader)) {
		t.Errorf("with two in each module, who measured elsewhere as well: %q", got)
	}
}

func TestWhatIsNoEvidenceForAClass(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(modules [][]seen){
		"nobody measured elsewhere": func(modules [][]seen) {
			for i := range modules {
				modules[i] = modules[i][1:]
			}
		},
		"the same person measured elsewhere": func(modules [][]seen) {
			for i := range modules[1:] {
				modules[i+1][0].Contributor = modules[i+1][1].Contributor
			}
		},
		"elsewhere was the same model on another bus": func(modules [][]seen) {
			for i := range modules {
				modules[i][0].Kind = "usb-2/-/05e3:0749"
			}
		},
		"the same ten times": func(modules [][]seen) {
			for i := range modules {
				for j := range modules[i] {
					modules[i][j].Contributor %= 9
				}
			}
		},
		"a model that isn't known": func(modules [][]seen) {
			for i := range modules {
				for j := range modules[i][1:] {
					modules[i][j+1].Kind = "usb-3/-/-"
				}
			}
		},
		"a kind that isn't known": func(modules [][]seen) {
			for i := range modules {
				for j := range modules[i][1:] {
					modules[i][j+1].Kind = ""
				}
			}
		},
	} {
		modules := measuredOn(reader, 12, 12) // of which the first by all, and the others by one each
		change(modules)
		if got := keysOf(classesFrom(modules...)); !slices.Equal(got, with()) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The command queue on and off are never in one class. Off is a class of its own only if somebody measured with the
// queue on.
func TestTheCommandQueueIsToldApart(t *testing.T) {
	t.Parallel()
	on, off, unknown := seen{"pi-5/queue/-", 1}, seen{"pi-5/no-queue/-", 2}, seen{"pi-5/-/-", 3}
	for _, c := range []struct {
		shares []seen
		want   []string
	}{
		{nil, with()}, {[]seen{off, unknown}, with()}, {[]seen{on, unknown}, with()},
		{[]seen{on, off}, with("pi-5/no-queue")}, {[]seen{on, {"pi-4/no-queue/-", 2}}, with()},
	} {
		classes := classesFrom(c.shares)
		if got := keysOf(classes); !slices.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.shares, got, c.want)
		}
		if ClassOf(on.Kind, classes) == ClassOf(off.Kind, classes) {
			t.Errorf("%v: on and off are of one class", c.shares)
		}
	}
}

func TestClassesAreLimited(t *testing.T) {
	t.Parallel()
	var all [][]seen
	for i := range 300 {
		all = append(all, measuredOn(fmt.Sprintf("slot/-/Board %03d", i), 5, 10+i%2)...)
	}
	classes := classesFrom(all...)
	if len(classes) != MaxHostClasses {
		t.Errorf("%d classes", len(classes))
	}
	for _, class := range classes { // of the 150 boards of eleven contributors all, and the first of the others
		if number := 0; strings.HasPrefix(class.Key, "slot/-/") {
			if _, err := fmt.Sscanf(class.Key, "slot/-/Board %d", &number); err != nil || number%2 == 0 && number > 60 {
				t.Errorf("%s is a class, and one with more contributors isn't", class.Key)
			}
		}
	}
	if few := classesWithin(3, all...); len(few) != len(HostClasses)+len(queues) {
		t.Errorf("%d classes where more than the limit are always there", len(few))
	}
}

// Refined classes vary around their parent class, with half the variance of classes.
func TestSpreadOfClasses(t *testing.T) {
	t.Parallel()
	for i, class := range classesFrom(measuredOn(reader, 5, 10)...) {
		if want := map[bool]float64{true: 1, false: 0.5}[i < len(HostClasses)]; class.Spread != want || class.Published {
			t.Errorf("%+v, want the spread %v", class, want)
		}
	}
}

func TestStandardMix(t *testing.T) {
	t.Parallel()
	many := func(kind string, first, n int) (shares []seen) {
		for c := range n {
			shares = append(shares, seen{kind, uint64(first + c)})
		}
		return shares
	}
	equal := map[string]float64{"pi-5": 0.25, "pi-4": 0.25, "slot": 0.25, "usb-3": 0.25}
	for _, c := range []struct {
		name    string
		modules [][]seen
		want    map[string]float64
	}{
		{"nobody", nil, equal},
		{"999 contributors, of whom many have two hosts", [][]seen{many(reader, 0, 999), many("ata/-/-", 0, 900)},
			equal},
		{"1,000 contributors", [][]seen{many(reader, 0, 600), many("usb-3/-/-", 300, 300), many("ata/-/-", 600, 400)},
			map[string]float64{"usb-3": 900. / 1300, "ata": 400. / 1300}},
		{"one who has two hosts", [][]seen{many(reader, 0, 999), many("ata/-/-", 998, 2), many("gone/-/-", 0, 1)},
			map[string]float64{"usb-3": 999. / 1002, "ata": 2. / 1002, "other": 1. / 1002}},
	} {
		shares, contributors, all := counted(c.modules)
		mix := StandardMix(all, contributors)
		if diff := cmp.Diff(c.want, mix); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		got := MixOf(HostClassesOf(shares, contributors, mix, MaxHostClasses))
		if diff := cmp.Diff(mix, got, cmp.Comparer(near)); diff != "" {
			t.Errorf("%s: of the classes (-want +got):\n%s", c.name, diff)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// Each class of the Raspberry Pi 5 gets a part of its quarter, in proportion to contributors.
func TestAClassesPartOfTheMix(t *testing.T) {
	t.Parallel()
	classes := classesFrom([]seen{{"pi-5/queue/Pi 5", 1}, {"pi-5/queue/Pi 500", 2}, {"pi-5/queue/Pi 500", 1},
		{"pi-5/no-queue/Pi 5", 1}, {"pi-5/-/Pi 5", 7}})
	got := map[string]float64{}
	for _, class := range classes {
		if class.Mix > 0 {
			got[class.Key] = class.Mix
		}
	}
	want := map[string]float64{"pi-5": 0.05, "pi-5/queue": 0.15, "pi-5/no-queue": 0.05, "pi-4": 0.25, "slot": 0.25,
		"usb-3": 0.25}
	if diff := cmp.Diff(want, got, cmp.Comparer(near)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	classes := classesFrom(measuredOn("pi-5/queue/Pi 5", 5, 10)...)
	for kind, want := range map[string]string{
		"pi-5/queue/Pi 5": "pi-5/queue/Pi 5", "pi-5/queue/Pi 500": "pi-5/queue", "pi-5/-/Pi 5": "pi-5",
		"pi-5/no-queue/Pi 5": "pi-5", "pi-5": "pi-5", "usb-3/-/05e3:0749": "usb-3",
	} {
		if got := classes[ClassOf(kind, classes)].Key; got != want {
			t.Errorf("%s is of %s, want %s", kind, got, want)
		}
	}
	for _, kind := range []string{"", "/", "pi-55/-/-", "iozone in pi-5", "pi", "pi-5 /queue"} {
		if got := ClassOf(kind, classes); got != -1 {
			t.Errorf("%q is of %s", kind, classes[got].Key)
		}
	}
}

// Whatever was measured, and in any order, the classes are the same, each once, and their parts of the mix sum to 1.
// Every kind belongs to the finest class that its key begins with, and the queue is told apart.
func TestClassesOfAnything(t *testing.T) {
	t.Parallel()
	kind := rapid.Custom(func(t *rapid.T) string {
		class := rapid.SampledFrom(HostClasses).Draw(t, "class").Key
		queue := "-"
		if hasSlot(class) {
			queue = rapid.SampledFrom([]string{kindQueue, kindNoQueue, kindUnknown}).Draw(t, "queue")
		}
		return class + "/" + queue + "/" + rapid.SampledFrom([]string{kindUnknown, "A", "B", "05e3:0749"}).Draw(t, "model")
	})
	rapid.Check(t, func(t *rapid.T) {
		// Few contributors and many modules, so that some classes appear and others don't.
		share := rapid.Custom(func(t *rapid.T) seen {
			return seen{kind.Draw(t, "kind"), rapid.Uint64Range(1, 24).Draw(t, "contributor")}
		})
		modules := rapid.SliceOfN(rapid.SliceOfN(share, 0, 60), 0, 12).Draw(t, "modules")
		limit := rapid.IntRange(len(HostClasses)+2*len(queues), 60).Draw(t, "limit")
		classes := classesWithin(limit, modules...)

		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "order")))
		shuffled := slices.Clone(modules)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(classes, classesWithin(limit, shuffled...)); diff != "" {
			t.Fatalf("in another order (-one +other):\n%s", diff)
		}
		is, sum := map[string]bool{}, 0.0
		for _, class := range classes {
			if is[class.Key] || class.Mix < 0 {
				t.Fatalf("%+v is there twice, or less than nothing", class)
			}
			is[class.Key], sum = true, sum+class.Mix
		}
		if !near(sum, 1) || len(classes) > limit {
			t.Fatalf("%d classes of at most %d, whose parts are %v", len(classes), limit, sum)
		}
		of := map[string]string{}
		for _, shares := range modules {
			for _, s := range shares {
				key := classes[ClassOf(s.Kind, classes)].Key
				of[s.Kind] = key
				for _, class := range classes {
					if strings.HasPrefix(s.Kind+"/", class.Key+"/") && len(class.Key) > len(key) {
						t.Fatalf("%s is of %s, and not of %s", s.Kind, key, class.Key)
					}
				}
				if !strings.HasPrefix(s.Kind+"/", key+"/") {
					t.Fatalf("%s is of %s", s.Kind, key)
				}
			}
		}
		for a, classA := range of {
			for b, classB := range of {
				if strings.Contains(a, "/queue/") && strings.Contains(b, "/no-queue/") && classA == classB {
					t.Fatalf("%s and %s are both of %s", a, b, classA)
				}
			}
		}
		// The counts may leave open whether it was somebody else who measured elsewhere.
		certain, possible := evidenceIn(modules, true), evidenceIn(modules, false)
		for key := range of {
			if is[key] && !possible[key] || certain[key] && !is[key] && len(classes) < limit {
				t.Fatalf("%s is a class: %v; there is evidence: %v, and certain: %v", key, is[key], possible[key], certain[key])
			}
		}
	})
}

// evidenceIn decides in the plainest way for which models there is evidence.
func evidenceIn(modules [][]seen, certain bool) map[string]bool {
	contributors, both := map[string]map[uint64]bool{}, map[string]int{}
	for _, module := range modules {
		for _, s := range module {
			if contributors[s.Kind] == nil {
				contributors[s.Kind] = map[uint64]bool{}
			}
			contributors[s.Kind][s.Contributor] = true
		}
		for kind := range elsewhereIn(module, certain) {
			both[kind]++
		}
	}
	evidence := map[string]bool{}
	for kind := range contributors {
		evidence[kind] = modelIn(kind) != kindUnknown && len(contributors[kind]) >= 10 && both[kind] >= 5
	}
	return evidence
}

// elsewhereIn returns the kinds of hosts in which a module was measured, if somebody else measured it in hosts of
// another model. It is certain that it was somebody else if there are several contributors in the kind, or if the
// contributor and the other one measured the module in different numbers of kinds, or in one only.
func elsewhereIn(module []seen, certain bool) map[string]bool {
	kinds := map[uint64]map[string]bool{}
	for _, s := range module {
		if kinds[s.Contributor] == nil {
			kinds[s.Contributor] = map[string]bool{}
		}
		kinds[s.Contributor][s.Kind] = true
	}
	found := map[string]bool{}
	for _, a := range module {
		for _, b := range module {
			m, n := len(kinds[a.Contributor]), len(kinds[b.Contributor])
			several := slices.ContainsFunc(module, func(s seen) bool {
				return s.Kind == a.Kind && s.Contributor != a.Contributor
			})
			if a.Contributor != b.Contributor && modelIn(a.Kind) != modelIn(b.Kind) &&
				(!certain || several || m != n || m == 1) {
				found[a.Kind] = true
			}
		}
	}
	return found
}

// With few contributors and kinds it is often open who measured a module elsewhere. All certain kinds are found, and no
// impossible ones.
func TestMeasuredElsewhere(t *testing.T) {
	t.Parallel()
	kinds := []string{"pi-5/queue/A", "pi-5/no-queue/A", "pi-4/-/B", "usb-3/-/C", "slot/-/-"}
	rapid.Check(t, func(t *rapid.T) {
		module := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) seen {
			return seen{rapid.SampledFrom(kinds).Draw(t, "kind"), rapid.Uint64Range(1, 3).Draw(t, "contributor")}
		}), 1, 8).Draw(t, "module")
		shares, _, _ := counted([][]seen{module})
		found := measuredElsewhere(shares[0])
		certain, possible := elsewhereIn(module, true), elsewhereIn(module, false)
		for _, kind := range kinds {
			if found[kind] && !possible[kind] || certain[kind] && !found[kind] {
				t.Fatalf("%s: %v; possible: %v, certain: %v", kind, found[kind], possible[kind], certain[kind])
			}
		}
	})
}
