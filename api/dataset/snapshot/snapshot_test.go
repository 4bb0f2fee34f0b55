package snapshot_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flashdex/api/catalogue"
	"flashdex/api/dataset"
	"flashdex/api/dataset/snapshot"
	"flashdex/api/store"
	"flashdex/api/store/cluster/clustertest"
	"flashdex/api/submission"
	"flashdex/api/submission/copies/copiestest"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/schema"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/gzip"
)

// bench is an archive of a real database, with a clock of its own.
type bench struct {
	*snapshot.Archive
	t     testing.TB
	dir   string
	store *store.Store
	url   string
	now   time.Time
}

func start(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), url: clustertest.New(t), now: time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)}
	var err error
	if b.store, err = store.Open(t.Context(), b.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.store.Close)
	c, err := catalogue.Load(data.FS)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.ImportCatalogue(t.Context(), c.Modules, c.Published); err != nil {
		t.Fatal(err)
	}
	b.Archive = snapshot.New(snapshot.Config{Store: b.store, Catalogue: c, Dir: b.dir, Holder: "test",
		SiteURL: "https://flashdex.example", Version: "1",
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return b.now }})
	return b
}

// secretOf returns the secret of a contributor.
func secretOf(i int) [sha256.Size]byte { return sha256.Sum256(fmt.Append(nil, "contributor ", i)) }

// upload stores an example as one contributor's run of a module. It leaves out imported examples, because they have no
// host and no board, and checks of the capacity, because they have no tests.
func (b *bench) upload(contributor int, product, board string) string {
	b.t.Helper()
	files, err := filepath.Glob("../../../result/testdata/valid/*.json")
	files = slices.DeleteFunc(files, func(file string) bool {
		name := filepath.Base(file)
		return strings.HasPrefix(name, "imported-") || strings.HasPrefix(name, "verify-")
	})
	if err != nil || len(files) == 0 {
		b.t.Fatal(files, err)
	}
	return b.uploadExample(contributor, filepath.Base(files[contributor%len(files)]), product, board)
}

// receive uploads a run that was received at that time.
func (b *bench) receive(contributor int, at string) string {
	b.t.Helper()
	conn, err := pgx.Connect(b.t.Context(), b.url)
	if err != nil {
		b.t.Fatal(err)
	}
	defer conn.Close(b.t.Context())
	id := b.upload(contributor, "Turbo", "Board A")
	if _, err := conn.Exec(b.t.Context(), "update submission set received_at = $2::timestamptz where id = $1", id,
		at); err != nil {
		b.t.Fatal(err)
	}
	return id
}

func (b *bench) uploadExample(contributor int, example, product, board string,
	changes ...func(*result.Document)) string {
	b.t.Helper()
	text, err := os.ReadFile("../../../result/testdata/valid/" + example)
	if err != nil {
		b.t.Fatal(err)
	}
	var doc result.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		b.t.Fatal(err)
	}
	doc.ID = result.NewID()
	copiestest.Again(&doc)
	doc.Host.Board, doc.Spoilers = board, []string{}
	for _, change := range changes {
		change(&doc)
	}
	if text, err = json.MarshalIndent(&doc, "", "  "); err != nil {
		b.t.Fatal(err)
	}
	read, err := schema.Read(text)
	if err != nil {
		b.t.Fatal(err)
	}
	m := catalogue.Module{Slug: fmt.Sprintf("module-%x", sha256.Sum256([]byte(product)))[:20], Vendor: "Acme",
		Product: product, CapacityGB: 32, Form: "microsd", Classes: []string{"U1"},
		KnownFrom: catalogue.KnownFromTyped, Provisional: true}
	if _, err := b.store.AddSubmission(b.t.Context(), secretOf(contributor), read, text, m,
		submission.Decision{State: submission.Accepted}, submission.Origin{}); err != nil {
		b.t.Fatal(err)
	}
	return doc.ID
}

