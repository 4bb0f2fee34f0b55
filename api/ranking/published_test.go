package ranking

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
)

// publishedOverview returns everything published without any upload, with calibrations made from it.
func publishedOverview(t *testing.T) (*figure.Overview, *catalogue.Catalogue) {
	t.Helper()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	s := &figure.Overview{Modules: c.Modules, Published: c.Published, Calibrations: new(figure.Calibrations)}
	shares := figure.PublishedShares(c.Published)
	for _, key := range figure.MainFigures {
		var modules [][]figure.KindShare
		for _, m := range c.Modules { // by slug
			if of := shares[m.Slug][key]; len(of) > 0 {
				modules = append(modules, of)
			}
		}
		s.Calibrations.Add(figure.CalibrationKey{Method: figure.PublishedMethod, Figure: key},
			figure.Calibrated(key, modules, figure.Contributors{}, figure.StandardMix(0, nil)))
	}
	return s, c
}

// byMethod sorts rows by a metric, for each method.
func byMethod(rows []*Row, key string) map[string][]*Row {
	of := map[string][]*Row{}
	for _, r := range rows {
		of[r.Method] = append(of[r.Method], r)
	}
	for _, rows := range of {
		Sort(rows, key)
	}
	return of
}

// No published figure has a place. Figures that measured different things have no middle: a median is only of one kind
// of measurement.
func TestPublishedFiguresHaveNoMiddleOfDifferentThings(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	cells, several := 0, 0
	for method, rows := range byMethod(Rows(s, c), figure.RandWriteIOPS) {
		if method == catalogue.MethodExpected {
			continue
		}
		places := first(Ranks(rows, figure.RandWriteIOPS))
		for i, r := range rows {
			if places[i] != (Place{}) {
				t.Errorf("%s by %s has the place %v", r.Name(), method, places[i])
			}
			for key, f := range r.Figures.All() {
				if r.Reference != "" {
					continue
				}
				kinds, values := map[string]bool{}, []float64{}
				for _, p := range s.Published {
					k, value, _ := figure.PublishedFigure(&p)
					if k == key && value != nil && p.ModuleSlug == r.Module.Slug && p.Method == method {
						kinds[fmt.Sprint(p.Kind, p.Tool, p.QueueDepth)] = true
						values = append(values, *value)
					}
				}
				if cells++; f.To > 0 {
					several++
				}
				if f.HasInterval() || f.N > len(values) || len(kinds) == 1 && f.To != 0 ||
					f.To > 0 && !(slices.Contains(values, f.Value) && slices.Contains(values, f.To) && f.Value < f.To) {
					t.Errorf("%s of %s by %s: %+v of %v in %d kinds", key, r.Name(), method, f, values, len(kinds))
				}
			}
		}
	}
	if cells < 200 || several < 20 {
		t.Errorf("%d cells, %d of them of different things", cells, several)
	}
}

// sameMeasurement lists texts in notes that don't mean that two rows measured different things, and why.
var sameMeasurement = []struct{ source, text, why string }{
	{"amateurphotographer_microsd", ", lower", "both runs of the same test are listed"},
	{"amateurphotographer_microsd", ", higher", "both runs of the same test are listed"},
	{"geerling_2015_pi2", "jeffgeerling.com 2015 post (4K random from iozone)", "the author's table of the same test"},
	{"pidramble_wiki_pi2", "pidramble.com wiki; only the row that differs from the 2015 blog table is listed",
		"the author ran the same commands in the same host another time"},
	{"pastebin_rock64_emmc", "kernel 4.4.70-ayufan-85, 2 GB board", "the test goes past the page cache on either board"},
	{"pastebin_rock64_emmc", "kernel 4.4.71-ayufan-77, root fs 15G", "the test goes past the page cache on either board"},
}

