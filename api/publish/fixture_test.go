package publish

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/index"
	"flashdex/api/preset"
	"flashdex/data"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const fixtureDir = "../../site/fixture"

// none are no results: the pages of the fixture's modules are not made here.
type none struct{}

func (none) Each(context.Context, func(index.Submission) error) error                  { return nil }
func (none) Newest(context.Context, int, func(string, []index.Submission) error) error { return nil }

// The fixture's tables are what the publisher writes of its modules, methods and sources and of made-up uploads, on small pages.
func TestFixtureHasTheseTables(t *testing.T) {
	t.Parallel()
	presets, err := preset.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t.TempDir(), fixtureSnapshot(t), none{}, fixtureCatalogue(t), presets)
	s.pageRows = 14
	meta := metaJSON{BuiltAt: time.Date(2026, 11, 21, 1, 2, 3, 0, time.UTC), Version: "0.1.0", SiteURL: "http://localhost:8080"}
	if _, err := s.write(t.Context(), meta, nil, nil); err != nil {
		t.Fatal(err)
	}
	if *update {
		for _, folder := range []string{"rankings", "presets"} {
			if err := os.RemoveAll(filepath.Join(fixtureDir, folder)); err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(filepath.Join(fixtureDir, folder), os.DirFS(filepath.Join(s.input, folder))); err != nil {
				t.Fatal(err)
			}
		}
	}
	tables := []string{"pages.json", "meta.json"}
	for _, folder := range []string{"rankings", "presets"} {
		written, _ := filepath.Glob(filepath.Join(s.input, folder, "*"))
		held, _ := filepath.Glob(filepath.Join(fixtureDir, folder, "*"))
		if len(written) == 0 || len(written) != len(held) {
			t.Errorf("%s: the fixture holds %d files, the publisher writes %d", folder, len(held), len(written))
		}
		for _, file := range written {
			tables = append(tables, folder+"/"+filepath.Base(file))
		}
	}
	for _, name := range tables {
		want := read(t, s.input, name)
		if *update {
			if err := os.WriteFile(filepath.Join(fixtureDir, name), []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var written, held any
		if err := json.Unmarshal([]byte(want), &written); err != nil {
			t.Fatal(err)
		}
		fixtureFile(t, name, &held)
		// Processors differ in the last digit.
		if diff := cmp.Diff(written, held, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			t.Errorf("%s is not what the publisher writes: run go test ./api/publish -run FixtureHas -update (-publisher +fixture):\n%s", name, diff)
		}
	}
}

func fixtureFile(t *testing.T, name string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, fixtureDir, name)), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func fixtureCatalogue(t *testing.T) *catalogue.Catalogue {
	t.Helper()
	var methods []struct {
		ID, Label, Description string
		Published              bool
	}
	c := &catalogue.Catalogue{ReferenceDevices: load(t).ReferenceDevices}
	fixtureFile(t, "methods.json", &methods)
	fixtureFile(t, "sources.json", &c.Sources)
	for _, m := range methods {
		ours := m.ID == result.MethodFlashdex1
		c.Methods = append(c.Methods, catalogue.Method{ID: m.ID, Label: m.Label, Description: m.Description, UsedForUploads: !m.Published, ComparableRandWrite4K: ours || m.ID == "iozone-direct"})
	}
	return c
}

