package publish

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"html"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/ranking"
	"flashdex/result"
)

// Nobody has uploaded anything. The home page names and links each module with a figure of 4K random writes, and gives
// the command that measures other modules. With everything that it loads it takes at most 100 kB.
func TestHomeOfAFreshStart(t *testing.T) {
	t.Parallel()
	s := freshStart(t)
	if err := errors.Join(s.write(t.Context(), metaJSON{}, dataset.Index{}, nil), s.writePagesFile(nil)); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	out := filepath.Join(work, "out")
	if err := (hugo{"../../bin/hugo", "../../site"}).build(t.Context(), s.input, work, out, ""); err != nil {
		t.Fatal(err)
	}
	page := read(t, out, "index.html")
	_, strip, _ := strings.Cut(page, `<figure class="strip">`)
	strip, _, _ = strings.Cut(strip, "</figure>")
	known := map[string]bool{}
	for _, rows := range s.rows {
		for _, r := range rows {
			if _, has := r.Figures.Find(figure.RandWriteIOPS); has && r.Reference == "" && !known[r.Module.Slug] {
				known[r.Module.Slug] = true
				tick := fmt.Sprintf(`<a href="/modules/%s/"><title>%s: `, r.Module.Slug, html.EscapeString(r.Name()))
				if n := strings.Count(strip, tick); n != 1 {
					t.Errorf("%s has %d ticks, want 1", r.Name(), n)
				}
			}
		}
	}
	if ticks := strings.Count(strip, "<a "); ticks != len(known) || ticks < 100 {
		t.Errorf("%d ticks of %d modules", ticks, len(known))
	}
	for _, line := range []string{"5400 rpm laptop disk, 90", "A1 (class minimum), 500", "A2 (class minimum), 2,000"} {
		if !strings.Contains(strip, line) {
			t.Errorf("no line for %q", line)
		}
	}
	for _, q := range s.questions {
		if needs := s.answer(q).Needs; q.Currency != "" && len(needs) > 0 &&
			!strings.Contains(page, "/mnt/card --price 9.99"+q.Currency+" --bought ") {
			t.Errorf("%s: no command that measures what nobody knows", q.Key)
		}
	}
	sent, loaded := compressed(t, page), regexp.MustCompile(`(?:src|href)="/([^"]+\.(?:css|js|svg))"`)
	for _, file := range loaded.FindAllStringSubmatch(page, -1) {
		sent += compressed(t, read(t, out, file[1]))
	}
	t.Logf("%d ticks; %d bytes are sent, %d of them the strip", len(known), sent, compressed(t, strip))
	if sent > 100_000 {
		t.Errorf("%d bytes are sent for a first view, want at most 100,000", sent)
	}
}

// If there are many modules, the strip takes an even selection, so that the page stays small. Ticks don't overlap if
// there is room.
func TestHomeStripOfManyModules(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	s := &figure.Overview{}
	for i := range 2500 {
		m := catalogue.Module{Slug: fmt.Sprintf("module-%d-%d", i, random.IntN(1e6)), Vendor: "Vendor",
			Product: fmt.Sprintf("Product %d of a long line", random.IntN(1e6)), CapacityGB: 32, Form: "microsd"}
		sum := figure.Summary{ModuleSlug: m.Slug, Method: result.MethodFlashdex1, Contributors: 5, Independent: 5, Days: 2}
		sum.Figures.Put(figure.RandWriteIOPS, figure.Figure{Value: 1 + 5000*random.Float64()})
		s.Modules, s.Summaries = append(s.Modules, m), append(s.Summaries, sum)
	}
	of := newSite(t.TempDir(), s, uploads{}, load(t), nil)
	drawn := of.homeStrip(of.sections(figure.RandWriteIOPS, of.rows, "", result.MethodFlashdex1))
	if drawn.Modules != 2500 || drawn.Ticks != maxTicks || len(drawn.Sections) != 1 {
		t.Fatalf("%d ticks of %d modules in %d sections", drawn.Ticks, drawn.Modules, len(drawn.Sections))
	}
	ticks := drawn.Sections[0].Ticks
	if size := compressed(t, ticks); size > 60_000 || strings.Count(ticks, "<a ") != maxTicks {
		t.Errorf("%d ticks are %d bytes compressed", strings.Count(ticks, "<a "), size)
	}
	if drawn.Sections[0].Height != maxLanes*laneHeight {
		t.Errorf("%d px high, want at most %d lanes", drawn.Sections[0].Height, maxLanes)
	}
}

func TestTicksOfAStripStandApart(t *testing.T) {
	t.Parallel()
	svg, height := linkedTicks([]tick{
		{"a", "A <b>: 1 IOPS", 3, 3}, {"b", "B: 1.1 IOPS", 3.5, 3.5}, {"c", "C: 2 to 9 IOPS", 8, 20},
		{"d", "D: 5 IOPS", 14, 14}, {"e", "E: 20 IOPS", 24, 24},
	})
	for _, want := range []string{
		`<a href="/modules/a/"><title>A &lt;b&gt;: 1 IOPS</title><rect x="3.00%" y="0" width="3" height="8"/></a>`,
		`<rect x="3.50%" y="10" width="3"`, // too close for the same lane
		`<rect x="8.00%" y="0" width="12.00%"`,
		`<rect x="14.00%" y="10" width="3"`, // beside the range
		`<rect x="24.00%" y="0" width="3"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if height != 2*laneHeight {
		t.Errorf("%d px high, want two lanes", height)
	}
	scale := ranking.ColumnOf(figure.RandWriteIOPS).Scale
	f := figure.Figure{Value: 161, To: 986}
	of := tickOf(rankedRow{Row: &ranking.Row{Module: catalogue.Module{Vendor: "V", Product: "P", Form: "cf"}}}, f, scale)
	if want := "V P CF: 161 to 986 IOPS"; of.title != want || of.to <= of.at {
		t.Errorf("%+v, want %q", of, want)
	}
}

// compressed is the size of a text as it is sent.
func compressed(t *testing.T, text string) int {
	t.Helper()
	var sent bytes.Buffer
	w := gzip.NewWriter(&sent)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return sent.Len()
}