// A median is of rows that measured the same thing. If the note of a row says something that another row's doesn't,
// such as "maximum" or "after long use", published_notes.csv makes it a condition. Numbers of runs and of units make no
// difference.
func TestRowsOfOneKindHaveTheSameNote(t *testing.T) {
	t.Parallel()
	s, _ := publishedOverview(t)
	file, err := data.FS.Open("published_notes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	notes, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	source, contains, unit := slices.Index(notes[0], "source_key"), slices.Index(notes[0], "contains"),
		slices.Index(notes[0], "unit")
	run := regexp.MustCompile(`\b(run|pass|round) [0-9]+( of [0-9]+)?\b`)
	used, compared := map[string]bool{}, 0
	for _, cell := range publishedCells(s.Published) {
		saidOf := map[string]string{}
		for _, p := range cell.rows {
			said := p.Note
			for _, same := range sameMeasurement {
				if same.source == p.Source && strings.Contains(said, same.text) {
					said, used[same.source+same.text] = strings.ReplaceAll(said, same.text, ""), true
				}
			}
			for _, n := range notes[1:] {
				if n[source] == p.Source && n[unit] != "" {
					said = strings.ReplaceAll(said, n[contains], "")
				}
			}
			said = run.ReplaceAllString(said, "")
			// Shares of comparable figures are told apart only by kind, cells also by tool and queue depth.
			kind := p.Kind
			if p.Contributor != "" {
				said = fmt.Sprint(said, "; ", p.Tool, "; ", p.QueueDepth)
			} else {
				kind = fmt.Sprint(kind, p.Tool, p.QueueDepth)
			}
			first, known := saidOf[kind]
			if !known {
				saidOf[kind] = said
				continue
			}
			if compared++; said != first {
				t.Errorf("%s:%d: %s of %s is by %q, but its note says %q where another says %q: published_notes.csv needs a "+
					"condition", p.Source, p.Line, cell.key, p.ModuleSlug+p.DeviceSlug, p.Kind, said, first)
			}
		}
	}
	if len(used) != len(sameMeasurement) || compared < 100 {
		t.Errorf("%d of %d texts are in use, %d rows were compared", len(used), len(sameMeasurement), compared)
	}
}

// A figure beyond the end of its scale would be drawn as if it were the end.
func TestScalesReachToTheFastestModule(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	for _, r := range Rows(s, c) {
		for _, key := range figure.MainFigures {
			f := r.Figures.At(key)
			most := max(f.Value, f.To)
			if f.HasInterval() {
				most = max(most, *f.High)
			}
			if high := ColumnOf(key).Scale.High; most > high {
				t.Errorf("%s of %s by %s: %g is beyond %g", key, r.Name(), r.Method, most, high)
			}
		}
	}
}

// Worked out by hand from the tables of the sources.
func TestCellsOfPublishedFigures(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	got := figuresOf(Rows(s, c))
	for of, want := range map[string]string{ // n counts cards
		// One card, three runs with the command queue off and three with it on. The median of all six was 2,074, which
		// nobody measured.
		"SanDisk Extreme 64 GB microSD fio-qd32-queue-off rand_write_iops": "1145.25 of 1",
		"SanDisk Extreme 64 GB microSD fio-qd32-queue-on rand_write_iops":  "2995 of 1",
		"SanDisk Extreme 64 GB microSD fio-qd32 rand_write_iops":           "",
		// One card in a Pi 1, 2, 3 and 4; the same author's same or another card; and a card of each of two other
		// authors.
		"Samsung EVO Plus 32 GB microSD iozone-direct-100m rand_write_iops": "553.5 to 985.6 of 3",
		"Samsung EVO Plus 32 GB microSD iozone-direct rand_write_iops":      "161.28 to 952.32 of 2",
		// What the source prints in IOPS, too, counts once.
		"Corsair Padlock 2 16 GB USB crystaldiskmark rand_read_iops": "1163.81836 of 1",
		// Three rounds in each of two hosts.
		"SanDisk Ultra 128 GB microSD dd-direct seq_write_mb_per_s": "6.7 to 23.6 of 2",
		// One card in three hosts, one of them with a faster slot.
		"SanDisk Extreme A1 128 GB microSD dd seq_read_mb_per_s": "23.4 to 44.5 of 1",
		// Ten runs in a row, with a fan and without: the cache runs out, the card grows hot.
		"ADATA Premier Extreme microSD Express 256 GB fio-cdm rand_write_iops": "22546 to 49582 of 1",
		// 32 in flight and 64 are two methods.
		"ADATA Premier Extreme microSD Express 256 GB fio-cdm-qd32 rand_read_iops": "58274 to 119113 of 1",
		"ADATA Premier Extreme microSD Express 256 GB fio-cdm-qd64 rand_read_iops": "40035 to 117542 of 1",
		// Two cards of one owner.
		"SanDisk microSD Express 256 GB fio-cdm rand_write_iops": "50103 to 51613 of 2",
		// A mean and a maximum; a fresh card and a worn one; in the cache and past it; both ends of a printed range.
		"SanDisk Extreme PLUS 32 GB SD other seq_read_mb_per_s":             "88.2 to 92 of 1",
		"Lexar Professional 1066x 128 GB CF other seq_write_mb_per_s":       "75 to 95 of 1",
		"Patriot Supersonic Rage Prime 500 GB USB other seq_write_mb_per_s": "87.49 to 98.77 of 1",
		"SanDisk Cruzer Edge 8 GB USB other seq_write_mb_per_s":             "12.5 to 12.9 of 1",
		// Two pastes about a module without a name.
		"eMMC module for Rock64 (brand not stated) iozone-direct-100m rand_write_iops": "905.375 of 2",
		// A weak figure, and one of four jobs at once.
		"ORICO UFSD-X 64 GB USB dd-buffered seq_write_mb_per_s": "",
	} {
		if got[of] != want {
			t.Errorf("%s is %q, want %q", of, got[of], want)
		}
	}
}

// Nothing between figures of different things answers a question.
func TestFiguresOfDifferentThingsAnswerNoQuestion(t *testing.T) {
	t.Parallel()
	questions, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	figures := figure.Set{}
	for _, key := range figure.KeyFigures {
		figures.Put(key, figure.Figure{Value: 100, To: 200, N: 2})
	}
	for _, q := range questions {
		row := &Row{Module: catalogue.Module{Slug: "a", Form: q.Forms[0]}, Figures: figures, Sources: []string{"source"},
			Prices: []figure.PriceMedian{{Amount: 10, Currency: "EUR", N: 1}}}
		for _, a := range Answers(q, []*Row{row}) {
			if !strings.HasSuffix(a.LeftOut, "measured different things") {
				t.Errorf("%s: %v, %q", q.Key, a.Score, a.LeftOut)
			}
		}
	}
}

// Expected figures have a section of their own, with an interval and a range of places among each other.
func TestExpectedFiguresAreRankedAmongTheirLike(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	for _, key := range []string{figure.RandWriteIOPS, figure.RandReadIOPS, figure.SeqWriteMBPerS} {
		var rows []*Row
		for _, r := range byMethod(Rows(s, c), key)[catalogue.MethodExpected] {
			if _, has := r.Figures.Find(key); has && r.Reference == "" {
				rows = append(rows, r)
			}
		}
		places, would := Ranks(rows, key)
		width := 0
		for i, r := range rows {
			if len(r.Sources) == 0 || r.Units+r.Contributors+r.Results > 0 {
				t.Errorf("%s: sources %v, %d units", r.Name(), r.Sources, r.Units)
			}
			if would[i] != (Place{}) {
				t.Errorf("%s would have the place %v", r.Name(), would[i])
			}
			place := places[i]
			if width += place.Last - place.First; key == figure.SeqWriteMBPerS {
				if place != (Place{}) {
					t.Errorf("%s has the place %v by what is known to be a lower end", r.Name(), place)
				}
			} else if place.First < 1 || place.Last > len(rows) || place.First > place.Last {
				t.Errorf("%s by %s: place %v of %d", r.Name(), key, place, len(rows))
			}
		}
		t.Logf("%s: %d modules, a range of %.1f places", key, len(rows), 1+float64(width)/float64(len(rows)))
		if key != figure.SeqWriteMBPerS && width < 10*len(rows) {
			t.Errorf("%s: places so narrow that hardly any of these figures can bear them", key)
		}
	}
}

// As soon as somebody's results count, the module has no expected figures any more.
func TestExpectedFiguresLeaveWithTheFirstUpload(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	const slug = "samsung-evo-plus-32gb-microsd"
	has := func() bool {
		return slices.ContainsFunc(Rows(s, c), func(r *Row) bool {
			return r.Module.Slug == slug && r.Method == catalogue.MethodExpected
		})
	}
	if !has() {
		t.Fatal("nothing is expected of the module")
	}
	sum := figure.Summary{ModuleSlug: slug, Method: figure.PublishedMethod, Contributors: 1, Figures: figure.Set{},
		NotRanked: []string{"the test area is not 256 MiB"}}
	s.Summaries = []figure.Summary{sum}
	if !has() {
		t.Error("a result that doesn't count removed what is expected")
	}
	s.Summaries[0].Figures = figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: 700}})
	if has() {
		t.Error("figures are expected of a module that somebody measured")
	}
}

