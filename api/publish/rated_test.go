package publish

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/page"
	"flashdex/api/ranking"
	"flashdex/result"

	gocmp "github.com/google/go-cmp/cmp"
)

// publishedSite returns a site of the whole catalogue with its published figures and these summaries.
func publishedSite(t *testing.T, summaries ...figure.Summary) *site {
	t.Helper()
	c := load(t)
	return newSite(t.TempDir(), &figure.Overview{
		Modules: c.Modules, Published: c.Published, Summaries: summaries, Calibrations: new(figure.Calibrations),
	}, nil, c, nil)
}

func measuredByUs(slug string, figures map[string]figure.Figure) figure.Summary {
	return figure.Summary{ModuleSlug: slug, Method: result.MethodFlashdex1, Contributors: 3, Independent: 3, Days: 2,
		Units: 3, Results: 3, Figures: figure.SetOf(figures)}
}

// Worked out from data/ by hand: 45 MB/s are promised, and one source read 23.4, 38.0 and 43.39 in three hosts. Its
// writes have quality C.
func TestRatedStandsBesideWhatOthersPublished(t *testing.T) {
	t.Parallel()
	const slug = "transcend-premium-16gb-microsd"
	source := ratedRow{Source: "YaCy Grid cluster: SD card speed", Path: "/sources/#yacy_grid_sd", Date: "2020-07-22",
		Note: "the maker, as the source quotes it", Unit: "MB/s", Span: 1}
	written, read := source, source
	written.Label, written.Rated, written.Missing = "Linear write", "12", "not yet"
	read.Label, read.Rated = "Linear read", "45"
	read.Measured = []measuredOfRated{{
		Cell: page.Cell{Value: "23.4 to 43.4", N: "1"}, Percent: "52 to 96.4", Method: "dd, written out",
		MethodPath: "/method/#dd", Sources: []sourceLink{{"yacy_grid_sd", "YaCy Grid authors 2020"}},
	}}
	s := publishedSite(t)
	if diff := gocmp.Diff([]ratedRow{written, read}, s.ratedRows(s.modules[slug])); diff != "" {
		t.Errorf("without uploads (-want +got):\n%s", diff)
	}

	s = publishedSite(t, measuredByUs(slug, map[string]figure.Figure{figure.SeqReadMBPerS: {Value: 36, N: 3}}))
	ours := measuredOfRated{Cell: page.Cell{Value: "36", N: "3"}, Percent: "80", Method: "Flashdex",
		MethodPath: "/method/#flashdex-1", Sources: []sourceLink{}}
	read.Measured, read.Span = append([]measuredOfRated{ours}, read.Measured...), 2
	if diff := gocmp.Diff([]ratedRow{written, read}, s.ratedRows(s.modules[slug])); diff != "" {
		t.Errorf("with uploads (-want +got):\n%s", diff)
	}
}

// Nobody measured expected figures, so they don't stand beside a promise. A row's sources printed this figure, and not
// just another one by the same method.
func TestRatedStandsBesideMeasurementsAlone(t *testing.T) {
	t.Parallel()
	s, beside := publishedSite(t), 0
	const slug = "sandisk-ultra-a1-32gb-microsd"
	s.placed[slug] = append(s.placed[slug], placedRow{method: catalogue.Method{ID: catalogue.MethodExpected},
		row: &ranking.Row{Method: catalogue.MethodExpected, Figures: figure.SetOf(map[string]figure.Figure{
			figure.SeqReadMBPerS: {Value: 40, N: 3}})}})
	for _, m := range s.snapshot.Modules {
		printed := map[string][]string{} // labels of figures and methods by source
		for _, p := range s.published[m.Slug] {
			if key, value, _ := figure.PublishedFigure(&p); value != nil {
				at := "/sources/#" + strings.ToLower(p.Source)
				printed[at] = append(printed[at], figure.MetricOf(key).Label+methodPath(p.Method))
			}
		}
		for _, row := range s.ratedRows(m) {
			for _, measured := range row.Measured {
				if measured.Of != "" {
					continue
				}
				if beside++; measured.MethodPath == methodPath(catalogue.MethodExpected) || len(measured.Sources) == 0 {
					t.Errorf("%s, %s: %+v", m.Slug, row.Label, measured)
				}
				for _, source := range measured.Sources {
					if !slices.Contains(printed["/sources/#"+source.Anchor], row.Label+measured.MethodPath) {
						t.Errorf("%s, %s: %s printed no such figure", m.Slug, row.Label, source.Label)
					}
				}
			}
		}
	}
	if beside < 10 {
		t.Errorf("only %d published figures stand beside a promise", beside)
	}
}

