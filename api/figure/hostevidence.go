package figure

import (
	"cmp"
	"slices"
	"strings"

	"flashdex/api/figure/model"
)

// From this evidence on, a model of board or reader is a class of hosts of its own.
const (
	modelContributors = 10
	modelModules      = 5 // modules that others measured in hosts of another model; otherwise nothing would connect it
)

// MaxHostClasses limits the classes of a calibration, whose time grows with the cube of their number.
const MaxHostClasses = 200

// refinedSpread is the variance of a class's effect around its parent class, as a multiple of the variance of a class
// in HostClasses around zero.
const refinedSpread = 0.5

// HostClassesOf decides the classes of hosts of a calibration, at most limit:
//
//   - all HostClasses;
//   - each with a card slot with the command queue on, so that on and off are never in one class;
//   - the same with the queue off, where somebody measured with the queue on: elsewhere nothing speaks against taking
//     it together with hosts that don't show it;
//   - models for which there is evidence, those with the most contributors first.
//
// modules are the shares of each module, and contributors counts people in each kind of host, over all modules. A class
// weighs in the standard mix by its share of the contributors in its HostClass.
func HostClassesOf(modules [][]KindShare, contributors map[string]int, mix map[string]float64, limit int,
) []model.Class {
	var keys, refined []string
	for _, class := range HostClasses {
		keys = append(keys, class.Key)
		if !hasSlot(class.Key) {
			continue
		}
		on, off := class.Key+"/"+kindQueue, class.Key+"/"+kindNoQueue
		refined = append(refined, on)
		if contributorsIn(on, contributors) > 0 && contributorsIn(off, contributors) > 0 {
			refined = append(refined, off)
		}
	}
	models := modelsOf(modules, contributors)
	refined = append(refined, models[:min(len(models), max(limit-len(keys)-len(refined), 0))]...)
	slices.Sort(refined)
	var classes []model.Class
	for _, key := range keys {
		classes = append(classes, model.Class{Key: key, Spread: 1})
	}
	for _, key := range refined {
		classes = append(classes, model.Class{Key: key, Spread: refinedSpread})
	}
	setMix(mix, classes, contributors)
	return classes
}

// hasSlot reports whether hosts of a class have a card slot of their own, for which the kernel may show the use of a
// queue.
func hasSlot(class string) bool { return class == "slot" || strings.HasPrefix(class, "pi-") }

// contributorsIn counts the contributors in a class of hosts, from the counts of its kinds.
func contributorsIn(class string, contributors map[string]int) (n int) {
	for kind, of := range contributors {
		if isIn(kind, class) {
			n += of
		}
	}
	return n
}

// modelsOf returns the kinds of hosts that become classes of their own, beginning with the most contributors.
func modelsOf(modules [][]KindShare, contributors map[string]int) (found []string) {
	connected := map[string]int{}
	for _, shares := range modules {
		for kind := range measuredElsewhere(shares) {
			connected[kind]++
		}
	}
	for kind, n := range contributors {
		if strings.Contains(kind, "/") && modelIn(kind) != kindUnknown && n >= modelContributors &&
			connected[kind] >= modelModules {
			found = append(found, kind)
		}
	}
	slices.SortFunc(found, func(a, b string) int {
		return cmp.Or(cmp.Compare(contributors[b], contributors[a]), strings.Compare(a, b))
	})
	return found
}

// measuredElsewhere returns the kinds of hosts in which a module was measured, if somebody else measured it in hosts of
// another model. If the counts leave open whether that was somebody else, it counts as the same person.
func measuredElsewhere(shares []KindShare) map[string]bool {
	type group struct {
		model string
		kinds int
	}
	in, byModel, byKinds, byBoth := map[string]int{}, map[string]int{}, map[int]int{}, map[group]int{}
	all := 0
	shares = slices.DeleteFunc(slices.Clone(shares), func(s KindShare) bool {
		_, published := PublishedLabel(s.Kind)
		return published // nobody knows whose hosts these were
	})
	for _, s := range shares {
		in[s.Kind] += s.Contributors
		byModel[modelIn(s.Kind)] += s.Contributors
		byKinds[s.Classes] += s.Contributors
		byBoth[group{modelIn(s.Kind), s.Classes}] += s.Contributors
		all += s.Contributors
	}
	found := map[string]bool{}
	for _, s := range shares {
		of := modelIn(s.Kind)
		elsewhere := all - byModel[of]
		if in[s.Kind] == 1 { // as many of the others may be the contributor's own
			elsewhere -= min(byKinds[s.Classes]-byBoth[group{of, s.Classes}], s.Classes-1)
		}
		if elsewhere > 0 {
			found[s.Kind] = true
		}
	}
	return found
}

// setMix gives each class its part of the standard mix of hosts.
func setMix(mix map[string]float64, classes []model.Class, contributors map[string]int) {
	in, inBase := make([]int, len(classes)), map[string]int{}
	for kind, n := range contributors {
		if class := ClassOf(kind, classes); class >= 0 {
			in[class] += n
			inBase[baseOf(kind)] += n
		}
	}
	for i := range classes {
		class := &classes[i]
		base := baseOf(class.Key)
		switch {
		case inBase[base] > 0:
			class.Mix = mix[base] * float64(in[i]) / float64(inBase[base])
		case class.Key == base:
			class.Mix = mix[base]
		}
	}
}

// mixFrom is how many contributors it takes for their hosts to make the standard mix. Until then the mix is firstMix in
// equal parts.
const mixFrom = 1000

var firstMix = []string{"pi-5", "pi-4", "slot", "usb-3"}

// StandardMix returns the parts of HostClasses in the standard mix of hosts, by key. The parts sum to 1. It takes the
// number of contributors, in all and by kind of host. The mix changes once a year: later calibrations of a year take
// the mix of the year's first one (MixOf).
func StandardMix(all int, contributors map[string]int) map[string]float64 {
	mix, counts, sum := map[string]float64{}, map[string]int{}, 0
	for kind, n := range contributors {
		counts[baseOf(kind)] += n
		sum += n
	}
	if all < mixFrom || sum == 0 {
		for _, class := range firstMix {
			mix[class] = 1 / float64(len(firstMix))
		}
		return mix
	}
	for class, n := range counts {
		mix[class] = float64(n) / float64(sum)
	}
	return mix
}

// MixOf returns the standard mix of hosts that classes were made with.
func MixOf(classes []model.Class) map[string]float64 {
	mix := map[string]float64{}
	for _, class := range classes {
		if class.Mix > 0 {
			mix[baseOf(class.Key)] += class.Mix
		}
	}
	return mix
}

// ClassOf returns the index of the finest class that a kind of host is in, or -1.
func ClassOf(kind string, classes []model.Class) int {
	finest := -1
	for i, class := range classes {
		if isIn(kind, class.Key) && (finest < 0 || len(class.Key) > len(classes[finest].Key)) {
			finest = i
		}
	}
	return finest
}

// isIn reports whether a kind of host is in a class.
func isIn(kind, class string) bool {
	rest, ok := strings.CutPrefix(kind, class)
	return ok && (rest == "" || rest[0] == '/')
}