// An expected figure names the sources that it is made from, and leaves out sources of figures that are only listed.
func TestSourcesOfExpectedFigures(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	only := map[string]string{} // a source of figures that are only listed
	for _, p := range s.Published {
		if only[p.ModuleSlug] == "" && p.Contributor == "" {
			only[p.ModuleSlug] = p.Source
		}
	}
	others := 0
	for _, r := range Rows(s, c) {
		if r.Method != catalogue.MethodExpected || r.Reference != "" {
			continue
		}
		of := []string{}
		for _, p := range s.Published {
			if p.ModuleSlug == r.Module.Slug && p.Contributor != "" && !slices.Contains(of, p.Source) {
				of = append(of, p.Source)
			}
		}
		if !slices.Equal(of, r.Sources) {
			t.Errorf("%s: sources %v, want %v", r.Name(), r.Sources, of)
		}
		if source := only[r.Module.Slug]; source != "" && !slices.Contains(of, source) {
			others++
		}
	}
	if others == 0 {
		t.Error("no module has a source that is only listed: this tests nothing")
	}
}

// Worked out by hand: 174 isn't surely more than 100, but 175 is. For a printed range from 50 to 200, nobody can tell.
func TestAPrintedFigureStandsAmongThoseOfItsMethod(t *testing.T) {
	t.Parallel()
	printed := func(value, to float64) *Row {
		return &Row{Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: value, To: to}})}
	}
	rows := []*Row{
		printed(175, 0), printed(174, 0), printed(50, 200), printed(57, 0), printed(58, 0), {},
		{Reference: "a disk", Figures: printed(300, 0).Figures},
	}
	if place, of := Among(rows, figure.RandWriteIOPS, 100); place != (Place{First: 2, Last: 5}) || of != 6 {
		t.Errorf("100 stands at %v of %d, want 2 to 5 of 6", place, of)
	}
}

