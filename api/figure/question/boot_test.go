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

// Thomas Kaiser measured how long eight modules take to boot one computer, and their figures (docs/method.md). The
// preset must order them much as they were: a Spearman rank correlation of 1 is the same order, 0 is none.
func TestBootOrdersModulesAsTheyBooted(t *testing.T) {
	t.Parallel()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	figures, booted := map[string]*figure.Set{}, map[string]float64{}
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
		if p.Test == "boot_time" {
			booted[p.ModuleSlug] = v
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
	var measured, computed []float64
	for slug, seconds := range booted {
		s, reason, ok := load(t)["boot"].Score(*figures[slug], nil)
		if !ok {
			t.Fatalf("%s: %s", slug, reason)
		}
		measured, computed = append(measured, seconds), append(computed, s.Value)
		t.Logf("%-45s booted in %4.1f s, %4.1f s of them computed", slug, seconds, s.Value)
	}
	rho := rankCorrelation(measured, computed)
	// Its 95 % interval, by Fisher's transform with the variance of Fieller, Hartley and Pearson (Biometrika 44, 1957).
	width := 1.96 * math.Sqrt(1.06/float64(len(measured)-3))
	low, high := math.Tanh(math.Atanh(rho)-width), math.Tanh(math.Atanh(rho)+width)
	t.Logf("rank correlation %.2f, interval %.2f to %.2f", rho, low, high)
	if math.Abs(low-0.10) > 0.005 || math.Abs(high-0.96) > 0.005 {
		t.Errorf("interval %.3f to %.3f; the question's explanation says 0.1 to 0.96", low, high)
	}
	presets, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		says := "Nobody has checked this formula against a clock yet."
		if p.Key == "boot" {
			says = "rank correlation is 0.76, with 95 % between 0.1 and 0.96"
		}
		if p.Unit == "s" && !strings.Contains(p.Explanation, says) {
			t.Errorf("%s does not say: %s", p.Key, says)
		}
	}
	for _, key := range figure.MainFigures {
		var times, rates []float64
		for slug, seconds := range booted {
			times, rates = append(times, seconds), append(rates, -figures[slug].At(key).Value)
		}
		alone := rankCorrelation(times, rates)
		t.Logf("%s alone: rank correlation %.2f", key, alone)
		if key == figure.RandWriteIOPS && alone < rho {
			t.Error("4K random writes alone order less well than the formula; the question's explanation says as well")
		}
	}
	if len(measured) != 8 || rho < 0.7 {
		t.Errorf("%d modules, rank correlation %.2f, want 8 and at least 0.7", len(measured), rho)
	}
}

// What the explanation says of endurance is in the published survey.
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
	says := fmt.Sprintf("Of %d cards that somebody wrote full over and over, half had their first error within %s rounds, "+
		"and the earliest in its first.", e.N, result.Count(e.Median))
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
