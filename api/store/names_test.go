package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"flashdex/api/catalogue"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/data"
	"flashdex/result"
	"flashdex/result/schema"
)

const ultraA1, ultraA1Typed = "sandisk-ultra-a1-16gb-microsd", "SanDisk Ultra A1 V10"

// today is today's catalogue, and before is a catalogue that doesn't know ultraA1.
var today, before = sync.OnceValue(func() *catalogue.Catalogue { return mustLoad(data.FS) }),
	sync.OnceValue(func() *catalogue.Catalogue {
		files := fstest.MapFS{}
		if err := fs.WalkDir(data.FS, ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(data.FS, path)
			if path == "modules/sandisk.json" {
				text = bytes.ReplaceAll(text, []byte(ultraA1), []byte("sandisk-nothing-16gb-microsd"))
				text = bytes.ReplaceAll(text, []byte(`"Ultra A1"`), []byte(`"Nothing"`))
			}
			files[path] = &fstest.MapFile{Data: text}
			return err
		}); err != nil {
			panic(err)
		}
		return mustLoad(files)
	})

func mustLoad(files fs.FS) *catalogue.Catalogue {
	c, err := catalogue.Load(files)
	if err != nil {
		panic(err)
	}
	return c
}

// card is a result of a card of 16 GB, from a contributor and network of its own.
type card struct {
	typed, registers string // brand and product; the name in the registers, or "" behind a reader
	from             int    // contributor
	network          string // empty: the contributor's
	speed            int64  // 0: the contributor's
}

func contributor(i int) [sha256.Size]byte { return sha256.Sum256(fmt.Append(nil, "contributor ", i)) }

// upload stores the result of a card like a server with the catalogue c, and returns its id.
func (r card) upload(t testing.TB, s *store.Store, c *catalogue.Catalogue) string {
	t.Helper()
	doc, _ := run(t, "", max(r.speed, 2+int64(r.from%3)))
	doc.Module = result.Module{Form: "microsd", CapacityGB: 16}
	doc.Module.Vendor, doc.Module.Product, _ = strings.Cut(r.typed, " ")
	if r.typed == "" {
		doc.Module = result.Module{}
	}
	doc.Identity = result.Identity{Bus: "sd", SizeBytes: 15931539456}
	if r.registers != "" {
		doc.Identity.SD = &result.Register{Manfid: "0x000003", OEMID: "0x5344", Name: r.registers}
	}
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if doc, err = schema.Read(body); err != nil {
		t.Fatal(err)
	}
	secret := contributor(r.from)
	origin := submission.Origin{Network: append([]byte("key1"), secret[:]...)}
	if r.network != "" {
		origin.Network = []byte("key1" + r.network)
	}
	added, err := s.AddSubmission(t.Context(), secret, doc, body, c.Of(doc, ""), accepted, origin)
	if err != nil || !added.New {
		t.Fatalf("%+v: %v", r, err)
	}
	return doc.ID
}

// confirm ends the probation of contributors.
func confirm(t testing.TB, url string, from ...int) {
	t.Helper()
	for _, i := range from {
		execute(t, url, fmt.Sprintf(`
			update contributor set confirmed_at = now(), confirmed_by = 'migration' where secret_sha256 = '\x%x';
			insert into outbox select id, gen_random_uuid(), now() from submission where contributor = '\x%[1]x'`, idOf(i)))
	}
}

// aDayOlder makes the results of a contributor older.
func aDayOlder(t testing.TB, url string, from int) {
	t.Helper()
	execute(t, url, fmt.Sprintf(`
		update submission set received_at = received_at - interval '1 day' where contributor = '\x%x'`, idOf(from)))
}

// idOf returns a contributor's id, which is the hash of their first secret.
func idOf(from int) []byte {
	secret := contributor(from)
	id := sha256.Sum256(secret[:])
	return id[:]
}

// settle folds until nothing is left to do.
func settle(t testing.TB, s *store.Store, url string) {
	t.Helper()
	for range 100 {
		fold(t, s)
		if value[bool](t, url, `select names_upto is null and not exists (select 1 from outbox) from publication
			where name = 'site'`) {
			return
		}
	}
	t.Fatal("folding goes on without end")
}

// names returns, for each result that isn't deleted, its module and what named it.
func names(t testing.TB, url string) map[string]string {
	t.Helper()
	of := map[string]string{}
	text := value[string](t, url, `select coalesce(string_agg(id || '=' || module_slug || ' by ' || named_by, chr(10)), '')
		from submission where state <> 'deleted'`)
	for line := range strings.Lines(text) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), "=")
		of[id] = name
	}
	return of
}

