package publish

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/result"
)

// The largest page, with every figure and interval in each row, must load quickly over a slow line.
func TestLargestRankingPageIsSmall(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s := &figure.Overview{}
	for i := range maxPageRows + 1 {
		m := catalogue.Module{Slug: fmt.Sprintf("module-%d", i), Vendor: "Vendor",
			Product: fmt.Sprintf("Product %d of a long line", random.IntN(1e6)), CapacityGB: 32, Form: "microsd",
			Classes: []string{"U3", "A2", "V30"}}
		sum := figure.Summary{ModuleSlug: m.Slug, Method: result.MethodFlashdex1, Contributors: 5, Independent: 5, Days: 2,
			Units: 2 + random.IntN(100), Results: 200, Figures: figure.Set{}}
		for _, key := range figure.FigureKeys {
			value := 1 + 20000*random.Float64()
			low, high := value*random.Float64(), value*(1+random.Float64())
			sum.Figures.Put(key, figure.Figure{Value: value, Low: &low, High: &high, Confidence: 0.75, N: sum.Units})
		}
		s.Modules, s.Summaries = append(s.Modules, m), append(s.Summaries, sum)
	}
	work := t.TempDir()
	of := newSite(work, s, uploads{}, load(t), nil)
	if err := of.write(t.Context(), metaJSON{}, dataset.Index{}, nil); err != nil {
		t.Fatal(err)
	}
	if err := (hugo{"../../bin/hugo", "../../site"}).build(t.Context(), of.input, filepath.Join(work, "hugo"),
		filepath.Join(work, "out"), ""); err != nil {
		t.Fatal(err)
	}
	page := read(t, filepath.Join(work, "out"), "by/rand-write-iops/index.html")
	sent := compressed(t, page)
	t.Logf("%d rows are %d bytes, %d compressed", maxPageRows, len(page), sent)
	if sent > 100_000 {
		t.Errorf("a page of %d rows is %d bytes compressed, want at most 100,000", maxPageRows, sent)
	}
	if n := strings.Count(page, `class="rank"`); n < maxPageRows {
		t.Errorf("the page has %d rows, want %d", n, maxPageRows)
	}
}
