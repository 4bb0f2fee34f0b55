package publish

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/figure"
	"flashdex/api/figure/question"
	"flashdex/api/submission"
	"flashdex/data"
)

// BenchmarkHugo builds the site of many modules as the publisher does, with the real Hugo and in slices. In turn with
// it, it builds a plain site with as many pages by one template, which prints a name and some numbers. The modules are
// copies of the fixture's.
func BenchmarkHugo(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			work := b.TempDir()
			start := time.Now()
			s := writeMany(b, n, work)
			b.ReportMetric(time.Since(start).Seconds(), "s-publisher")
			b.ReportMetric(megabytesBelow(b, s.input), "MB-in")
			b.ReportMetric(float64(len(s.pages)), "pages")
			plain, of := plainProject(b, len(s.pages))
			var walls, cpus, peaks, ratios []float64
			for i := range max(b.N, 3) {
				out := filepath.Join(work, "out")
				remove(b, out, out+"-plain")
				var wall, cpu, peak float64
				segment := ""
				for pages := range s.slices() {
					if err := s.writePagesFile(pages); err != nil {
						b.Fatal(err)
					}
					w, c, p := cost(b, hugo{"../../bin/hugo", "../../site"}, s.input, out, segment)
					segment = dataSegment
					wall, cpu, peak = wall+w, cpu+c, max(peak, p)
				}
				if i == 0 {
					b.ReportMetric(megabytesBelow(b, out), "MB-out")
				}
				_, plainCPU, _ := cost(b, hugo{"../../bin/hugo", plain}, of, out+"-plain", "")
				walls, cpus, peaks, ratios = append(walls, wall), append(cpus, cpu), append(peaks, peak), append(ratios,
					cpu/plainCPU)
			}
			b.ReportMetric(0, "ns/op")
			for unit, values := range map[string][]float64{"s-wall": walls, "s-CPU": cpus, "MB-peak": peaks,
				"CPU/plain": ratios} {
				slices.Sort(values)
				b.ReportMetric(values[len(values)/2], unit)
			}
		})
	}
}