// isNamed checks the name of a result.
func isNamed(t testing.TB, url, what, id, want string) {
	t.Helper()
	if got := names(t, url)[id]; got != want {
		t.Errorf("%s is %q, want %q", what, got, want)
	}
}

const (
	byName    = ultraA1 + " by " + catalogue.NamedByTyping
	byOthers  = ultraA1 + " by " + catalogue.NamedByContributors
	unnamed   = "sd-0x03-sd-sl16g-16gb by " + catalogue.NamedByRegisters
	sameCards = "SL16G"
)

func TestResultsAreNamedAnewWhenTheTablesChange(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(before())
	var ids []string
	for i := range 7 { // more than two batches
		ids = append(ids, card{typed: ultraA1Typed, from: i}.upload(t, s, before()))
		confirm(t, url, i)
	}
	settle(t, s, url)
	old, _, _ := strings.Cut(names(t, url)[ids[0]], " ")
	if old == ultraA1 || resultsCounted(t, url, old) != 7 {
		t.Fatalf("before, %s counts %d results", old, resultsCounted(t, url, old))
	}
	// Another process begins, and ends after a batch. The next process continues.
	for i, want := range []int{3, 6, 7} {
		next, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		next.NameBy(today())
		fold(t, next)
		next.Close()
		if n := resultsCounted(t, url, ultraA1); n != want || resultsCounted(t, url, old) != 7-want {
			t.Errorf("after %d folds the new module counts %d results, the old one %d, want %d of 7",
				i+1, n, resultsCounted(t, url, old), want)
		}
	}
	for _, id := range ids {
		isNamed(t, url, "a result", id, byName)
	}
	if value[bool](t, url, "select orphaned_at is null from module where slug = $1", old) {
		t.Error("the module that all left is still shown")
	}
	sub, _, _, err := s.Submission(t.Context(), ids[0])
	if err != nil || len(sub.History) != 2 || sub.History[1].Kind() != "rule" ||
		sub.History[1].Reason != "named anew by the typed name: SanDisk Ultra A1 16 GB microSD" {
		t.Errorf("history %+v, %v", sub.History, err)
	}
}

