package publish

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/submission"
	"flashdex/client/release"
	"flashdex/data"
	"flashdex/result"
)

// memory is a store that holds one snapshot; the real one is tested with the publisher in e2e/.
type memory struct {
	snapshot *figure.Overview
	held     bool
}

func (m *memory) Acquire(context.Context, string, string, time.Duration) (int64, bool, error) {
	return 1, m.held, nil
}
func (m *memory) Release(context.Context, string, string) error { return nil }
func (m *memory) Fold(context.Context) (int, int64, error)      { return 0, m.snapshot.Generation, nil }
func (m *memory) Snapshot(_ context.Context, do func(*figure.Overview, submission.Results) error) error {
	return do(m.snapshot, m)
}

func (m *memory) Variants(_ context.Context, slugs []string) (variants []figure.Summary, err error) {
	for _, sum := range m.snapshot.Summaries {
		if sum.Variant != "" && slices.Contains(slugs, sum.ModuleSlug) {
			variants = append(variants, sum)
		}
	}
	return variants, nil
}

func (m *memory) Newest(_ context.Context, slugs []string, _ int,
	do func(string, []submission.Submission) error) error {
	for _, slug := range slugs { // no other module was measured
		if err := do(slug, []submission.Submission{hostile()}); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) ChartData(context.Context, []string, func(string, []figure.ChartData) error) error {
	return nil
}

func (m *memory) Profiled(context.Context, []string, func(string, []figure.ProfiledRun) error) error {
	return nil
}

func (m *memory) Lives(context.Context, []string) (map[string][]figure.LivedRun, error) {
	return nil, nil
}

func load(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hostile() submission.Submission {
	iops, p99 := 123.0, int64(20e6)
	return submission.Submission{
		ID: "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", State: submission.Accepted,
		ReceivedAt: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC),
		Method:     result.MethodFlashdex1, Profile: result.ProfileStandard, Client: "flashdex 0.1.0",
		Host: "<script>alert(1)</script>", ModuleSlug: "acme-turbo",
		NamedBy: catalogue.NamedByTyping,
		Tests: []result.Figures{
			{Test: result.RandWrite, BlockBytes: 4096, QueueDepth: 1, Sync: "dsync", Ended: result.Converged, MBPerS: 0.5,
				IOPS: &iops, IOPSLow: &iops, IOPSHigh: &iops, P99NS: &p99},
			{Test: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Sync: "fsync", Ended: result.Complete, MBPerS: 20},
		},
	}
}

func TestPublication(t *testing.T) {
	t.Parallel()
	c := load(t)
	m := &memory{held: true, snapshot: &figure.Overview{
		Generation: 7, Aliases: map[string]string{"acme-trubo": "acme-turbo"}, Published: c.Published,
		Modules: append([]catalogue.Module{{Slug: "acme-turbo", Vendor: "=cmd|' /C calc'!A0", Product: "<b>Turbo</b>",
			CapacityGB: 1, Form: "microsd"}}, c.Modules...),
	}}
	for _, class := range []string{"", "pi-5"} {
		m.snapshot.Summaries = append(m.snapshot.Summaries, figure.Summary{
			ModuleSlug: "acme-turbo", Method: result.MethodFlashdex1, HostClass: class, Units: 1, Contributors: 1, Boards: 1,
			Results: 1, Newest: hostile().ID,
			Figures: figure.SetOf(map[string]figure.Figure{figure.RandWriteIOPS: {Value: 123, N: 1, Runs: 1, Contributors: 1},
				figure.SeqWriteMBPerS: {Value: 20, N: 1}}),
		})
	}
	m.snapshot.Summaries[0].Groups = []figure.TwoGroups{{Figure: figure.RandWriteIOPS,
		Slower: figure.Group{Value: 20, Contributors: 5}, Faster: figure.Group{Value: 900, Contributors: 8}}}
	presets, err := question.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	dir, clients, files := t.TempDir(), t.TempDir(), dataset.Index{}
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(clients, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("flashdex-linux-arm64", "program")
	put(release.List, "5ca1ab1e  flashdex-linux-arm64\n# to come flashdex-linux-mips\n")
	p := New(Config{Store: m, Catalogue: c, Presets: presets, Hugo: "../../bin/hugo", Project: "../../site", Dir: dir,
		Clients: clients, SiteURL: "http://localhost:8080", Version: "test", Data: func() dataset.Index { return files },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err := p.PublishIfNew(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := Current(dir)
	for _, name := range []string{"modules/acme-turbo/index.html", "in/pi-5/index.html", "for/camera/index.html",
		"for/boot/index.html"} {
		if page := read(t, first, name); strings.Contains(page, "<script>alert") || strings.Contains(page, "<b>Turbo") ||
			!strings.Contains(page, "&lt;b&gt;Turbo") {
			t.Errorf("%s does not show the module's name as text", name)
		}
	}
	const groups = "falls into two groups: around 20 IOPS (5 contributors) and around 900 IOPS (8)."
	if page := read(t, first, "modules/acme-turbo/index.html"); !strings.Contains(page, groups) {
		t.Error("the module's page doesn't say that contributors disagree")
	}
	named := submission.EvidenceOf(catalogue.NamedByTyping)
	if page := read(t, first, "modules/acme-turbo/index.html"); !strings.Contains(page, ">"+named.Words+"</td>") ||
		!strings.Contains(page, named.Words+"</strong>: "+named.Sentence) {
		t.Error("the module's page doesn't say why its result is of it")
	}
	checkModuleData(t, first)
	if page := read(t, first, "for/boot/index.html"); !strings.Contains(page, "the 4K random read was not measured") ||
		!strings.Contains(page, "Published: ") {
		t.Error("the question's page tells neither whom it leaves out and why, nor what others published")
	}
	if home := read(t, first, "index.html"); !strings.Contains(home, "/modules/acme-turbo/") ||
		!strings.Contains(home, "5400 rpm laptop disk") {
		t.Error("the ranking lacks the module or the laptop disk")
	}
	if page := read(t, first, "modules/acme-trubo/index.html"); !strings.Contains(page,
		`content="0; url=/modules/acme-turbo/"`) {
		t.Errorf("the merged module's page does not lead on: %s", page)
	}
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) != first {
		t.Errorf("published again without a change (%v)", err)
	}
	if page := read(t, first, "test/index.html"); !strings.Contains(page, "5ca1ab1e") ||
		strings.Count(page, "is being built, and will be here") != 1 {
		t.Error("the page of downloads doesn't tell which client is there and which is to come")
	}
	put("flashdex-linux-mips", "program")
	put(release.List, "5ca1ab1e  flashdex-linux-arm64\n0ddba11  flashdex-linux-mips\n")
	p.Hugo = "/bin/false"
	if err := p.PublishIfNew(t.Context()); err == nil {
		t.Error("a failed build is no error")
	}
	p.Hugo = "../../bin/hugo"
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) == first ||
		!strings.Contains(read(t, Current(dir), "test/index.html"), "0ddba11") {
		t.Errorf("the client that came is not among the downloads (%v)", err)
	}
	first = Current(dir)
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) != first {
		t.Errorf("published again for clients that had come (%v)", err)
	}
	files.Latest = &dataset.Snapshot{AsOf: time.Now(),
		Files: []dataset.File{{Name: "results.parquet", Table: "results", Rows: 12345}}}
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) == first ||
		!strings.Contains(read(t, Current(dir), "data/index.html"), "12,345") {
		t.Errorf("the new files of the data set are not on its page (%v)", err)
	}
	checkModuleData(t, Current(dir)) // reused with the page
	if same := samePictures(t, first, Current(dir), "modules/acme-turbo", "device/steam-deck"); len(same) != 2 {
		t.Errorf("of the pictures only %q are taken over with their pages", same)
	}
	first = Current(dir)
	m.snapshot.Generation++
	p.Hugo = "/bin/false"
	if err := p.PublishIfNew(t.Context()); err == nil || Current(dir) != first {
		t.Errorf("a failed build replaced the publication (%v)", err)
	}
	p.Hugo, m.held = "../../bin/hugo", false
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) != first {
		t.Errorf("published without the lease (%v)", err)
	}
	m.held = true
	m.snapshot.Touched = map[string]time.Time{"acme-turbo": time.Now()}
	m.snapshot.Modules[0].Product = "New"
	before := read(t, first, "modules/acme-turbo/"+pictureFile)
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) == first {
		t.Errorf("did not publish the change (%v)", err)
	}
	if read(t, first, "modules/acme-turbo/"+pictureFile) != before ||
		read(t, Current(dir), "modules/acme-turbo/"+pictureFile) == before {
		t.Error("the picture doesn't change with its page, or it does in the publication before")
	}
}