// Worked out by hand from the tables of the sources: one author's card in six hosts, and a card of each of three other
// authors. No method measured the reference devices.
func TestRowsSayWhatIsPrinted(t *testing.T) {
	t.Parallel()
	s, c := publishedOverview(t)
	found := false
	for _, r := range Rows(s, c) {
		if r.Reference != "" && len(r.Sources) == 0 {
			t.Errorf("%s is a row of %s", r.Reference, r.Method)
		}
		if r.Module.Slug != "samsung-evo-plus-32gb-microsd" || r.Method != catalogue.MethodExpected {
			continue
		}
		found = true
		got := r.Printed[figure.RandWriteIOPS]
		if len(got.Rows) < got.Units || len(got.Rows) != len(got.Values) {
			t.Errorf("%d rows have %d values", len(got.Rows), len(got.Values))
		}
		got.Least, got.Greatest = result.Round(got.Least, 4), result.Round(got.Greatest, 4)
		got.Rows, got.Values = nil, nil
		want := figure.Printed{Units: 4, People: 4, Least: 161.3, LeastIn: "LEGO MINDSTORMS EV3",
			Greatest: 985.6, GreatestIn: "Raspberry Pi 4 model B", Sources: []string{"geerling_2015_pi2", "gist_misc_dd",
				"kobol_helios4_sd_2018", "lechnology_ev3_2017", "pidramble_wiki_pi3", "pidramble_wiki_pi4",
				"raspiblitz_1805_usb"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if !found {
		t.Error("nothing is expected of the module")
	}
}
