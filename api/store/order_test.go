package store_test

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"testing"

	"flashdex/api/catalogue"
	"flashdex/api/problem"
	"flashdex/api/store"
	"flashdex/api/submission"
	"flashdex/result"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"
)

// world records what some contributors and an operator have done to a store.
type world struct {
	t      testing.TB
	store  *store.Store
	url    string
	conn   *pgx.Conn
	states map[string]string // of each result
	held   map[string]bool   // by rule deviates, which may release it
	from   map[string]int    // contributor of each result
	docs   map[string]*result.Document
	bodies map[string][]byte
	secret []int // how often each contributor has changed it
	module []catalogue.Module
	events map[string]submission.Event // by their ids
}

// inCatalogue is the index of the first of a world's modules that the catalogue lists. Modules before it are listed
// because the registers of each result confirm them, unless somebody named the module.
const inCatalogue = 3

func newWorld(t testing.TB) *world {
	t.Helper()
	s, url := strict(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{
		t: t, store: s, url: url, conn: conn, states: map[string]string{}, held: map[string]bool{}, from: map[string]int{},
		docs: map[string]*result.Document{}, bodies: map[string][]byte{},
		secret: make([]int, 9), events: map[string]submission.Event{},
	}
	for i := range 5 {
		m := ultra
		if m.Slug = fmt.Sprintf("module-%d", i); i >= inCatalogue {
			m.KnownFrom = catalogue.KnownFromPublished
		}
		w.module = append(w.module, m)
	}
	return w
}

func (w *world) secretOf(contributor int) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%d, %d", contributor, w.secret[contributor]))
}

// some draws a result that was uploaded, if there is one.
func (w *world) some(t *rapid.T) string {
	if len(w.states) == 0 {
		t.Skip("nothing was uploaded yet")
	}
	return rapid.SampledFrom(slices.Sorted(maps.Keys(w.states))).Draw(t, "result")
}

func (w *world) upload(t *rapid.T) {
	contributor := rapid.IntRange(0, len(w.secret)-1).Draw(t, "contributor")
	unit := rapid.SampledFrom([]string{
		"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
	}).Draw(t, "unit")
	// Most speeds are alike, so that others stand out.
	speed := rapid.SampledFrom([]int64{1, 2, 3, 3, 4, 5, 100_000, 100_000}).Draw(t, "speed")
	verdict := rapid.SampledFrom([]string{
		submission.Accepted, submission.Accepted, submission.Accepted, submission.Quarantined, submission.Rejected,
	}).Draw(t, "verdict")
	// Most results are of one module, so that enough contributors measure it.
	module := w.module[rapid.SampledFrom([]int{0, 0, 0, 0, 0, 1, 2, 3}).Draw(t, "module")]
	spoiled := rapid.IntRange(0, 9).Draw(t, "spoiled") == 0
	board := rapid.SampledFrom([]string{"Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 400 Rev 1.0",
		"Raspberry Pi 3 Model B", "Radxa ZERO"}).Draw(t, "board")
	busMode := rapid.SampledFrom([]string{"sd high-speed", "sd high-speed", "sd uhs DDR50", ""}).Draw(t, "bus mode")
	origin := submission.Origin{
		Network: rapid.SampledFrom([][]byte{nil, []byte("key1a"), []byte("key1a"), []byte("key1b")}).Draw(t, "network"),
		Token:   submission.Token{State: rapid.SampledFrom([]string{"", "", "valid", "used"}).Draw(t, "token")},
	}
	w.add(contributor, unit, speed, verdict, module, spoiled, board, busMode, origin)
}

// age makes a result older by some days, which may end its contributor's probation.
func (w *world) age(t *rapid.T) {
	id, days := w.some(t), rapid.IntRange(1, 3).Draw(t, "days")
	if _, err := w.conn.Exec(w.t.Context(), `
		with aged as (
			update submission set received_at = received_at - make_interval(days => $2) where id = $1 and state <> 'deleted'
			returning id)
		insert into outbox select id, gen_random_uuid(), now() from aged`, id, days); err != nil {
		t.Fatal(err)
	}
}

func (w *world) add(contributor int, unit string, speed int64, verdict string, module catalogue.Module,
	spoiled bool, board, busMode string, origin submission.Origin) {
	doc, body := runIn(w.t, unit, speed, board, busMode)
	if spoiled {
		doc.Spoilers = []string{"busy-cpu"}
	}
	added, err := w.store.AddSubmission(w.t.Context(), w.secretOf(contributor), doc, body, module,
		submission.Decision{State: verdict, Reason: "so"}, origin)
	if err != nil || !added.New {
		w.t.Fatalf("upload: %+v, %v", added, err)
	}
	w.states[doc.ID], w.from[doc.ID], w.docs[doc.ID], w.bodies[doc.ID] = verdict, contributor, doc, body
}

