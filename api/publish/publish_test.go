package publish

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/index"
	"flashdex/api/preset"
	"flashdex/data"
	"flashdex/result"
)

// memory is a store that holds one snapshot; the real one is tested with the publisher in e2e/.
type memory struct {
	snapshot *index.Snapshot
	held     bool
}

func (m *memory) Acquire(context.Context, string, string, time.Duration) (int64, bool, error) {
	return 1, m.held, nil
}
func (m *memory) Release(context.Context, string, string) error { return nil }
func (m *memory) Fold(context.Context) (int, int64, error)      { return 0, m.snapshot.Generation, nil }
func (m *memory) Snapshot(_ context.Context, do func(*index.Snapshot, index.Results) error) error {
	return do(m.snapshot, m)
}

func (m *memory) Newest(_ context.Context, slugs []string, _ int, do func(string, []index.Submission) error) error {
	for _, slug := range slugs { // there is no other that was measured
		if err := do(slug, []index.Submission{hostile()}); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Drawn(context.Context, []string, func(string, []index.Drawn) error) error {
	return nil
}

func load(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func hostile() index.Submission {
	iops, p99 := 123.0, int64(20e6)
	return index.Submission{
		ID: "0198f2c4-7a3b-7c11-9d5e-3f2a1b0c9d8e", ReceivedAt: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), State: index.Accepted,
		Method: result.MethodFlashdex1, Profile: result.ProfileStandard, Client: "flashdex 0.1.0", Host: "<script>alert(1)</script>", ModuleSlug: "acme-turbo",
		Tests: []result.Figures{
			{Test: result.RandWrite, BlockBytes: 4096, QueueDepth: 1, Sync: "dsync", Ended: result.Converged, MBPerS: 0.5, IOPS: &iops, IOPSLow: &iops, IOPSHigh: &iops, P99NS: &p99},
			{Test: result.SeqWrite, BlockBytes: 1 << 20, QueueDepth: 1, Sync: "fsync", Ended: result.Complete, MBPerS: 20},
		},
	}
}

func TestPublication(t *testing.T) {
	t.Parallel()
	c := load(t)
	m := &memory{held: true, snapshot: &index.Snapshot{
		Generation: 7, Aliases: map[string]string{"acme-trubo": "acme-turbo"}, Published: c.Published,
		Modules: append([]catalogue.Module{{Slug: "acme-turbo", Vendor: "=cmd|' /C calc'!A0", Product: "<b>Turbo</b>", CapacityGB: 1, Form: "microsd"}}, c.Modules...),
	}}
	for _, class := range []string{"", "pi-5"} {
		m.snapshot.Summaries = append(m.snapshot.Summaries, index.Summary{
			ModuleSlug: "acme-turbo", Method: result.MethodFlashdex1, HostClass: class, Units: 1, Contributors: 1, Boards: 1, Results: 1, Newest: hostile().ID,
			Figures: map[string]index.Estimate{index.RandWriteIOPS: {Value: 123, N: 1, Runs: 1, Contributors: 1}, index.SeqWriteMBPerS: {Value: 20, N: 1}},
		})
	}
	presets, err := preset.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	dir, files := t.TempDir(), dataset.Index{}
	p := New(Config{Store: m, Catalogue: c, Presets: presets, Hugo: "../../bin/hugo", Project: "../../site", Dir: dir, Clients: t.TempDir(), SiteURL: "http://localhost:8080", Version: "test", Data: func() dataset.Index { return files },
		Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err := p.PublishIfNew(t.Context()); err != nil {
		t.Fatal(err)
	}
	first := Current(dir)
	for _, name := range []string{"modules/acme-turbo/index.html", "in/pi-5/index.html", "for/camera/index.html", "for/boot/index.html"} {
		if page := read(t, first, name); strings.Contains(page, "<script>alert") || strings.Contains(page, "<b>Turbo") || !strings.Contains(page, "&lt;b&gt;Turbo") {
			t.Errorf("%s does not show the module's name as text", name)
		}
	}
	if page := read(t, first, "for/boot/index.html"); !strings.Contains(page, "the 4K random read was not measured") || !strings.Contains(page, "Published: ") {
		t.Error("the question's page tells neither whom it leaves out and why, nor what others published")
	}
	if home := read(t, first, "index.html"); !strings.Contains(home, "/modules/acme-turbo/") || !strings.Contains(home, "5400 rpm laptop disk") {
		t.Error("the ranking lacks the module or the laptop disk")
	}
	if page := read(t, first, "modules/acme-trubo/index.html"); !strings.Contains(page, `content="0; url=/modules/acme-turbo/"`) {
		t.Errorf("the merged module's page does not lead on: %s", page)
	}
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) != first {
		t.Errorf("published again without a change (%v)", err)
	}
	files.Latest = &dataset.Snapshot{AsOf: time.Now(), Files: []dataset.File{{Name: "results.parquet", Table: "results", Rows: 12345}}}
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) == first || !strings.Contains(read(t, Current(dir), "data/index.html"), "12\u202f345") {
		t.Errorf("the new files of the data set are not on its page (%v)", err)
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
	if err := p.PublishIfNew(t.Context()); err != nil || Current(dir) == first {
		t.Errorf("did not publish the change (%v)", err)
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
