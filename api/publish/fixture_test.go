package publish

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/submission"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/ageing"
	"flashdex/result/sign"

	gocmp "github.com/google/go-cmp/cmp"
)

var (
	fixtureDir = flag.String("fixture", "", "write the site's fixture into this folder")
	update     = flag.Bool("update", false, "write the pages in testdata/pages anew")
)

// fixturePageRows is how many rows a page of the fixture's rankings has: few, so that there are several pages.
const fixturePageRows = 50

// writeFixture writes what the publisher would write for a part of the catalogue and made-up uploads. It returns the
// folder.
func writeFixture(t *testing.T) string {
	t.Helper()
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, results := fixture(t)
	s := newSite(t.TempDir(), snapshot, results, load(t), presets)
	s.pageRows = fixturePageRows
	meta := metaJSON{BuiltAt: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), Version: "0.1.0",
		SiteURL: "http://localhost:8080"}
	if err := s.write(t.Context(), meta, fixtureData(), fixtureClients()); err != nil {
		t.Fatal(err)
	}
	return s.input
}

// TestWriteFixture writes the fixture for make. It replaces only changed files, each atomically: somebody may be
// looking at a preview, and another make may write the same.
func TestWriteFixture(t *testing.T) {
	t.Parallel()
	if *fixtureDir == "" {
		t.Skip("make fixture names the folder")
	}
	fresh, err := os.MkdirTemp(filepath.Dir(*fixtureDir), ".fixture-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(fresh)
	input := writeFixture(t)
	for _, name := range []string{"method.md", "openapi.json"} { // the preview takes the repository's files
		if err := os.Remove(filepath.Join(input, name)); err != nil {
			t.Fatal(err)
		}
	}
	written := filesBelow(t, input)
	for _, name := range written {
		path := filepath.Join(*fixtureDir, name)
		text := read(t, input, name)
		if held, err := os.ReadFile(path); err == nil && string(held) == text {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		whole := filepath.Join(fresh, "file")
		if err := errors.Join(os.WriteFile(whole, []byte(text), 0o644), os.Rename(whole, path)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range filesBelow(t, *fixtureDir) {
		if !slices.Contains(written, name) {
			if err := os.Remove(filepath.Join(*fixtureDir, name)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
	}
}

// TestPagesOfTheFixture compares a page of each kind with the page in testdata/pages, ignoring space between tags.
// Tables of studies are also files for programs.
func TestPagesOfTheFixture(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	if err := (hugo{"../../bin/hugo", "../../site"}).build(t.Context(), writeFixture(t), t.TempDir(), out,
		""); err != nil {
		t.Fatal(err)
	}
	reMain, reSpace := regexp.MustCompile(`(?s)<main.*</main>`), regexp.MustCompile(`\s+`)
	reLeftOut := regexp.MustCompile(`\d+ (rows of published figures lack)`) // each new row of another module counts here
	for _, path := range []string{
		"modules/script-alert-1-script-64gb-usb", "modules/sandisk-extreme-a2-64gb-microsd",
		"modules/stack-raid1-2-samsung-evo-plus-64gb-microsd",
		"modules/transcend-jetflash-780-usb", "modules/innodisk-minidom-u-usb", "modules/estrella-64gb-microsd",
		"modules/transcend-premium-16gb-microsd", "hosts/raspberry-pi-4-model-b", "vendors/not-in-the-catalogue",
		"for/per-euro", "form/cf",
	} {
		page := reSpace.ReplaceAllString(reMain.FindString(read(t, out, path+"/index.html")), " ")
		page = strings.ReplaceAll(strings.ReplaceAll(page, "> <", "><"), "><", ">\n<") + "\n"
		page = reLeftOut.ReplaceAllString(page, "n $1")
		golden := filepath.Join("testdata/pages", strings.ReplaceAll(path, "/", "-")+".html")
		if *update {
			if err := os.WriteFile(golden, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := gocmp.Diff(read(t, ".", golden), page); diff != "" {
			t.Errorf("/%s/ changed. If it should, run go test ./api/publish -run PagesOfTheFixture -update (-was +is):\n%s",
				path, diff)
		}
	}
	for page, file := range map[string]string{"health": "/sources/sdmon_health-answers", "fakes": "/sources/fakes-prints",
		"endurance": "/sources/endurance-dead"} {
		for _, form := range []string{".csv", ".json"} {
			if text := read(t, out, page+"/index.html"); !strings.Contains(text, file+form) {
				t.Errorf("/%s/ doesn't lead to %s", page, file+form)
			}
			if read(t, out, file+form) == "" {
				t.Errorf("%s is empty", file+form)
			}
		}
	}
}

func filesBelow(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// fixtureData is a data set with a snapshot that was withdrawn.
func fixtureData() dataset.Index {
	latest := &dataset.Snapshot{Date: "2026-11-21", AsOf: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), Runs: 1234}
	const sum = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for i, t := range dataset.Tables {
		if t == &dataset.Samples.Table {
			continue
		}
		for k, end := range []string{".csv", ".csv.gz", ".parquet"} {
			latest.Files = append(latest.Files, dataset.File{Name: t.Name + end, Table: t.Name, Rows: int64(1000 + i),
				Bytes: int64(456_789 / (k + 1)), SHA256: sum, Description: t.Description})
		}
	}
	for _, month := range []string{"2026-10", "2026-11"} {
		latest.Months = append(latest.Months, dataset.Month{Month: month, Runs: 617, Modules: 30, IDs: sum})
		latest.Files = append(latest.Files, dataset.File{Name: "documents-" + month + ".ndjson.zst", Month: month,
			Rows: 617, Bytes: 2_345_678, SHA256: sum, Description: "The uploaded documents, one on each line."})
		for _, end := range []string{".csv.gz", ".parquet"} {
			latest.Files = append(latest.Files, dataset.File{Name: "samples-" + month + end, Table: dataset.Samples.Name,
				Month: month, Rows: 2468, Bytes: 1_234_567, SHA256: sum, Description: dataset.Samples.Description})
		}
	}
	latest.Files = append(latest.Files, dataset.File{Name: "flashdex.sqlite", Bytes: 1_234_567,
		SHA256:      strings.Repeat("fedcba9876543210", 4),
		Description: "All tables but samples in one database. </script><script>alert(1)</script>"})
	return dataset.Index{Latest: latest, Dated: []dataset.Snapshot{{Date: "2026-11-21", AsOf: latest.AsOf, Runs: 1234},
		{Date: "2026-11-20", AsOf: latest.AsOf.AddDate(0, 0, -1), Runs: 1200, Withdrawn: "2026-11-21"}}}
}

func fixtureClients() (files []clientFile) {
	for _, platform := range []string{"linux/amd64", "linux/386", "linux/arm/v5", "linux/arm/v6", "linux/arm/v7",
		"linux/arm64", "linux/mips", "linux/mipsle", "linux/riscv64"} {
		name := strings.ReplaceAll(strings.Replace(platform, "/v", "v", 1), "/", "-")
		files = append(files, clientFile{"flashdex-" + name, platform, 5_900_000 + int64(len(name))*12_345,
			strings.Repeat("0123456789abcdef", 4)})
	}
	return files
}

// maxFixtureFigures limits the published figures of one module by one method in the fixture: some modules have
// hundreds.
const maxFixtureFigures = 6

// fixture returns what the database would hold after the made-up uploads, with only a part of the catalogue.
func fixture(t testing.TB) (*figure.Overview, uploads) {
	t.Helper()
	c := load(t)
	s := &figure.Overview{Generation: 12}
	add := func(slug string) catalogue.Module {
		m, ok := c.Module(slug)
		if !ok {
			t.Fatalf("the catalogue has no module %s", slug)
		}
		s.Modules = append(s.Modules, m)
		return m
	}
	for _, slug := range publishedOnly {
		add(slug)
	}
	results := uploads{}
	for i, sp := range specimens {
		m := add(sp.slug)
		results[m.Slug] = sp.uploads(t, m, i)
	}
	for i, sp := range profiledSpecimens {
		m, _ := c.Module(sp.slug)
		results[m.Slug] = append(results[m.Slug], sp.uploads(t, m, i)...)
	}
	for i, slug := range referenceSpecimens {
		m, _ := c.Module(slug)
		results[m.Slug] = append(results[m.Slug], referenceUpload(t, m, i))
	}
	for i, sp := range stackSpecimens {
		member, _ := c.Module(sp.slug)
		m := catalogue.StackOf(sp.kind, sp.chunkBytes, []catalogue.Module{member, member})
		s.Modules = append(s.Modules, m)
		for contributor := range sp.contributors {
			d := sp.document(member, computers[sp.hosts[contributor%len(sp.hosts)]], 200+i, contributor, 0)
			d.ID = fmt.Sprintf("0198f2c4-7a3b-7c11-9d5e-%06x%04x00", 300+i, contributor) // others have the number
			results[m.Slug] = append(results[m.Slug], uploaded(t, ofStack(d, sp.kind, sp.chunkBytes), m.Slug, contributor))
		}
	}
	unnamed := c.Resolve(catalogue.Evidence{Identity: result.Identity{Bus: "sd", SizeBytes: 15_931_539_456,
		SD: &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: "SL16G"}}})
	s.Modules = append(s.Modules, unnamed, hostileModule)
	results[unnamed.Slug] = specimen{
		contributors: 1, hosts: []string{"pi-4"}, writeIOPS: 6.1, readIOPS: 912, writeMBPerS: 9, readMBPerS: 21.6,
		silicon: []silicon{{3, "SD", "SL16G"}},
	}.uploads(t, unnamed, 100)
	results[hostileModule.Slug] = hostileUploads(t, 1)

	slices.SortFunc(s.Modules, func(a, b catalogue.Module) int { return strings.Compare(a.Slug, b.Slug) })
	has, figures := map[string]bool{"": true}, map[string]int{}
	for _, m := range s.Modules {
		has[m.Slug] = true
	}
	for _, p := range c.Published {
		of := p.ModuleSlug + p.DeviceSlug + p.Method
		if tested := slices.Contains([]string{result.SeqWrite, result.SeqRead, result.RandWrite, result.RandRead},
			p.Test); tested && has[p.ModuleSlug] && figures[of] < maxFixtureFigures {
			s.Published = append(s.Published, p)
			figures[of]++
		}
	}
	s.Published = append(s.Published, hostileFigure)
	for _, m := range s.Modules {
		for _, sum := range results.summaries(m.Slug) {
			if sum.Variant != "" {
				sum.Figures = figure.Set{} // like the store's
			}
			if m.Slug == "sandisk-extreme-a2-64gb-microsd" && sum.Whole() && sum.Method == result.MethodFlashdex1 {
				// As if three contributors had measured every month, two of them with the bytes that a file system
				// counted.
				sum.AgeingPerYear = &ageing.Change{Units: 3, Contributors: 3, Runs: 36, Percent: -8, Low: -14, High: -3,
					Says: ageing.Slower}
				sum.AgeingPerTB = &ageing.Change{Units: 2, Contributors: 2, Runs: 23, Percent: -2.1, Low: -5, High: 0.9,
					Says: ageing.Steady}
			}
			s.Summaries = append(s.Summaries, sum)
		}
	}
	s.Checks = results.checks()
	return s, results
}

// checks counts the units whose capacity was checked, as the store does.
func (u uploads) checks() map[string]figure.Checks {
	all := map[string]figure.Checks{}
	for slug, of := range u {
		type unit struct {
			contributor int
			tag         string
		}
		units, contributors := map[unit]bool{}, map[int]bool{} // and whether they lack capacity
		for _, up := range of {                                // the newest first
			if !slices.Contains(up.run.Evidence, figure.EvidenceCapacityChecked) {
				continue
			}
			of, lacks := unit{up.contributor, up.UnitTag}, slices.Contains(up.run.Evidence, string(sign.AlmostCertain))
			if _, known := units[of]; !known || of.tag == "" {
				units[of] = units[of] || lacks
			}
		}
		c := figure.Checks{Units: len(units)}
		for of, lacks := range units {
			if lacks {
				c.Lacking++
			}
			contributors[of.contributor] = contributors[of.contributor] || lacks
		}
		for _, found := range contributors {
			c.Contributors++
			if found {
				c.FoundBy++
			}
		}
		if c.Units > 0 {
			all[slug] = c
		}
	}
	return all
}

// upload is one result as the store holds it.
type upload struct {
	contributor int
	document    *result.Document
	run         figure.Run
	submission.Submission
}

// uploads holds the uploads of each module, newest first.
type uploads map[string][]upload

func (u uploads) Variants(_ context.Context, slugs []string) (variants []figure.Summary, err error) {
	for _, slug := range slugs {
		for _, s := range u.summaries(slug) {
			if s.Variant != "" {
				variants = append(variants, s)
			}
		}
	}
	return variants, nil
}

func (u uploads) Newest(_ context.Context, slugs []string, limit int,
	do func(string, []submission.Submission) error) error {
	for _, slug := range slugs {
		var newest []submission.Submission
		for _, up := range u[slug][:min(len(u[slug]), limit)] {
			newest = append(newest, up.Submission)
		}
		if err := do(slug, newest); err != nil {
			return err
		}
	}
	return nil
}

func (u uploads) ChartData(_ context.Context, slugs []string, do func(string, []figure.ChartData) error) error {
	for _, slug := range slugs {
		var all []figure.ChartData
		for _, s := range u.summaries(slug) {
			if d := u.drawn(slug, s); s.Whole() && len(d.Units) > 0 {
				all = append(all, d)
			}
		}
		if len(all) == 0 {
			continue
		}
		if err := do(slug, all); err != nil {
			return err
		}
	}
	return nil
}

// drawn returns the data of a module's charts, made from its runs by a summary's method.
func (u uploads) drawn(slug string, s figure.Summary) figure.ChartData {
	byContributor := map[int][]figure.Run{}
	for _, up := range u[slug] {
		if up.Method == s.Method {
			byContributor[up.contributor] = append(byContributor[up.contributor], up.run)
		}
	}
	d := figure.ChartData{Method: s.Method}
	var newest []upload // one of each unit
	for _, contributor := range slices.Sorted(maps.Keys(byContributor)) {
		for _, unit := range figure.UnitsOf(byContributor[contributor]) {
			if !unit.Best || unit.Runs == 0 {
				continue
			}
			at := slices.IndexFunc(u[slug], func(up upload) bool {
				return up.Method == s.Method && up.contributor == contributor && up.run.Ranked && up.run.Tag == unit.Tag &&
					up.run.BusMBPerS == unit.BusMBPerS && (unit.HostClass == "" || up.run.HostClass == unit.HostClass)
			})
			d.Units, newest = append(d.Units, unit), append(newest, u[slug][at])
		}
	}
	for _, at := range figure.ChartedUnits(d.Units, s.Figures.At(figure.RandWriteIOPS).Value) {
		d.Runs = append(d.Runs, figure.SampledRun{ID: newest[at].ID, ReceivedAt: newest[at].ReceivedAt,
			Host: newest[at].Host, Tests: newest[at].document.Tests})
	}
	return d
}

// contributed returns what each contributor measured of a module by a method, each from a network of their own.
func (u uploads) contributed(slug, method string) (all []figure.Contributed) {
	byContributor := map[int][]figure.Run{}
	for _, up := range u[slug] {
		if up.Method == method {
			up.run.Network = fmt.Sprintf("key %d", up.contributor)
			byContributor[up.contributor] = append(byContributor[up.contributor], up.run)
		}
	}
	for _, contributor := range slices.Sorted(maps.Keys(byContributor)) {
		if c, ok := figure.ContributedBy(figure.UnitsOf(byContributor[contributor])); ok {
			all = append(all, c)
		}
	}
	return all
}

// summaries sums up a module's uploads in the two steps of the store.
func (u uploads) summaries(slug string) []figure.Summary {
	byContributor := map[int][]figure.Run{}
	notRanked := map[string][]string{}
	for _, up := range u[slug] {
		byContributor[up.contributor] = append(byContributor[up.contributor], up.run)
		notRanked[up.ID] = up.NotRanked
	}
	var shares []figure.Contribution
	for contributor, runs := range byContributor {
		shares = append(shares, figure.Contribution{Contributor: contributor, Units: figure.UnitsOf(runs)})
	}
	slices.SortFunc(shares, func(a, b figure.Contribution) int { return cmp.Compare(a.Contributor, b.Contributor) })
	summaries := figure.SummariesOf(slug, shares, false)
	for i := range summaries {
		s := &summaries[i]
		if !s.Whole() {
			continue
		}
		s.SetEvidence(u.contributed(slug, s.Method))
		if s.Fit(nil, nil); s.Figures.Len() == 0 {
			s.NotRanked = notRanked[s.Newest]
		}
	}
	return summaries
}