func (w *world) again(t *rapid.T) {
	id := w.some(t)
	added, err := w.store.AddSubmission(w.t.Context(), w.secretOf(w.from[id]), w.docs[id], w.bodies[id], w.module[0],
		submission.Decision{State: submission.Accepted}, submission.Origin{})
	if want := map[bool]problem.Kind{true: problem.Deleted}[w.states[id] == submission.Deleted]; kind(err) != want ||
		added.New {
		t.Fatalf("the same upload again, while %s: %+v, %v", w.states[id], added, err)
	}
}

func (w *world) forge(t *rapid.T) {
	id := w.some(t)
	_, err := w.store.AddSubmission(w.t.Context(), w.secretOf(w.from[id]), w.docs[id],
		append(slices.Clone(w.bodies[id]), ' '), w.module[0], submission.Decision{State: submission.Accepted},
		submission.Origin{})
	if k := kind(err); k != problem.Conflict && (k != problem.Deleted || w.states[id] != submission.Deleted) {
		t.Fatalf("other bytes under a taken id: %v", err)
	}
}

func (w *world) remove(t *rapid.T) {
	id := w.some(t)
	if err := w.store.DeleteSubmission(w.t.Context(), w.secretOf(w.from[id]), id); err != nil {
		t.Fatal(err)
	}
	w.states[id] = submission.Deleted
}

func (w *world) removeAll(t *rapid.T) {
	contributor := w.from[w.some(t)]
	if _, err := w.store.DeleteContributor(w.t.Context(), w.secretOf(contributor)); err != nil {
		t.Fatal(err)
	}
	for id, from := range w.from {
		if from == contributor {
			w.states[id] = submission.Deleted
		}
	}
}

func (w *world) rotate(t *rapid.T) {
	contributor := w.from[w.some(t)]
	old := w.secretOf(contributor)
	w.secret[contributor]++
	if err := w.store.RotateSecret(w.t.Context(), old, w.secretOf(contributor)); err != nil {
		t.Fatal(err)
	}
}