func TestNothingIsNamedAnewWhileNothingChanges(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	card{typed: ultraA1Typed, registers: sameCards}.upload(t, s, today())
	settle(t, s, url)
	results := rows(t, url, "submission")
	_, generation, err := s.Fold(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	// Another process, and a server that knows no rules.
	for _, c := range []*catalogue.Catalogue{today(), nil} {
		other, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		other.NameBy(c)
		if _, again, err := other.Fold(t.Context()); err != nil || again != generation {
			t.Errorf("generations %d and %d, %v", generation, again, err)
		}
	}
	// New tables that name nothing differently.
	s.NameBy(before())
	execute(t, url, "delete from submission where true")
	card{typed: "Kingston Canvas Select Plus"}.upload(t, s, before())
	settle(t, s, url)
	s.NameBy(today())
	events := value[int](t, url, "select count(*)::int from submission_event")
	settle(t, s, url)
	if value[int](t, url, "select count(*)::int from submission_event") != events || results == "" {
		t.Error("it is in the history")
	}
}

// Results are named again whoever stored them: an older version, which doesn't say what named them, or a server with
// other tables.
func TestResultsOfOtherServersAreNamedAnew(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	first := card{typed: ultraA1Typed, registers: sameCards}.upload(t, s, today())
	execute(t, url, "update submission set named_by = '', confirms = true")
	settle(t, s, url)
	isNamed(t, url, "an old result", first, byName)
	if value[bool](t, url, "select confirms or said <> $1 or registers = '' from submission", ultraA1) {
		t.Error("what it says is not known")
	}
	second := card{typed: ultraA1Typed, from: 1}.upload(t, s, before())
	settle(t, s, url)
	isNamed(t, url, "the result of a server with other tables", second, byName)

	// An older worker folds what it stored.
	third := card{typed: ultraA1Typed, from: 2}.upload(t, s, before())
	execute(t, url, "delete from outbox; update publication set folded = folded + 1")
	settle(t, s, url)
	isNamed(t, url, "what an older worker folded", third, byName)
}

func TestWhatSomebodyDecidedIsNotNamedAnew(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(before())
	if err := s.ImportCatalogue(t.Context(), today().Modules, nil); err != nil {
		t.Fatal(err)
	}
	const other = "sandisk-extreme-16gb-microsd"
	of := func(from int, typed string) string { return card{typed: typed, from: from}.upload(t, s, before()) }
	named, merged, erased := of(0, ultraA1Typed), of(1, "SanDisk Ultra A1 U1"), of(2, ultraA1Typed)
	settle(t, s, url)
	if err := s.NameResult(t.Context(), named, other, "The photo shows it.", by("carol")); err != nil {
		t.Fatal(err)
	}
	provisional, _, _ := strings.Cut(names(t, url)[merged], " ")
	if err := s.MergeModules(t.Context(), provisional, other, "One card.", by("carol")); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteSubmission(t.Context(), contributor(2), erased); err != nil {
		t.Fatal(err)
	}
	settle(t, s, url)
	decided := names(t, url)
	s.NameBy(today())
	settle(t, s, url)
	for what, id := range map[string]string{"what an operator named": named, "what an operator merged": merged} {
		isNamed(t, url, what, id, decided[id])
	}
	if resultsCounted(t, url, other) != 2 {
		t.Error("they don't count where the operator said")
	}
	const all = "select state || module_slug || said || registers || named_by from submission where id = $1"
	if left := value[string](t, url, all, erased); left != submission.Deleted {
		t.Errorf("%q is left of a deleted result", left)
	}
}

// A contributor's choice stays as long as the evidence allows it.
func TestAChoiceIsNotNamedAnew(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	s.NameBy(today())
	if err := s.ImportCatalogue(t.Context(), today().Modules, nil); err != nil {
		t.Fatal(err)
	}
	chosen := map[string]string{} // by result
	for i, slug := range []string{"sandisk-ultra-16gb-microsd", ultraA1} {
		id := card{typed: "SanDisk Ultra", registers: sameCards, from: i}.upload(t, s, today())
		m, _ := today().Module(slug)
		if err := s.ChooseModule(t.Context(), contributor(i), id, m); err != nil {
			t.Fatal(err)
		}
		chosen[slug] = id
	}
	isChosen := func(slug string) {
		t.Helper()
		settle(t, s, url)
		isNamed(t, url, "the chosen one", chosen[slug], slug+" by "+submission.NamedByContributor)
	}
	isChosen("sandisk-ultra-16gb-microsd")
	isChosen(ultraA1)
	s.NameBy(before()) // in which there is only one Ultra
	isChosen("sandisk-ultra-16gb-microsd")
	const plain = "sandisk-ultra-16gb-microsd by " + catalogue.NamedByTyping
	isNamed(t, url, "what is no choice any more", chosen[ultraA1], plain)
	s.NameBy(today())
	isChosen("sandisk-ultra-16gb-microsd")
	if name := names(t, url)[chosen[ultraA1]]; !strings.HasPrefix(name, "ambiguous-") {
		t.Errorf("the other is %s", name)
	}
}

// Workers of two versions, and two workers of one version, run at once. In the end the last version's names stand.
func TestWorkersOfSeveralVersionsEndWithTheNamesOfTheLast(t *testing.T) {
	t.Parallel()
	s, url := open(t)
	var ids []string
	for i := range 8 {
		ids = append(ids, card{typed: ultraA1Typed, from: i}.upload(t, s, before()))
	}
	var all sync.WaitGroup
	for i := range 3 {
		worker, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer worker.Close()
		worker.NameBy([]*catalogue.Catalogue{before(), today()}[i%2])
		all.Go(func() {
			for range 4 {
				if _, _, err := worker.Fold(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s.NameBy(today())
	settle(t, s, url)
	for _, id := range ids {
		isNamed(t, url, "a result", id, byName)
	}
	if n := resultsCounted(t, url, ultraA1); n != 8 || value[int](t, url, "select sum(results)::int from unit") != 8 {
		t.Errorf("the module counts %d results", n)
	}
}

// An older worker has begun to fold when a worker of this version compares all results.
func TestWhatAnOlderWorkerNamesMeanwhileIsNamedAnew(t *testing.T) {
	t.Parallel()
	s, url := openPatient(t)
	s.NameBy(before())
	settle(t, s, url)
	id := card{typed: ultraA1Typed}.upload(t, s, before())
	compares := hold(t, url, "update publication set names_version = $1 where name = 'site'", today().Version())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, _, err := s.Fold(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	compares.awaited(t, ended)
	compares.commit(t)
	<-ended
	s.NameBy(today())
	settle(t, s, url)
	isNamed(t, url, "the result", id, byName)
}