// writeMany writes the input of a site of n modules below work.
func writeMany(b *testing.B, n int, work string) *site {
	presets, err := question.Load(data.FS)
	if err != nil {
		b.Fatal(err)
	}
	snapshot, results := many(b, n)
	s := newSite(work, snapshot, results, load(b), presets)
	err = s.write(b.Context(), metaJSON{BuiltAt: time.Now(), SiteURL: "http://localhost:8080"}, fixtureData(),
		fixtureClients())
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// copies gives each module's results to all its copies.
type copies struct {
	uploads
	of map[string]string // slug of the module by slug of the copy
}

// each calls do for each module with some of these copies.
func (c copies) each(slugs []string, do func(of []string, copies []string) error) error {
	by := map[string][]string{}
	for _, slug := range slugs {
		by[c.of[slug]] = append(by[c.of[slug]], slug)
	}
	for slug, copies := range by {
		if err := do([]string{slug}, copies); err != nil {
			return err
		}
	}
	return nil
}

func (c copies) Newest(ctx context.Context, slugs []string, limit int,
	do func(string, []submission.Submission) error) error {
	return c.each(slugs, func(of, copies []string) error {
		return c.uploads.Newest(ctx, of, limit, func(_ string, newest []submission.Submission) error {
			for _, slug := range copies {
				if err := do(slug, newest); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (c copies) ChartData(ctx context.Context, slugs []string, do func(string, []figure.ChartData) error) error {
	return c.each(slugs, func(of, copies []string) error {
		return c.uploads.ChartData(ctx, of, func(_ string, drawn []figure.ChartData) error {
			for _, slug := range copies {
				if err := do(slug, drawn); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (c copies) Profiled(ctx context.Context, slugs []string, do func(string, []figure.ProfiledRun) error) error {
	return c.each(slugs, func(of, copies []string) error {
		return c.uploads.Profiled(ctx, of, func(_ string, runs []figure.ProfiledRun) error {
			for _, slug := range copies {
				if err := do(slug, runs); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func (c copies) Lives(ctx context.Context, slugs []string) (map[string][]figure.LivedRun, error) {
	lives := map[string][]figure.LivedRun{}
	return lives, c.each(slugs, func(of, copies []string) error {
		found, err := c.uploads.Lives(ctx, of)
		for _, runs := range found {
			for _, slug := range copies {
				lives[slug] = runs
			}
		}
		return err
	})
}

// many makes n modules from the fixture's, each a little quicker than its original.
func many(b *testing.B, n int) (*figure.Overview, copies) {
	one, results := fixture(b)
	s := &figure.Overview{Generation: one.Generation}
	all := copies{results, map[string]string{}}
	for i := range n {
		m := one.Modules[i%len(one.Modules)]
		from, turn := m.Slug, i/len(one.Modules)
		m.Slug, m.Product = fmt.Sprintf("%s-%d", from, turn), fmt.Sprintf("%s %d", m.Product, turn)
		s.Modules = append(s.Modules, m)
		all.of[m.Slug] = from
		for _, sum := range one.Summaries {
			if sum.ModuleSlug == from {
				sum.ModuleSlug, sum.Figures = m.Slug, quicker(sum.Figures, 1+float64(turn)/100)
				s.Summaries = append(s.Summaries, sum)
			}
		}
		for _, p := range one.Published {
			if p.ModuleSlug == from {
				p.ModuleSlug = m.Slug
				s.Published = append(s.Published, p)
			}
		}
	}
	slices.SortFunc(s.Modules, func(a, b catalogue.Module) int { return strings.Compare(a.Slug, b.Slug) })
	return s, all
}

func quicker(figures figure.Set, by float64) figure.Set {
	var scaled figure.Set
	for key, f := range figures.All() {
		f.Value *= by
		for _, end := range []**float64{&f.Low, &f.High} {
			if *end != nil {
				*end = new(**end * by)
			}
		}
		scaled.Put(key, f)
	}
	return scaled
}

// plainProject makes a Hugo project with one template, and a folder with a data file for each of its n pages.
func plainProject(b *testing.B, n int) (dir, input string) {
	dir, input = b.TempDir(), b.TempDir()
	files := map[string]string{
		"hugo.toml": `baseURL = "/"
disableKinds = ["taxonomy", "term", "rss", "home", "section", "404"]
`,
		"content/modules/_content.gotmpl": fmt.Sprintf(`{{ range %d }}
{{ $.AddPage (dict "path" (printf "module-%%d" .) "params" (dict "file" (printf "data/%%d.json" .))) }}{{ end }}`, n),
		"layouts/page.html": `{{ $m := resources.Get .Params.file | transform.Unmarshal }}<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ $m.name }}</title></head>
<body><h1>{{ $m.name }}</h1>
<table>{{ range $key, $figure := $m.figures }}<tr><th>{{ $key }}</th><td>{{ $figure }}</td></tr>{{ end }}</table>
</body></html>
`,
	}
	for i := range n {
		figures := map[string]float64{}
		for k, key := range figure.FigureKeys {
			figures[key] = float64(i*(k+1)) / 8
		}
		text, err := json.Marshal(map[string]any{"name": fmt.Sprintf("Vendor Product %d 32 GB microSD", i),
			"figures": figures})
		if err != nil {
			b.Fatal(err)
		}
		files[filepath.Join(input, fmt.Sprintf("%d.json", i))] = string(text)
	}
	for path, text := range files {
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir, input
}

func remove(b *testing.B, dirs ...string) {
	for _, dir := range dirs {
		if err := os.RemoveAll(dir); err != nil {
			b.Fatal(err)
		}
	}
}

// cost builds a site. It returns the seconds by the clock, the seconds of all processors together, and the peak of
// memory in 10^6 bytes.
func cost(b *testing.B, h hugo, input, out, segment string) (wall, cpu, peak float64) {
	cmd, err := h.command(b.Context(), input, out+"-work", out, segment)
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	if output, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, output)
	}
	used, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return time.Since(start).Seconds(), cpu, float64(used.Maxrss) * 1024 / 1e6
}

func megabytesBelow(b *testing.B, dir string) float64 {
	var sum int64
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		sum += info.Size()
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return float64(sum) / 1e6
}