func (w *world) moderate(t *rapid.T) {
	id := w.some(t)
	state := rapid.SampledFrom([]string{submission.Accepted, submission.Rejected}).Draw(t, "state")
	err := w.store.Moderate(w.t.Context(), id, submission.Decision{State: state, Reason: "looked at it"}, by("carol"))
	if w.states[id] == submission.Deleted {
		if kind(err) != problem.Deleted {
			t.Fatalf("deciding on what was taken back: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	w.states[id], w.held[id] = state, false
}

// name has the contributor of a result or an operator name its module.
func (w *world) name(t *rapid.T) {
	id, module := w.some(t), rapid.SampledFrom(w.module[inCatalogue:]).Draw(t, "module")
	var err error
	if rapid.IntRange(0, 3).Draw(t, "operator") > 0 {
		err = w.store.ChooseModule(w.t.Context(), w.secretOf(w.from[id]), id, module)
	} else {
		err = w.store.NameResult(w.t.Context(), id, module.Slug, "looked at it", by("carol"))
	}
	switch k := kind(err); {
	case (k == problem.Deleted) != (w.states[id] == submission.Deleted):
		t.Fatalf("naming what is %s: %v", w.states[id], err)
	case err != nil && !slices.Contains([]problem.Kind{problem.Deleted, problem.Decided, problem.NotFound,
		problem.BadRequest}, k):
		t.Fatal(err)
	}
}

func (w *world) merge(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "seldom") > 0 {
		t.Skip("merging is rare")
	}
	from, into := rapid.SampledFrom(w.module).Draw(t, "from"), rapid.SampledFrom(w.module).Draw(t, "into")
	if from.KnownFrom != into.KnownFrom {
		t.Skip("else results that somebody named might be of a module that nothing confirms")
	}
	err := w.store.MergeModules(w.t.Context(), from.Slug, into.Slug, "one and the same", by("carol"))
	if k := kind(err); err != nil && k != problem.ModuleMerged && k != problem.NotFound {
		t.Fatal(err)
	}
}

// older folds like an older server: it takes the outbox, and knows nothing of units.
func (w *world) older(t *rapid.T) {
	if rapid.IntRange(0, 4).Draw(t, "seldom") > 0 {
		t.Skip("servers of two versions are rare")
	}
	if _, err := w.conn.Exec(w.t.Context(), "delete from outbox; update publication set folded = folded + 1"); err != nil {
		t.Fatal(err)
	}
}

// secondsOfNetworks are the results that don't count because of another contributor of their network.
const secondsOfNetworks = "select array(select id::text from submission where second_of_network order by id)"

// publish folds, and compares what a publication would show with the facts.
func (w *world) publish(t *rapid.T) {
	if _, _, err := w.store.Fold(w.t.Context()); err != nil {
		t.Fatal(err)
	}
	snapshot := snapshot(w.t, w.store)
	seconds := value[[]string](w.t, w.url, secondsOfNetworks)
	if err := store.CompareAllNetworks(w.t.Context(), w.store); err != nil {
		t.Fatal(err)
	}
	if anew := value[[]string](w.t, w.url, secondsOfNetworks); !slices.Equal(anew, seconds) {
		t.Errorf("seconds of networks %s, anew %s", seconds, anew)
	}
	want := fromScratch(facts(w.t, w.conn), snapshot.Calibrations)
	if diff := cmp.Diff(want, stored(snapshot.Summaries), cmpopts.EquateApprox(1e-6, 0), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("figures (-from scratch +stored):\n%s", diff)
	}
	rows, err := w.conn.Query(w.t.Context(), "select id::text, state, state_rule from submission")
	if err != nil {
		t.Fatal(err)
	}
	var id, state, rule string
	shown := 0
	if _, err := pgx.ForEachRow(rows, []any{&id, &state, &rule}, func() error {
		if rule == "deviates" && state == submission.Quarantined && w.states[id] == submission.Accepted {
			w.states[id], w.held[id] = state, true
		} else if w.held[id] && state == submission.Accepted && w.states[id] == submission.Quarantined {
			w.states[id], w.held[id] = state, false
		}
		if state != w.states[id] {
			t.Errorf("%s is %s, want %s", id, state, w.states[id])
		}
		if state == submission.Accepted {
			shown++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, m := range snapshot.Summaries {
		if !m.Whole() {
			continue
		}
		counted += m.Results
		of := slices.DeleteFunc(slices.Clone(snapshot.Submissions),
			func(s submission.Submission) bool { return s.ModuleSlug != m.ModuleSlug || s.Method != m.Method })
		newest := slices.MaxFunc(of, func(a, b submission.Submission) int { return a.ReceivedAt.Compare(b.ReceivedAt) })
		if newest.ReceivedAt.After(m.NewestAt) || !slices.ContainsFunc(of,
			func(s submission.Submission) bool { return s.ID == m.Newest }) {
			t.Errorf("the newest result of %s is not %s", m.ModuleSlug, m.Newest)
		}
	}
	if len(snapshot.Submissions) != shown || counted != shown {
		t.Errorf("%d results are shown, %d are counted, want %d", len(snapshot.Submissions), counted, shown)
	}
	w.log(t)
}

// log checks that the log of events keeps its rows and ends with each result's state.
func (w *world) log(t *rapid.T) {
	rows, err := w.conn.Query(w.t.Context(), `
		select id::text, at, coalesce(from_state, ''), to_state, reason, actor from submission_event`)
	if err != nil {
		t.Fatal(err)
	}
	events := map[string]submission.Event{}
	var id string
	var e submission.Event
	if _, err := pgx.ForEachRow(rows, []any{&id, &e.At, &e.From, &e.To, &e.Reason, &e.Actor}, func() error {
		events[id] = e
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for id, e := range w.events {
		if events[id] != e {
			t.Errorf("the event %+v became %+v", e, events[id])
		}
	}
	w.events = events
	var wrong int
	err = w.conn.QueryRow(w.t.Context(), `select count(*) from submission s where s.state <>
		(select to_state from submission_event e where e.submission_id = s.id order by at desc, id desc limit 1)`).
		Scan(&wrong)
	if err != nil || wrong > 0 {
		t.Errorf("the log of %d results doesn't end with their state (%v)", wrong, err)
	}
}

// Uploads, retries, moderation, deletions, merges and publications come in any order, some from an older server.
// Modules' figures always equal a recomputation from the facts.
func TestAnyOrderOfEventsLeavesTheFiguresRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(t)
		defer func() { w.store.Close(); _ = w.conn.Close(t.Context()) }()
		for contributor := range w.secret { // enough for others to stand out
			w.add(contributor, "", int64(2+contributor%3), submission.Accepted, w.module[0], false, "Raspberry Pi 3 Model B",
				"sd high-speed", submission.Origin{Network: fmt.Appendf(nil, "key1%c", 'a'+contributor%8)})
		}
		const aged = "update submission set received_at = received_at - interval '1 day'"
		if _, err := w.conn.Exec(t.Context(), aged); err != nil {
			t.Fatal(err)
		}
		w.publish(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"upload": w.upload, "upload 2": w.upload, "again": w.again, "forge": w.forge,
			"remove": w.remove, "remove all": w.removeAll, "rotate": w.rotate,
			"age": w.age, "moderate": w.moderate, "merge": w.merge, "name": w.name, "older": w.older, "publish": w.publish,
		})
		w.publish(rt)
		kept := snapshot(t, w.store).Summaries
		if _, err := w.conn.Exec(t.Context(), "update publication set summary_version = 0"); err != nil {
			t.Fatal(err)
		}
		w.publish(rt)
		if diff := cmp.Diff(snapshot(t, w.store).Summaries, kept, figuresInside, cmpopts.EquateApprox(1e-9, 0)); diff != "" {
			rt.Fatalf("summaries (-made anew +brought up to date):\n%s", diff)
		}
	})
}