// The AC100 article promises 30 random writes a second of an SLC module, and sets the 19 of an SD card beside them:
// 63.3 per cent. Nobody measured the module itself.
func TestWhatASourceSetBesideItsPromiseIsOfAnotherDevice(t *testing.T) {
	t.Parallel()
	const slug, of = "innodisk-minidom-u-usb", "Best SD card, altechnative.net 2012"
	s := publishedSite(t)
	rows := s.ratedRows(s.modules[slug])
	if len(rows) != 2 {
		t.Fatalf("%+v", rows)
	}
	written, read := rows[0], rows[1]
	want := []measuredOfRated{{Cell: page.Cell{Value: "19", N: "1"}, Percent: "63.3", Method: "Other",
		MethodPath: "/method/#other", Sources: []sourceLink{{"altechnative_ac100_2012", "altechnative.net 2012"}}, Of: of}}
	if diff := gocmp.Diff(want, written.Measured); diff != "" || written.Rated != "30" || written.Missing != "not yet" ||
		written.Span != 2 {
		t.Errorf("%+v (-want +got):\n%s", written, diff)
	}
	if read.Rated != "1,440" || read.Measured != nil || read.Missing != "not yet" || read.Span != 1 {
		t.Errorf("%+v", read)
	}

	s = publishedSite(t, measuredByUs(slug, map[string]figure.Figure{figure.RandWriteIOPS: {Value: 27, N: 3}}))
	written = s.ratedRows(s.modules[slug])[0]
	if len(written.Measured) != 2 || written.Measured[0].Percent != "90" || written.Measured[0].Of != "" ||
		written.Measured[1].Of != of || written.Missing != "" || written.Span != 2 {
		t.Errorf("with uploads: %+v", written)
	}
}

// Four promised rates don't say whether they are for reading or writing, so nothing stands beside them.
func TestARateWithoutADirectionIsComparedWithNothing(t *testing.T) {
	t.Parallel()
	for slug, rated := range map[string]string{
		"orico-ufsd-j-256gb-usb": "405", "sandisk-ultra-32gb-usb": "100", "sandisk-ultra-dual-drive-go-512gb-usb": "150",
		"toshiba-class-10-uhs-i-8gb-microsd": "30",
	} {
		s := publishedSite(t, measuredByUs(slug, map[string]figure.Figure{
			figure.SeqReadMBPerS: {Value: 36, N: 3}, figure.SeqWriteMBPerS: {Value: 9, N: 3},
		}))
		rows := s.ratedRows(s.modules[slug])
		if len(rows) != 1 || rows[0].Rated != rated || rows[0].Measured != nil || rows[0].Missing != "not compared" ||
			rows[0].Label != "Rate, direction not stated" {
			t.Errorf("%s: %+v", slug, rows)
		}
	}
}

// Worked out from prices.csv by hand.
func TestPublishedPricesStandApart(t *testing.T) {
	t.Parallel()
	const slug = "micro-center-class-4-4gb-sd"
	sum := measuredByUs(slug, map[string]figure.Figure{figure.RandWriteIOPS: {Value: 3, N: 3}})
	sum.Prices = []figure.PriceMedian{{Currency: "USD", Amount: 6, N: 3, On: "2026-10"}}
	s := publishedSite(t, sum)
	shown := s.module(s.modules[slug], &moduleResults{})
	want := []publishedPrice{{Currency: "USD", Amount: "4", PerGB: "1", Shop: "Micro Center", On: "2014-11-04",
		Source: "Derek White 2014", SourcePath: "/sources/#derekwhite_2014"}}
	if diff := gocmp.Diff(want, shown.PublishedPrices); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	paid := []priceRow{{Currency: "USD", Amount: "6", Of: "3 units", On: "2026-10", PerGB: "1.5", Month: "2026-10"}}
	if diff := gocmp.Diff(paid, shown.Measured[0].Prices); diff != "" {
		t.Errorf("contributors' (-want +got):\n%s", diff)
	}
	want = []publishedPrice{{Times: "4", ComparedWith: "SLC SD cards", On: "2012", Source: "altechnative.net 2012",
		SourcePath: "/sources/#altechnative_ac100_2012"}}
	if diff := gocmp.Diff(want, s.publishedPrices(s.modules["innodisk-minidom-u-usb"])); diff != "" {
		t.Errorf("a ratio (-want +got):\n%s", diff)
	}
}

