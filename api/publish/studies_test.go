package publish

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"flashdex/api/figure"
	"flashdex/result"
)

// table returns one of a study's tables, which must equal its CSV.
func (s study) table(t *testing.T, id string) [][]string {
	t.Helper()
	for _, table := range s {
		if table.ID != id {
			continue
		}
		read, err := csv.NewReader(strings.NewReader(table.CSV)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for n, row := range read {
			for i, cell := range row {
				// A number below a head with a unit is printed with its sign and the unit.
				head, changes := strings.CutSuffix(read[0][i], ", %")
				shown := []string{cell}
				if changes && n == 0 {
					shown = []string{head}
				} else if changes && cell != "baseline" {
					cell = strings.Replace(cell, "-", "−", 1) + " %"
					shown = []string{cell, "+" + cell}
				}
				onPage := append([][]string{table.Numbers.Head}, table.Numbers.Rows...)[n][i]
				if !slices.Contains(shown, onPage) && cell != strings.ReplaceAll(onPage, ",", "") {
					t.Errorf("%s: the page lacks %s, which the CSV has", id, shown)
				}
			}
		}
		return read
	}
	t.Fatalf("no table %s", id)
	return nil
}

// Each table is also a list of objects: a row has a key for each head, and its numbers are numbers.
func TestStudiesAreObjects(t *testing.T) {
	t.Parallel()
	c := load(t)
	s := newSite(t.TempDir(), &figure.Overview{Modules: c.Modules}, nil, c, nil)
	all, err := s.studies()
	if err != nil {
		t.Fatal(err)
	}
	all["fakes"] = s.fakes().Tables
	kinds := map[string]int{}
	for key, of := range all {
		for _, table := range of {
			var rows []map[string]any
			if err := json.Unmarshal([]byte(table.JSON), &rows); err != nil || len(rows) != len(table.Numbers.Rows) {
				t.Fatalf("%s, %s: %d rows, %v", key, table.ID, len(rows), err)
			}
			for i, row := range rows {
				if len(row) != len(table.Numbers.Head) {
					t.Errorf("%s, %s, row %d: %v, want a key for each of %q", key, table.ID, i, row, table.Numbers.Head)
				}
				for _, value := range row {
					kinds[fmt.Sprintf("%T", value)]++
				}
			}
		}
	}
	if kinds["float64"] == 0 || kinds["string"] == 0 || kinds["<nil>"] == 0 {
		t.Errorf("%v", kinds)
	}
	want := `[{"Card":"infinity","GB":1780,"Rest, %":-7.7,"Seen":null}]`
	if got := asObjects(inNumbers([]string{"Card", "GB", "Rest", "Seen"}, [][]string{{"infinity", "1,780", "−7.7 %", ""}})); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Somebody may have given a module a formula for a name.
func TestStudiesHoldNoFormulas(t *testing.T) {
	t.Parallel()
	var of study
	of.add("x", "X", "", []string{"Card", "Rest"}, [][]string{{"=1+1", "−7.7 %"}, {"-x", "-5"}}, nil)
	if want := "Card,\"Rest, %\"\n'=1+1,-7.7\n'-x,-5\n"; of[0].CSV != want {
		t.Errorf("%q, want %q", of[0].CSV, want)
	}
}

func TestJavaStartupHasThePostsFiguresAndRelativeViews(t *testing.T) {
	t.Parallel()
	c := load(t)
	s, err := newSite(t.TempDir(), &figure.Overview{}, nil, c, nil).javaStartup()
	if err != nil {
		t.Fatal(err)
	}
	// The post's times are user time, and nothing may call them the time of a start.
	starts := 0
	for _, p := range c.Published {
		if p.Source != javaStartup || p.Unit != "s" {
			continue
		}
		if starts++; p.Test != "startup_user_time" ||
			p.Tool != "average user time of ten starts of a program on Java SE Embedded 8" {
			t.Errorf("%s:%d is %s by %q", p.Source, p.Line, p.Test, p.Tool)
		}
	}
	if starts != 12 {
		t.Errorf("%d starts, want 12", starts)
	}
	// As the post prints them.
	want := [][]string{
		{"Run time", "MB", "Micro Center Class 4 4 GB (micro)SD", "Toshiba Class 10 UHS-I 8 GB microSD",
			"SanDisk Class 4 8 GB microSD"},
		{"cp1", "10.8", "12.303", "12.138", "11.359"}, {"cp2", "15.1", "12.300", "12.210", "11.366"},
		{"cp2.debug", "20.7", "12.392", "12.369", "11.504"}, {"cp2.debug.big", "35.4", "11.947", "11.838", "11.039"},
	}
	if diff := gocmp.Diff(want, s.table(t, "seconds")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// 11.359 is 7.67 % less than 12.303, and 11.947 is 2.89 % less.
	if got := s.table(t, "cards")[1]; got[2] != "baseline" || got[4] != "-7.7" {
		t.Errorf("%v", got)
	}
	if got := s.table(t, "configurations")[4]; got[0] != "cp2.debug.big" || got[2] != "-2.9" {
		t.Errorf("%v", got)
	}
	iozone := s.table(t, "iozone")
	if diff := gocmp.Diff([]string{"SanDisk Class 4 8 GB microSD", "51200", "4", "1292", "1542", "5073", "5064", "4923",
		"707"}, iozone[5]); len(iozone) != 7 || diff != "" {
		t.Errorf("%d rows (-want +got):\n%s", len(iozone), diff)
	}
	relative := s.table(t, "iozone-relative")
	if relative[5][8] != "17675" || relative[1][8] != "100" {
		t.Errorf("%v", relative)
	}
	for _, row := range relative[1:] {
		for _, cell := range row[3:] {
			if len(cell) < 3 {
				t.Errorf("the baseline is said to be the slowest in all tests: %v", row)
			}
		}
	}
}

func TestCollectionHasTheColumnsAndTheDisk(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	c := load(t)
	s := newSite(t.TempDir(), snapshot, results, c, nil).flashCollection()
	rows := s.table(t, "collection")
	if diff := gocmp.Diff([]string{"Module", "Linear read, MB/s", "Linear write, MB/s", "Random read, IOPS",
		"Random write, IOPS"}, rows[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{"5400 rpm laptop disk", "", "", "90", "90"}, rows[2]); diff != "" ||
		len(rows) != len(referenceSpecimens)+2 {
		t.Errorf("%d rows (-want +got):\n%s", len(rows), diff)
	}
	links := s[0].Numbers.Links
	if !slices.Contains(links, "/modules/raspberry-pi-sd-card-a2-64gb-microsd/") || links[1] != "" {
		t.Errorf("links of the modules and the disk: %q", links)
	}
	// Before anyone has measured by its method, there is only the disk.
	s = newSite(t.TempDir(), &figure.Overview{}, nil, c, nil).flashCollection()
	if rows := s.table(t, "collection"); len(s) != 1 || len(rows) != 2 || rows[1][4] != "90" {
		t.Errorf("%v", rows)
	}
}

// Older clients wrote the area in another way first, so a module measured by them shares no table with newer ones.
func TestCollectionKeepsMethodsApart(t *testing.T) {
	t.Parallel()
	const newer, older, both = "transcend-133x-32gb-cf", "kingston-class-10-16gb-microsd", "sandisk-ultra-fit-32gb-usb"
	by := func(method, slug string, iops float64) figure.Summary {
		sum := measuredByUs(slug, map[string]figure.Figure{figure.RandWriteIOPS: {Value: iops, N: 3}})
		sum.Method = method
		return sum
	}
	s := publishedSite(t, by(result.MethodAltechnative2012, newer, 30), by(result.MethodAltechnative2012First, older, 20),
		by(result.MethodAltechnative2012, both, 10), by(result.MethodAltechnative2012First, both, 12))
	of := s.flashCollection()
	const disk = "5400 rpm laptop disk 90"
	for id, want := range map[string][]string{
		"collection":       {disk, s.moduleName(newer) + " 30", s.moduleName(both) + " 10"},
		"collection-older": {disk, s.moduleName(older) + " 20", s.moduleName(both) + " 12"},
	} {
		var got []string
		for _, row := range of.table(t, id)[1:] {
			got = append(got, row[0]+" "+row[4])
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	if len(of) != 2 || of[1].Note == "" {
		t.Errorf("%d tables, the second without a word on how it differs", len(of))
	}
}

// Published figures of the same test stand below a module's runs.
func TestIozoneProfileStandsBesideWhatIsPublished(t *testing.T) {
	t.Parallel()
	snapshot, results := fixture(t)
	s := newSite(t.TempDir(), snapshot, results, load(t), nil)
	const slug = "toshiba-class-10-uhs-i-8gb-microsd"
	m, _ := s.catalogue.Module(slug)
	s.published[slug] = nil
	for _, p := range s.catalogue.Published {
		if p.ModuleSlug == slug && p.Source == javaStartup {
			s.published[slug] = append(s.published[slug], p)
		}
	}
	var runs []figure.ProfiledRun
	err := results.Profiled(t.Context(), []string{slug}, func(_ string, of []figure.ProfiledRun) error {
		runs = of
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.profiles(m, runs) {
		if len(p.Runs) == 0 || len(p.Charts)+len(p.Tables) == 0 {
			t.Errorf("%s: %+v", p.Method, p)
		}
		if p.Method != "iozone-50m" {
			continue
		}
		want := []string{"Derek White 2014", "", "512", "8047", "8595", "18165"}
		if !slices.ContainsFunc(p.Tables[0].Rows, func(row []string) bool { return slices.Equal(row[:len(want)], want) }) {
			t.Error(p.Tables)
		}
	}
}

func TestProgramsReadTheNumbersOfAStudy(t *testing.T) {
	t.Parallel()
	got := inNumbers([]string{"Card, GB", "Rate", "Change"},
		[][]string{{"A, 8 GB", "1,780", "−1,130 %"}, {"B", "1,234,567.5", ""}})
	want := [][]string{{"Card, GB", "Rate", "Change, %"}, {"A, 8 GB", "1780", "-1130"}, {"B", "1234567.5", ""}}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Worked out from capacity_checks.csv and prices.csv by hand.
func TestWhatWasFakeHasEveryCheckedCard(t *testing.T) {
	t.Parallel()
	c := load(t)
	of := newSite(t.TempDir(), &figure.Overview{Modules: c.Modules}, nil, c, nil).whatWasFake()
	fake, full := of.table(t, "fake"), of.table(t, "full")
	if len(fake) != 1+7 || len(full) != 1+44 {
		t.Fatalf("%d fakes and %d others, want 7 and 44", len(fake)-1, len(full)-1)
	}
	want := []string{"ESTRELLA microSD 64 GB", "64", "1.3\u00a0GB", "19.1", "", "4.49", "Temu", "2023-05-23"}
	at := slices.IndexFunc(fake, func(row []string) bool { return strings.HasPrefix(row[0], "ESTRELLA") })
	if at < 0 {
		t.Fatal("no row of the ESTRELLA")
	}
	if diff := gocmp.Diff(want, fake[at]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	slower := 0
	for _, row := range full[1:] {
		if row[3] == "" {
			t.Errorf("%s has no rate", row[0])
		}
		if row[8] == "slower" {
			slower++
		}
	}
	if slower != 14 {
		t.Errorf("%d cards are slower than printed, want 14", slower)
	}
	for _, table := range of {
		for i, link := range table.Numbers.Links {
			if !strings.HasPrefix(link, "/modules/") {
				t.Errorf("%s leads to %q", table.Numbers.Rows[i][0], link)
			}
		}
	}
}

func TestWhatDiedHasEveryRowOfTheSurvey(t *testing.T) {
	t.Parallel()
	c := load(t)
	of := newSite(t.TempDir(), &figure.Overview{}, nil, c, nil).whatDied()
	rows := 0
	for _, table := range of {
		rows += len(of.table(t, table.ID)) - 1
	}
	if len(of) != 6 || rows != len(c.Endurance)+len(c.Endured) || len(c.Endurance) != 21 || len(c.Endured) != 34 {
		t.Errorf("%d tables of %d rows, want 5 of all 21 groups and one of 34 cards", len(of), rows)
	}
	if got := of.table(t, "cards")[1]; !slices.Equal(got, []string{"Bekit microSD 8 GB", "1", "1572", "1582", ""}) {
		t.Errorf("the first card is %v", got)
	}
	want := []string{"Fake flash", "30", "408", "1537", "0", "10582", "2025-08-31"}
	if got := of.table(t, "until-1")[6]; !slices.Equal(got, want) {
		t.Errorf("the first errors of fakes are %v, want %v", got, want)
	}
}

// There are three cards, each with a fan and without, and ten runs of each, which make no figure.
func TestRunsInARowAreDrawnAndListed(t *testing.T) {
	t.Parallel()
	of := newSite(t.TempDir(), &figure.Overview{}, nil, load(t), nil).runsInARow()
	for _, id := range []string{"writes", "random-writes"} {
		table := of.table(t, id)
		if len(table) != 1+6 || len(table[0]) != 1+10 {
			t.Errorf("%s has %d rows of %d cells, want 6 lines of 10 runs", id, len(table)-1, len(table[0]))
		}
		for _, row := range table[1:] {
			if slices.Contains(row, "") {
				t.Errorf("%s lacks a run: %v", id, row)
			}
		}
	}
	hot := of.table(t, "random-writes")[2]
	if hot[0] != "B ADATA Premier Extreme microSD Express 256 GB, without a fan" || hot[1] != "49600" ||
		hot[10] != "42400" {
		t.Errorf("the second line is %v", hot)
	}
	for _, table := range of {
		if len(table.Charts) != 1 || !strings.Contains(table.Charts[0].SVG, "several-6") {
			t.Errorf("%s has %d charts, or not six lines", table.ID, len(table.Charts))
		}
	}
}

// The page of each of these cards draws its own runs, and no other page has such a chart.
func TestAModulesRunsInARowAreOnItsPage(t *testing.T) {
	t.Parallel()
	s := newSite(t.TempDir(), &figure.Overview{Published: load(t).Published}, nil, load(t), nil)
	var drawn []string
	for slug := range s.published {
		charts := s.inARow(slug)
		if len(charts) == 0 {
			continue
		}
		drawn = append(drawn, slug)
		for _, c := range charts {
			if len(c.Key) != 2 || len(c.Numbers.Rows) != 2 || len(c.Numbers.Rows[0]) != 11 || c.Numbers.Head[0] != "Cooling" {
				t.Errorf("%s, %s: %+v", slug, c.Title, c.Numbers)
			}
		}
		if first := charts[0].Numbers.Rows[0]; len(charts) != 2 || first[0] != "A with a fan" {
			t.Errorf("%s has %d charts, the first %v", slug, len(charts), first)
		}
	}
	slices.Sort(drawn)
	if want := []string{"adata-premier-extreme-express-256gb-sdexpress", "lexar-play-pro-express-1tb-sdexpress",
		"sandisk-express-256gb-sdexpress"}; !slices.Equal(drawn, want) {
		t.Errorf("drawn for %q", drawn)
	}
}
