package figure

import (
	"maps"
	"math"
	"slices"
	"strings"

	"flashdex/api/catalogue"
	"flashdex/api/figure/model"
	"flashdex/result"
)

// PublishedMethod is the method whose figures published figures are compared with.
const PublishedMethod = result.MethodFlashdex1

// Assumptions for published figures: the variance of the common effect of a method and a host, as a multiple of a host
// class's, and the squared error of a figure, which no source states.
const (
	publishedSpread = 3
	publishedError2 = 0.2 * 0.2
)

// publishedClass begins the keys of classes of published figures: "published/iozone, direct I/O, 100 MB, Raspberry Pi
// 2".
const publishedClass = "published/"

// PublishedLabel returns a class's label, if published figures are in the class.
func PublishedLabel(class string) (label string, ok bool) {
	return strings.CutPrefix(class, publishedClass)
}

// publishedClasses are the classes of the published figures among the shares of modules, by key.
func publishedClasses(modules [][]KindShare) (classes []model.Class) {
	kinds := map[string]bool{}
	for _, shares := range modules {
		for i := range shares {
			if _, published := PublishedLabel(shares[i].Kind); published {
				kinds[shares[i].Kind] = true
			}
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		classes = append(classes, model.Class{Key: kind, Spread: publishedSpread, Published: true})
	}
	return classes
}

// measuredBy identifies what one contributor published of a module by one kind of measurement.
type measuredBy struct{ slug, key, contributor, kind string }

// evidence is what a share is made from.
type evidence struct {
	lines    []int // of the rows
	values   []float64
	distance int64 // PublishedFigure
	carries  float64
}

// evidenceOf gathers the published figures that are comparable with Flashdex's own.
func evidenceOf(rows []catalogue.Published) map[measuredBy]*evidence {
	all := map[measuredBy]*evidence{}
	for i := range rows {
		p := &rows[i]
		key, value, distance := PublishedFigure(p)
		if value == nil || !(*value > 0) || p.ModuleSlug == "" || p.Contributor == "" {
			continue
		}
		at := measuredBy{p.ModuleSlug, key, p.Contributor, p.Kind}
		of := all[at]
		if of == nil || distance < of.distance {
			of = &evidence{distance: distance}
			all[at] = of
		}
		if distance == of.distance {
			of.lines, of.values, of.carries = append(of.lines, i), append(of.values, *value), p.HostMBPerS
		}
	}
	return all
}

// PublishedShares makes shares from published figures, by the slug of the module. A share is the median of what one
// contributor published of a module by one kind of measurement. The contributor may be the author of several sources. A
// source doesn't say whether two figures are of two cards, so they count as runs of one card.
func PublishedShares(rows []catalogue.Published) map[string]Shares {
	all := evidenceOf(rows)
	kinds := map[measuredBy]int{} // of a module and figure, by contributor
	for at := range all {
		at.kind = ""
		kinds[at]++
	}
	shares := map[string]Shares{}
	for at, of := range all {
		rate := result.Median(of.values)
		if shares[at.slug] == nil {
			shares[at.slug] = Shares{}
		}
		shares[at.slug][at.key] = append(shares[at.slug][at.key], KindShare{publishedClass + at.kind, model.Share{
			LogRate: math.Log(rate), Cards: 1, Error2: publishedError2, Contributors: 1,
			Classes:  kinds[measuredBy{at.slug, at.key, at.contributor, ""}],
			HeldBack: IsLinear(at.key) && (of.carries == 0 || rate >= model.HeldBackFrom*of.carries),
		}})
	}
	for _, of := range shares {
		for _, shares := range of {
			slices.SortFunc(shares, compareShares)
		}
	}
	return shares
}

// linearBlockBytes is the block size at which linear transfer is compared. Below smallestLinearBytes a transfer of
// each block by itself does not count as linear: blocks of 4 KiB would measure the gaps between them.
const (
	linearBlockBytes    = 1 << 20
	smallestLinearBytes = 512 << 10
)

// PublishedFigure returns the metric of a published row and its value. The value is nil if no table compares the row,
// for example because it is weak. For linear rates, distance is how far the block size is from linearBlockBytes: only
// the nearest ones count.
func PublishedFigure(p *catalogue.Published) (key string, value *float64, distance int64) {
	switch {
	case p.Restates > 0, p.Quality == catalogue.QualityWeak: // restated in another unit, or weak
		return "", nil, 0
	case p.Test == result.RandWrite && p.BlockBytes == 4096:
		return RandWriteIOPS, p.IOPS, 0
	case p.Test == result.RandRead && p.BlockBytes == 4096:
		return RandReadIOPS, p.IOPS, 0
	case p.Test == result.SeqWrite:
		key = SeqWriteMBPerS
	case p.Test == result.SeqRead:
		key = SeqReadMBPerS
	default:
		return "", nil, 0
	}
	// If the tool goes through the page cache, the block size is only a buffer's, and the transfer is linear at any
	// size.
	buffered := slices.Contains([]string{"dd", "dd-buffered", "hdparm", "h2testw", "f3"}, p.Method)
	switch size := p.BlockBytes; {
	case size == 0 || buffered:
		return key, p.MBPerS, 0
	case size < smallestLinearBytes:
		return "", nil, 0
	default:
		return key, p.MBPerS, max(size-linearBlockBytes, linearBlockBytes-size)
	}
}

// Expected sums up the figures by PublishedMethod that published figures lead to expect of modules, by slug. Linear
// rates are only lower ends, because sources seldom say what the host carries.
func Expected(rows []catalogue.Published, by *Calibrations) map[string]*Summary {
	expected, printed := map[string]*Summary{}, PrintedBehind(rows)
	for slug, shares := range PublishedShares(rows) {
		sum := &Summary{ModuleSlug: slug, Method: catalogue.MethodExpected}
		for key, of := range shares {
			c, m := by.Of(PublishedMethod, key), MetricOf(key)
			in := inClasses(of, c.Classes)
			fitted, ok := c.Module(in)
			if !ok { // the calibration is older than the figures
				continue
			}
			e := c.Standard(&fitted)
			e.AtLeast = e.AtLeast || IsLinear(key)
			f := m.Of(e)
			f.N = printed[slug][key].Units
			sum.Figures.Put(key, f)
			sum.Model.Put(key, fitted)
		}
		if sum.Figures.Len() > 0 {
			expected[slug] = sum
		}
	}
	return expected
}

// OfReference returns the figures of a reference device of the catalogue. No method measured it.
func OfReference(d catalogue.ReferenceDevice) Set {
	var figures Set
	for key, value := range map[string]float64{
		RandWriteIOPS: d.RandWriteIOPS, RandReadIOPS: d.RandReadIOPS, SeqWriteMBPerS: d.SeqWriteMBPerS,
	} {
		if value > 0 {
			figures.Put(key, Figure{Value: value})
		}
	}
	return figures
}
