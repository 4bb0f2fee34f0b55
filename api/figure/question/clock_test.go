package question_test

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/data"
	"flashdex/result"
)

// unchecked is in the explanation of a formula that nobody has compared with a clock.
const unchecked = "Nobody has checked this formula against a clock yet."

// Thomas Kaiser measured how long one computer took to boot from eight modules, how long it took to install a desktop
// on them, and their figures (docs/method.md). A preset must order the modules much like his times: a Spearman rank
// correlation of 1 is the same order, 0 is no relation.
func TestFormulasOrderModulesAsAClockDid(t *testing.T) {
	t.Parallel()
	timed := map[string]struct{ test, says string }{
		"boot": {"boot_time", "the rank correlation is 0.76, with 95 % between 0.1 and 0.96, and 4K random writes alone " +
			"agree as well"},
		"updates": {"desktop_install_first", "the rank correlation is 0.88, with 95 % between 0.44 and 0.98; 4K random " +
			"writes alone reach 0.83"},
	}
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		says := timed[p.Key].says
		if says == "" {
			if p.Unit == "s" && !strings.Contains(p.Explanation, unchecked) {
				t.Errorf("%s does not say: %s", p.Key, unchecked)
			}
			continue
		}
		if strings.Contains(p.Explanation, unchecked) {
			t.Errorf("%s says that nobody has checked it", p.Key)
		}
		seconds, figures := timedModules(t, timed[p.Key].test)
		var slugs []string
		var measured, computed, writes []float64
		for slug := range seconds {
			slugs = append(slugs, slug)
		}
		slices.Sort(slugs)
		for _, slug := range slugs {
			s, reason, ok := p.Score(*figures[slug], nil)
			if !ok {
				t.Fatalf("%s: %s", slug, reason)
			}
			t.Logf("%-8s %-45s took %6.1f s, %6.1f s of them computed", p.Key, slug, seconds[slug], s.Value)
			measured, computed = append(measured, seconds[slug]), append(computed, s.Value)
			writes = append(writes, 1/figures[slug].At(figure.RandWriteIOPS).Value)
		}
		rho, alone := rankCorrelation(measured, computed), rankCorrelation(measured, writes)
		// Its 95 % interval, by Fisher's transform with the variance of Fieller, Hartley and Pearson (Biometrika 44, 1957).
		width := 1.96 * math.Sqrt(1.06/float64(len(measured)-3))
		low, high := math.Tanh(math.Atanh(rho)-width), math.Tanh(math.Atanh(rho)+width)
		t.Logf("%s: rank correlation %.2f, interval %.2f to %.2f; 4K random writes alone %.2f", p.Key, rho, low, high, alone)
		for _, number := range []float64{rho, low, high} {
			if text := strconv.FormatFloat(math.Round(number*100)/100, 'f', -1, 64); !strings.Contains(says, text) {
				t.Errorf("%s: %q lacks %s", p.Key, says, text)
			}
		}
		if !strings.Contains(says, fmt.Sprintf("%.2f", alone)) && !(alone >= rho && strings.HasSuffix(says, "as well")) {
			t.Errorf("%s: 4K random writes alone reach %.2f; the explanation says %q", p.Key, alone, says)
		}
		if len(measured) != 8 || rho < 0.7 || !strings.Contains(p.Explanation, says) {
			t.Errorf("%s: %d modules, rank correlation %.2f; its explanation lacks %q", p.Key, len(measured), rho, says)
		}
	}
}

// timedModules returns how many seconds a test took on each of Thomas Kaiser's modules, and their figures, by slug.
func timedModules(t *testing.T, test string) (seconds map[string]float64, figures map[string]*figure.Set) {
	t.Helper()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	seconds, figures = map[string]float64{}, map[string]*figure.Set{}
	for _, p := range c.Published {
		if p.Source != "tkaiser_a1a2_2018" {
			continue
		}
		if figures[p.ModuleSlug] == nil {
			figures[p.ModuleSlug] = new(figure.Set)
		}
		v, err := strconv.ParseFloat(p.ValueText, 64)
		if err != nil {
			t.Fatal(err)
		}
		if p.Test == test {
			seconds[p.ModuleSlug] = v
		}
		key := map[string]string{
			result.RandRead: figure.RandReadIOPS, result.RandWrite: figure.RandWriteIOPS,
			result.SeqRead: figure.SeqReadMBPerS, result.SeqWrite: figure.SeqWriteMBPerS,
		}[p.Test]
		if random := p.Test == result.RandRead || p.Test == result.RandWrite; key != "" &&
			(!random || p.BlockBytes == 4096) {
			figures[p.ModuleSlug].Put(key, alone(v))
		}
	}
	return seconds, figures
}

// The explanation of the camera's formula says why published times of bursts can't check it.
func TestNoCardHasBothABurstAndARateOutsideACamera(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	burst, inCameras := map[string]bool{}, map[string]bool{}
	for _, p := range c.Published {
		if p.Test == "camera_burst_write_time" {
			burst[p.ModuleSlug], inCameras[p.Host] = true, true
		}
	}
	for _, p := range c.Published {
		if burst[p.ModuleSlug] && p.Test == result.SeqWrite && !inCameras[p.Host] {
			t.Errorf("%s has a linear write of %s %s in %q: it can check the formula", p.ModuleSlug, p.ValueText, p.Unit, p.Host)
		}
	}
	says := fmt.Sprintf("Published times of bursts on %d cards can't check the formula: "+
		"no source that we have printed a linear write rate of these cards outside a camera.", len(burst))
	if question := load(t)["camera"]; !strings.Contains(question.Explanation, says) {
		t.Errorf("the explanation does not say: %s", says)
	}
}

// A formula without a source, or with parts that no source has, says where its parts come from.
func TestFormulasSayWhereTheirPartsComeFrom(t *testing.T) {
	t.Parallel()
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		if len(p.Sources) == 0 && !strings.Contains(p.Explanation, "our assumption") &&
			!strings.Contains(p.Explanation, "The formula assumes nothing") {
			t.Errorf("%s has no source, and does not say what is our assumption", p.Key)
		}
	}
}

// The published survey shows what the explanation says about endurance.
func TestHomeAssistantSaysWhatDied(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Endurance, func(e catalogue.Endurance) bool {
		return e.Threshold == "first error" && e.Group == "all"
	})
	if i < 0 || c.Endurance[i].Min != 0 {
		t.Fatalf("%d, %+v", i, c.Endurance)
	}
	e := c.Endurance[i]
	says := fmt.Sprintf("Of %d cards that somebody wrote full over and over, half had their first error within %s "+
		"rounds, and the earliest in its first.", e.N, result.Count(e.Median))
	if question := load(t)["home-assistant"]; !strings.Contains(question.Explanation, says) {
		t.Errorf("the explanation does not say: %s", says)
	}
}

// rankCorrelation is Spearman's, of values without ties: 1 - 6*sum(d^2)/(n(n^2-1)), d the difference of ranks.
func rankCorrelation(a, b []float64) float64 {
	rank := func(values []float64, v float64) int {
		sorted := slices.Sorted(slices.Values(values))
		i, _ := slices.BinarySearch(sorted, v)
		return i
	}
	sum, n := 0, len(a)
	for i := range a {
		d := rank(a, a[i]) - rank(b, b[i])
		sum += d * d
	}
	return 1 - 6*float64(sum)/float64(n*(n*n-1))
}