// update folds new results and updates the archive.
func (b *bench) update() dataset.Index {
	b.t.Helper()
	if _, _, err := b.store.Fold(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if err := b.Update(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	return b.Index()
}

func (b *bench) file(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(served(b.dir), name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *bench) has(name string) bool {
	_, err := os.Stat(filepath.Join(served(b.dir), name))
	return err == nil
}

func TestSnapshotsByTheDay(t *testing.T) {
	t.Parallel()
	b := start(t)
	first := b.upload(0, "Turbo", "Board A")
	if i := b.update(); len(i.Dated) != 1 || i.Latest.Runs != 1 || !b.has("2026-11-22/results.csv") ||
		b.has("2026-11-22/.ids") {
		t.Fatalf("%+v", i)
	}
	b.now = b.now.Add(time.Hour)
	second := b.upload(1, "Ultra", "Board B")
	if i := b.update(); len(i.Dated) != 1 || i.Latest.Runs != 2 {
		t.Errorf("later on the same day: %d dated ones, %d runs in the latest", len(i.Dated), i.Latest.Runs)
	}
	if strings.Contains(b.file("2026-11-22/results.csv"), second) ||
		!strings.Contains(b.file("latest/results.csv"), second) {
		t.Error("the day's snapshot changed, or the latest did not")
	}
	b.now = b.now.AddDate(0, 0, 1)
	b.update()
	if b.has("2026-11-23") {
		t.Error("a snapshot was made of a day on which nothing changed")
	}
	b.upload(2, "Ultra", "Board B")
	if i := b.update(); len(i.Dated) != 2 || i.Dated[0].Date != "2026-11-23" {
		t.Errorf("%d dated ones", len(i.Dated))
	}
	changes := b.file("2026-11-23/CHANGES.md")
	if !strings.Contains(changes, "Since 2026-11-22: 2 results came, 0 went") {
		t.Errorf("changes: %s", changes)
	}
	// What a contributor deletes disappears from everything.
	if err := b.store.DeleteSubmission(t.Context(), secretOf(1), second); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Hour)
	i := b.update()
	if i.Dated[0].Withdrawn != "2026-11-23" || i.Dated[1].Withdrawn != "" {
		t.Errorf("withdrawn: %q and %q, want the second alone", i.Dated[0].Withdrawn, i.Dated[1].Withdrawn)
	}
	if b.has("2026-11-23/results.csv") || !strings.Contains(b.file("2026-11-23/WITHDRAWN.txt"),
		"replaced by /data/latest/") || !b.has("2026-11-22/results.csv") {
		t.Error("the wrong files were withdrawn")
	}
	if feed := b.file("feed.xml"); !strings.Contains(feed, "Withdrawn, because") ||
		!strings.Contains(feed, "https://flashdex.example/data/2026-11-22/") {
		t.Errorf("feed: %s", feed)
	}
	for _, dir := range []string{"latest", "2026-11-22"} {
		for _, name := range []string{"results.csv", "SHA256SUMS"} {
			if strings.Contains(b.file(dir+"/"+name), second) {
				t.Errorf("%s/%s holds the deleted result", dir, name)
			}
		}
	}
	if !strings.Contains(b.file("latest/results.csv"), first) {
		t.Error("the other result is gone too")
	}
}

// A recalibration changes the figures of modules that nobody measured again. So the list of changes mentions it, and
// each snapshot keeps the calibration that its figures were computed with.
func TestChangesTellOfARecalibration(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.upload(0, "Turbo", "Board A")
	b.update()
	if changes := b.file("2026-11-22/CHANGES.md"); strings.Contains(changes, "alibration") {
		t.Errorf("the first snapshot: %s", changes)
	}
	conn, err := pgx.Connect(t.Context(), b.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for _, table := range []string{"calibration set made_at = made_at", "publication set calibrated_at = calibrated_at"} {
		if _, err := conn.Exec(t.Context(), "update "+table+" - interval '32 days'"); err != nil {
			t.Fatal(err)
		}
	}
	b.now = b.now.AddDate(0, 0, 1)
	b.upload(1, "Ultra", "Board B")
	b.update()
	if changes := b.file("2026-11-23/CHANGES.md"); !strings.Contains(changes,
		"Calibration 2 took the place of calibration 1") || !strings.Contains(changes, "2026-11-22 keeps its own") {
		t.Errorf("changes: %s", changes)
	}
	for date, version := range map[string]string{"2026-11-22": "1", "2026-11-23": "2"} {
		rows := strings.Split(strings.TrimSpace(b.file(date+"/calibrations.csv")), "\n")
		if len(rows) < 2 || slices.ContainsFunc(rows[1:], func(row string) bool {
			return !strings.HasPrefix(row, version+",")
		}) {
			t.Errorf("of %s there are calibrations other than %s", date, version)
		}
	}
}

func TestOldSnapshotsGo(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.now = time.Date(2026, 10, 20, 10, 0, 0, 0, time.UTC)
	for range 30 {
		b.upload(0, "Turbo", "Board A")
		b.update()
		b.now = b.now.AddDate(0, 0, 1)
	}
	var dates []string
	for _, s := range b.Index().Dated {
		dates = append(dates, s.Date[5:])
	}
	if got, want := strings.Join(dates, " "), "11-18 11-17 11-16 11-15 11-14 11-13 11-12 11-01 10-20"; got != want {
		t.Errorf("kept are %s, want %s", got, want)
	}
	entries, err := os.ReadDir(served(b.dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 9+1+3 { // latest, index, feed and description
		t.Errorf("%d entries: %v", len(entries), entries)
	}
}

// Writing takes at most a twentieth of the time.
func TestRestsBetweenSnapshots(t *testing.T) {
	t.Parallel()
	b := start(t)
	tick := b.now
	b.Now = func() time.Time { tick = tick.Add(100 * time.Millisecond); return tick }
	b.upload(0, "Turbo", "Board A")
	first := b.update().Latest
	b.upload(1, "Turbo", "Board A")
	if again := b.update().Latest; again.Generation != first.Generation {
		t.Errorf("written again at once, after %v s of writing", first.Seconds)
	}
	tick = tick.Add(time.Duration(20 * first.Seconds * float64(time.Second)))
	if again := b.update().Latest; again.Generation == first.Generation || again.Runs != 2 {
		t.Errorf("not written again after twenty times %v s", first.Seconds)
	}
}

// twoBlockSizes turns a document into one of a method that tries several block sizes and has tests of its own.
func twoBlockSizes(d *result.Document) {
	d.Method, d.Profile = result.MethodSweep1, result.ProfileSweep
	for _, of := range slices.Clone(d.Tests) {
		of.BlockBytes /= 2
		of.Ops, of.WarmupOps = 2*of.Ops, 2*of.WarmupOps
		of.Intervals, of.Batches, of.Latency = slices.Clone(of.Intervals), slices.Clone(of.Batches), slices.Clone(of.Latency)
		for i := range of.Intervals {
			of.Intervals[i].Ops *= 2
		}
		for i := range of.Batches {
			of.Batches[i].Ops *= 2
		}
		for i := range of.Latency {
			of.Latency[i][1] *= 2
		}
		d.Tests = append(d.Tests, of)
		if of.Name == result.SeqWrite {
			of.Name = result.SeqRewrite
			d.Tests = append(d.Tests, of)
		}
	}
}

// inode identifies the file that a path leads to.
func (b *bench) inode(name string) os.FileInfo {
	b.t.Helper()
	info, err := os.Stat(filepath.Join(served(b.dir), name))
	if err != nil {
		b.t.Fatal(err)
	}
	return info
}

// Samples and documents of a month are written again only if the month's runs have changed.
func TestMonthsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	b := start(t)
	// The first and the last moment of a month, UTC.
	b.receive(0, "2026-09-30 23:59:59.999+00")
	first, last := b.receive(1, "2026-10-01 00:00+00"), b.receive(2, "2026-10-31 23:59:59.999+00")
	b.receive(3, "2026-11-01 00:00+00")
	b.update()
	const september, october, november = "/samples-2026-09.csv.gz", "/samples-2026-10.csv.gz", "/samples-2026-11.csv.gz"
	rows := map[string]int64{}
	for _, f := range b.Index().Latest.Files {
		if strings.HasPrefix(f.Name, "documents-") {
			rows[f.Month] = f.Rows
		}
	}
	if diff := cmp.Diff(map[string]int64{"2026-09": 1, "2026-10": 2, "2026-11": 1}, rows); diff != "" {
		t.Fatalf("documents by month (-want +got):\n%s", diff)
	}
	b.now = b.now.AddDate(0, 0, 1)
	b.receive(4, "2026-11-22 10:00+00")
	b.update()
	if !os.SameFile(b.inode("2026-11-22"+october), b.inode("latest"+october)) ||
		os.SameFile(b.inode("2026-11-22"+november), b.inode("latest"+november)) {
		t.Error("a month that nothing was added to was written again, or the other was not")
	}
	// A deleted result disappears from the files of its month.
	if err := b.store.DeleteSubmission(t.Context(), secretOf(1), first); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Hour)
	kept := b.inode("latest" + september)
	b.update()
	packed, err := os.Open(filepath.Join(served(b.dir), "latest", october))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil || strings.Contains(string(text), first) || !strings.Contains(string(text), last) {
		t.Errorf("%v: October has the deleted result, or lacks the other: %s", err, text)
	}
	if !os.SameFile(kept, b.inode("latest"+september)) {
		t.Error("September was written again")
	}
	// Another version of the program reuses them, unless it would write something else.
	b.Version = "2"
	b.now = b.now.Add(time.Hour)
	b.update()
	if !os.SameFile(kept, b.inode("latest"+september)) || b.Index().Latest.Version != "2" {
		t.Error("another version wrote September again")
	}
	index := b.Index()
	index.Latest.MonthsForm--
	text, err = json.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(served(b.dir), "snapshots.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	b.Version = "3"
	b.now = b.now.Add(time.Hour)
	b.update()
	if os.SameFile(kept, b.inode("latest"+september)) {
		t.Error("files of another form were taken over")
	}
}