func fixtureSnapshot(t *testing.T) *index.Snapshot {
	t.Helper()
	s := &index.Snapshot{Generation: 12}
	files, err := filepath.Glob(filepath.Join(fixtureDir, "modules", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		var m struct {
			catalogue.Module
			Name, Vendor string
			Published    []struct {
				Source, Method, Test string
				BlockBytes           int64    `json:"block_bytes"`
				MBPerS               *float64 `json:"mb_per_s"`
				IOPS                 *float64
			}
		}
		fixtureFile(t, "modules/"+filepath.Base(file), &m)
		m.Module.Slug, m.Module.Vendor, m.Module.KnownFrom = strings.TrimSuffix(filepath.Base(file), ".json"), m.Vendor, catalogue.KnownFromPublished
		if m.Provisional { // its name is what it says of itself
			product, _, _ := strings.Cut(m.Name, ", ")
			m.Module.Vendor, m.Module.Product, m.Module.KnownFrom = "", product, catalogue.KnownFromKernel
		}
		s.Modules = append(s.Modules, m.Module)
		for i, p := range m.Published {
			s.Published = append(s.Published, catalogue.Published{Source: p.Source, Line: i + 2, ModuleSlug: m.Slug, Method: p.Method, Test: p.Test, BlockBytes: p.BlockBytes, MBPerS: p.MBPerS, IOPS: p.IOPS})
		}
	}
	for _, u := range uploads {
		s.Summaries = append(s.Summaries, index.SummariesOf(u.slug, u.shares())...)
	}
	slices.SortStableFunc(s.Summaries, func(a, b index.Summary) int { return strings.Compare(a.ModuleSlug, b.ModuleSlug) })
	return s
}

// made are made-up uploads of one module: one unit of each contributor.
type made struct {
	slug         string
	contributors int
	values       []float64 // of the middle unit, by index.FigureKeys
	hosts        []string  // in turn
	paid         float64   // EUR; 0: nobody told
}

var nan = math.NaN()

var uploads = []made{
	{"samsung-evo-plus-32-gb-microsd", 7, []float64{546.1, 1743, 18.31, 22.8, 7.42, 312.4, 41.2, 14.2, 6.1, nan, 100}, []string{"pi-4", "pi-5", "usb-3"}, 9.99},
	{"sandisk-extreme-a1-32-gb-sd", 6, []float64{871, 2410, 41.2, 78.1, 4.1, 96.3, 12.8, 8.3, 3.2, nan, 100}, []string{"usb-3", "pi-4"}, 12.49},
	{"sandisk-extreme-pro-a2-64-gb-sd", 8, []float64{842, 2290, 62.4, 84.9, 5.3, 143, 16.9, 11.7, 9.9, 134.2, 52.1}, []string{"usb-3", "pi-5"}, 19.9},
	{"samsung-pro-plus-32-gb-microsd", 4, []float64{503, 1650, 30.4, 44.6, 9.8, 402, 77.1, 19.4, 4.4, nan, 100}, []string{"pi-4"}, 0},
	{"kingston-16-gb-class-10-microsd", 3, []float64{3.9, 803, 9.8, 18.9, 1410, 6210, 3120, 88.1, 31.4, 67.1, 38.2}, []string{"pi-4", "slot"}, 5.5},
	{"toshiba-8-gb-class-10-microsd", 3, []float64{11.2, 1010, 8.4, 19.9, 640, 1890, 1204, 61.3, 0, nan, 100}, []string{"pi-4"}, 6}, // 0: no interval of 95 %
	{"samsung-evo-32-gb-microsd", 2, []float64{488, 1802, 15.1, 41.9, 8.3, 512, 66, 16.6, 5.2, nan, 100}, []string{"pi-5"}, 7.5},
	{"script-alert-1-script-64-gb-usb", 1, []float64{12345.6, 15990, 101.2, 143, 0.4312, 9.87, 1.9, 3.1, 2.2, nan, 100}, []string{"usb-3"}, 0},
	{"sd-card-0x03-sd-sl16g-16-gb", 1, []float64{6.127, 912, 9.02, 21.6, 1204, 4873, 2950, 71, 12.2, nan, 100}, []string{"pi-4"}, 0},
}

// shares are the uploads with the spread of real units: some 5 % between neighbours.
func (m made) shares() (shares []index.Share) {
	for i := range m.contributors {
		run := index.Run{ID: fmt.Sprintf("%s-%d", m.slug, i), ReceivedAt: time.Date(2026, 11, 21-i, 0, 0, 0, 0, time.UTC), Method: result.MethodFlashdex1, Tag: fmt.Sprint(i), Ranked: true}
		run.HostClass = m.hosts[i%len(m.hosts)]
		run.Board, run.BusMBPerS = index.HostClassLabel(run.HostClass), 50
		for k, v := range m.values {
			if index.FigureKeys[k] != index.SeqWriteCliffPercent || v != 100 {
				v *= 1 + 0.05*float64((i*(k+1))%m.contributors-m.contributors/2)
			}
			run.Values = append(run.Values, math.Round(v*1e4)/1e4)
		}
		if m.paid > 0 && i%2 == 0 {
			run.Price = index.Price{Amount: m.paid + float64(i)/2, Currency: "EUR", On: "2026-10"}
		}
		shares = append(shares, index.Share{Contributor: i, Units: index.UnitsOf([]index.Run{run})})
	}
	return shares
}