// Worked out from capacity_checks.csv by hand, except for the module with several units.
func TestCheckedUnitsAreCounted(t *testing.T) {
	t.Parallel()
	s := publishedSite(t)
	const several = "lexar-32gb-microsd"
	check := s.told[several].checks[0]
	fake, later := check, check
	fake.Real, fake.Verdict = "7.7GiB", catalogue.CapacityFake
	later.Real, later.Verdict, later.Date = "1.3GB", catalogue.CapacityFake, "2025-01-02"
	s.told[several] = told{checks: []catalogue.CapacityCheck{check, fake, later}}
	fakes := 0
	for _, m := range s.snapshot.Modules {
		for _, checked := range s.checkedUnits(m.Slug) {
			if checked.Fake != "none" {
				fakes++
			}
		}
	}
	if fakes != 7+1 {
		t.Errorf("%d modules have a fake unit, want the 7 of the table and the one above", fakes)
	}
	source := checkedUnits{By: "JoyousJohn", How: "H2testw after FakeFlashTest",
		SourcePath: "/sources/#joyousjohn_sdbench", StudyPath: "/sources/what-was-fake/"}
	for slug, want := range map[string]checkedUnits{
		"estrella-64gb-microsd": {Units: "1 unit", Fake: "1", Found: "1.3\u00a0GB instead of 64\u00a0GB", On: "2023-05-23"},
		"kootion-64gb-microsd":  {Units: "1 unit", Fake: "none", On: "2023-09-03"},
		several: {Units: "3 units", Fake: "2", Found: "7.7\u00a0GiB instead of 32\u00a0GB, 1.3\u00a0GB instead of 32\u00a0GB",
			On: "2023-04-12 to 2025-01-02"},
	} {
		want.By, want.How, want.SourcePath, want.StudyPath = source.By, source.How, source.SourcePath, source.StudyPath
		if diff := gocmp.Diff([]checkedUnits{want}, s.checkedUnits(slug)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", slug, diff)
		}
	}
}

