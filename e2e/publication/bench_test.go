package publication

import (
	"flag"
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
	"flashdex/api/publish"

	"github.com/jackc/pgx/v5"
)

var modules = flag.Int("modules", 10_000, "modules in BenchmarkPublication, with six results each")

// BenchmarkPublication publishes the site of many modules, and then again after each of some uploads.
func BenchmarkPublication(b *testing.B) {
	of := open(b)
	of.modules, of.published = of.catalogue.Modules, of.catalogue.Published
	of.importCatalogue(b)
	middle := catalogue.Module{
		Slug: fmt.Sprint("seeded-", *modules/2), Form: "microsd", Provisional: true, KnownFrom: catalogue.KnownFromTyped,
		Confirmed: true,
	}
	seed(b, of, *modules)
	if _, _, err := of.Fold(b.Context()); err != nil {
		b.Fatal(err)
	}
	of.execute(b, "analyze")
	b.ReportMetric(0, "ns/op")

	together := watchMemory()
	p := of.publisher(of.dir, filepath.Join(root, "bin/hugo"))
	report := func(name string, all []figures) {
		for unit, of := range map[string]func(figures) float64{
			"s":          func(f figures) float64 { return f.wall },
			"s-CPU":      func(f figures) float64 { return f.cpu },
			"s-CPU-Hugo": func(f figures) float64 { return f.hugo },
			"MB-written": func(f figures) float64 { return f.written },
		} {
			var values []float64
			for _, f := range all {
				values = append(values, of(f))
			}
			slices.Sort(values)
			b.ReportMetric(values[len(values)/2], unit+"-"+name)
		}
	}
	report("all", []figures{of.cost(b, p)})
	b.ReportMetric(peak(b, syscall.RUSAGE_SELF), "MB-peak-publisher")
	b.ReportMetric(peak(b, syscall.RUSAGE_CHILDREN), "MB-peak-Hugo")
	var one []figures
	for i := range max(b.N, 5) {
		of.upload(b, fmt.Sprint("owner ", i), middle, 2)
		one = append(one, of.cost(b, p))
	}
	report("one-upload", one)
	// Somebody measures a module that nobody had measured. The places of all slower modules move.
	m := catalogue.Module{
		Slug: "new", Product: "New", Form: "microsd", Provisional: true, KnownFrom: catalogue.KnownFromTyped,
		Confirmed: true,
	}
	for i := range 3 {
		of.upload(b, fmt.Sprint("owner ", i), m, 2)
	}
	report("new-module", []figures{of.cost(b, p)})
	b.ReportMetric(together()/1e6, "MB-peak-together")
}

// seed gives n modules the results of one, each a little quicker than the last.
func seed(b *testing.B, of *bundle, n int) {
	m := catalogue.Module{
		Slug: "seeded-0", Product: "Seeded", CapacityGB: 32, Form: "microsd", Provisional: true,
		KnownFrom: catalogue.KnownFromTyped, Confirmed: true,
	}
	for i := range 6 {
		of.upload(b, fmt.Sprint("owner ", i), m, int64(1+i%3))
	}
	of.execute(b, fmt.Sprintf(`
		insert into module (slug, vendor, product, capacity_gb, form, classes, known_from, provisional,
			confirmed)
		select 'seeded-' || i, '', 'Seeded ' || i, 32, 'microsd', '{}', 'typed', true, true from generate_series(1, %d) i;
		create temp table seed as select s.*, s.id as of, i from submission s, generate_series(1, %[1]d) i;
		update seed set id = gen_random_uuid(), module_slug = 'seeded-' || i, unit_tag = md5(unit_tag || i),
			figures = (select array_agg(f * power(100, i / %[1]d.0) order by at)
				from unnest(figures) with ordinality as all_figures (f, at));
		create temp table tests as select m.*, seed.id from measurement m join seed on seed.of = m.submission_id;
		update tests set submission_id = id;
		alter table tests drop column id;
		alter table seed drop column of, drop column i;
		insert into submission select * from seed;
		insert into measurement select * from tests;
		update publication set fitted = -1`, n-1))
}

func (b *bundle) execute(t testing.TB, statements string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), statements, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
}

// figures are the costs of a publication: seconds by the clock, seconds of all processors for publisher and Hugo,
// seconds of all processors for Hugo alone, and 10^6 bytes of files.
type figures struct{ wall, cpu, hugo, written float64 }

func (b *bundle) cost(t testing.TB, p *publish.Publisher) figures {
	t.Helper()
	self, hugo, start := processors(t, syscall.RUSAGE_SELF), processors(t, syscall.RUSAGE_CHILDREN), time.Now()
	if err := p.PublishIfNew(t.Context()); err != nil {
		t.Fatal(err)
	}
	f := figures{wall: time.Since(start).Seconds(), hugo: processors(t, syscall.RUSAGE_CHILDREN) - hugo}
	f.cpu = f.hugo + processors(t, syscall.RUSAGE_SELF) - self
	for _, dir := range []string{publish.Current(b.dir), filepath.Join(b.dir, "building")} {
		err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if linked, _ := info.Sys().(*syscall.Stat_t); linked.Nlink == 1 {
				f.written += float64(info.Size()) / 1e6
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// processors returns the processor seconds of this process, or of its children that have ended.
func processors(t testing.TB, who int) float64 {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}

// watchMemory looks at the memory of this process and of Hugo every 50 ms. It returns a function that stops this and
// returns the most bytes that both had together.
func watchMemory() (most func() float64) {
	stop, peak := make(chan struct{}), make(chan float64)
	resident := func(process string) (pages float64) {
		text, _ := os.ReadFile("/proc/" + process + "/statm") // a process may have ended
		_, _ = fmt.Sscan(string(text), new(float64), &pages)
		return pages
	}
	go func() {
		pages := 0.0
		for {
			now := resident("self")
			tasks, _ := filepath.Glob("/proc/self/task/*/children")
			for _, task := range tasks {
				children, _ := os.ReadFile(task)
				for child := range strings.FieldsSeq(string(children)) {
					if name, _ := os.ReadFile("/proc/" + child + "/comm"); string(name) == "hugo\n" {
						now += resident(child)
					}
				}
			}
			pages = max(pages, now)
			select {
			case <-stop:
				peak <- pages * float64(os.Getpagesize())
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() float64 {
		close(stop)
		return <-peak
	}
}

// peak is the most memory in 10^6 bytes.
func peak(t testing.TB, who int) float64 {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		t.Fatal(err)
	}
	return float64(used.Maxrss) * 1024 / 1e6
}