func read(t testing.TB, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkModuleData compares the files beside a module's page with each other and with their description.
func checkModuleData(t *testing.T, dir string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(read(t, dir, "modules/acme-turbo.csv"))).ReadAll()
	if err != nil || len(rows) < 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var data struct {
		Module, AsOf string
		Figures      []map[string]any
		Runs         []struct{ Result, Date string }
	}
	var described struct {
		Licenses  []struct{ Name string }
		Citation  string
		Resources []struct {
			Path   string
			Schema struct{ Fields []struct{ Name string } }
		}
	}
	for name, to := range map[string]any{".json": &data, ".metadata.json": &described} {
		if err := json.Unmarshal([]byte(read(t, dir, "modules/acme-turbo"+name)), to); err != nil {
			t.Fatal(name, err)
		}
	}
	var columns []string
	for _, f := range described.Resources[0].Schema.Fields {
		columns = append(columns, f.Name)
	}
	if diff := cmp.Diff(columns, rows[0]); diff != "" || described.Resources[0].Path != "acme-turbo.csv" ||
		described.Resources[1].Path != "acme-turbo.json" {
		t.Errorf("the description is of other columns (-described +written):\n%s", diff)
	}
	if !strings.Contains(described.Citation, "/modules/acme-turbo/") || described.Licenses[0].Name != "CC0-1.0" {
		t.Errorf("no licence, or no citation: %+v", described)
	}
	if len(data.Figures) != len(rows)-1 || len(data.Runs) == 0 || data.Runs[0].Result == "" ||
		len(data.Runs[0].Date) != len(time.DateOnly) {
		t.Errorf("%d rows as CSV, and as JSON %+v", len(rows)-1, data)
	}
	for i, row := range rows[1:] {
		if data.Figures[i]["module"] != row[0] || data.Figures[i]["method"] != row[2] {
			t.Errorf("row %d is %v as CSV and %v as JSON", i, row, data.Figures[i])
		}
	}
}

// BenchmarkModuleData writes the files beside a module's page.
func BenchmarkModuleData(b *testing.B) {
	snapshot, made := fixture(b)
	c, err := catalogue.Load(data.FS)
	if err != nil {
		b.Fatal(err)
	}
	s := newSite(b.TempDir(), snapshot, made, c, nil)
	newest := map[string][]submission.Submission{}
	var slugs []string
	for _, m := range snapshot.Modules {
		slugs = append(slugs, m.Slug)
	}
	if err := made.Newest(b.Context(), slugs, maxRuns,
		func(slug string, of []submission.Submission) error { newest[slug] = of; return nil }); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if i%len(snapshot.Modules) == 0 { // a publication writes new files
			s.destination = b.TempDir()
		}
		m := snapshot.Modules[i%len(snapshot.Modules)]
		if err := s.writeModuleData(m, newest[m.Slug]); err != nil {
			b.Fatal(err)
		}
	}
}