// What contributors checked is counted apart from what sources published, by whatever program they checked it.
func TestChecksOfContributorsAreCounted(t *testing.T) {
	t.Parallel()
	for want, checks := range map[string]figure.Checks{
		"": {},
		"of 3 units that 2 contributors checked with flashdex verify, H2testw or F3 1 held at least a twentieth less than claimed": {
			Units: 3, Lacking: 1, Contributors: 2, FoundBy: 1},
		"of 1 unit that 1 contributor checked with flashdex verify, H2testw or F3 none held at least a twentieth less than claimed": {
			Units: 1, Contributors: 1},
	} {
		s := newSite(t.TempDir(), &figure.Overview{Modules: []catalogue.Module{a1},
			Checks: map[string]figure.Checks{a1.Slug: checks}}, nil, load(t), nil)
		got := ""
		for _, c := range s.module(a1, &moduleResults{}).Checked {
			got += fmt.Sprintf("of %s that %s checked with %s %s %s", c.Units, c.By, c.How, c.Fake, c.What)
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Every row of prices.csv and capacity_checks.csv is on its module's page as it was typed, and no other row is.
func TestPricesAndChecksAreRegeneratedFromTheCSVs(t *testing.T) {
	t.Parallel()
	s := publishedSite(t)
	var want, got []string
	rows := func(name string, do func(map[string]string) string) {
		table, err := csv.NewReader(strings.NewReader(read(t, "../../data", name))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range table[1:] {
			cells := map[string]string{}
			for i, column := range table[0] {
				cells[column] = row[i]
			}
			want = append(want, do(cells))
		}
	}
	rows("prices.csv", func(row map[string]string) string {
		perGB := ""
		price, _ := strconv.ParseFloat(row["price"], 64)
		if capacityGB := s.modules[row["module"]].CapacityGB; price > 0 && capacityGB > 0 {
			perGB = result.Number(price / capacityGB)
		}
		return fmt.Sprint(row["module"], " ", row["currency"], row["price"], " a GB ", perGB, " times ", row["times_per_gb"],
			row["compared_with"], " at ", row["shop"], " on ", row["date"], " /sources/#", row["source"])
	})
	checks := map[string]int{} // units of a module
	rows("capacity_checks.csv", func(row map[string]string) string {
		checks[row["module"]]++
		found := "none"
		if row["verdict"] == "fake" {
			found = "1" + strings.NewReplacer("GiB", "\u00a0GiB", "GB", "\u00a0GB").Replace(row["real_capacity"]) +
				" instead of " + row["printed_capacity_gb"] + "\u00a0GB"
		}
		return fmt.Sprint(row["module"], " 1 unit ", found, " on ", row["date"], " by ", row["how"], " /sources/#",
			row["source"])
	})
	for slug, n := range checks {
		if n > 1 {
			t.Errorf("%s has %d checks, which this test takes for one", slug, n)
		}
	}
	for _, m := range s.snapshot.Modules {
		for _, p := range s.publishedPrices(m) {
			got = append(got, fmt.Sprint(m.Slug, " ", p.Currency, p.Amount, " a GB ", p.PerGB, " times ", p.Times,
				p.ComparedWith, " at ", p.Shop, " on ", p.On, " ", p.SourcePath))
		}
		for _, c := range s.checkedUnits(m.Slug) {
			got = append(got, fmt.Sprint(m.Slug, " ", c.Units, " ", c.Fake, c.Found, " on ", c.On, " by ", c.How, " ",
				c.SourcePath))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := gocmp.Diff(want, got); diff != "" || len(want) < 100 {
		t.Errorf("%d rows (-want +got):\n%s", len(want), diff)
	}
}

// A page is rendered again when anything changes that others promised, published, paid or checked.
func TestAModulesPageIsMadeOfWhatOthersTell(t *testing.T) {
	t.Parallel()
	const slug = "estrella-64gb-microsd"
	s := publishedSite(t)
	inputs := func() string {
		in, err := s.moduleInputs(s.modules[slug])
		if err != nil {
			t.Fatal(err)
		}
		return in.data
	}
	before := inputs()
	if before != inputs() {
		t.Error("the same is not the same")
	}
	of := s.told[slug]
	for _, change := range []struct {
		what string
		make func()
	}{
		{"a price", func() { of.prices = slices.Concat(of.prices, of.prices) }},
		{"a check", func() { of.checks = slices.Concat(of.checks, of.checks) }},
		{"a published figure", func() { s.published[slug] = append(s.published[slug], s.published[slug][0]) }},
		{"a promise", func() { s.catalogue = ratedAnew(t) }},
		{"what its source set beside the promise", func() {
			s.published[""] = append(s.published[""], catalogue.Published{Source: "joyousjohn_sdbench"})
		}},
	} {
		change.make()
		s.told[slug] = of
		now := inputs()
		if now == before {
			t.Errorf("after %s the page is taken for the same", change.what)
		}
		before = now
	}
}

// ratedAnew returns the catalogue with a promise for the ESTRELLA.
func ratedAnew(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	const file = "modules/estrella.json"
	files := fstest.MapFS{}
	for _, name := range filesBelow(t, "../../data") {
		files[name] = &fstest.MapFile{Data: []byte(read(t, "../../data", name))}
	}
	files[file].Data = []byte(strings.Replace(string(files[file].Data), `"form"`,
		`"rated": [{"source": "joyousjohn_sdbench", "figures": {"seq_read_mb_per_s": 90}}], "form"`, 1))
	c, err := catalogue.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
